import { RailUnavailable } from '../rail.ts';

/** Why something cannot be paid or sent at the moment. */
type Reason = 'chain' | 'token' | 'funds' | 'fees' | 'request';

/**
 * A reason why nothing can be paid, for the administrator: what is wrong, and what to do. It contains no
 * secret.
 */
export class RailProblem extends RailUnavailable {
  override readonly name = 'RailProblem';
  constructor(reason: Reason, message: string) {
    super(reason, message);
  }
}

/** A problem at the end of a round that has followed what was submitted: only new payouts wait. */
export class SubmissionProblem extends RailProblem {
  override readonly stops = 'submission';
}
