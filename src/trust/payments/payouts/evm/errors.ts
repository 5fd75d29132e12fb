import { RailUnavailable } from '../rail.ts';

/** Why something cannot be paid or sent at the moment. */
type Reason = 'chain' | 'token' | 'funds' | 'fees' | 'gas' | 'request' | 'stopped';

/** Tells the administrator why nothing can be paid, and what to do. The message contains no secret. */
export class RailProblem extends RailUnavailable {
  override readonly name = 'RailProblem';
  constructor(reason: Reason, message: string) {
    super(reason, message);
  }
}

/** A problem at the end of a round that has followed the submitted payouts: only new ones wait. */
export class SubmissionProblem extends RailProblem {
  override readonly stops = 'submission';
}
