import type { PayoutRailName } from '../../../../db/trust/payouts-enums.ts';
import type { Ids } from '../../../platform/ids.ts';
import type { Store } from '../../../platform/store/store.ts';
import type { Clock } from '../../../platform/time/clock.ts';
import type { CreditsPolicy } from '../../ledger/credits/settings.ts';
import type { WalletsPolicy } from '../../ledger/wallets/evm-policy.ts';
import type { OperatorsPolicy } from '../../operators/settings.ts';
import type { PayoutsPolicy } from './settings.ts';
import type { PayoutState } from './store.ts';

export type { PayoutRailName } from '../../../../db/trust/payouts-enums.ts';

/** The parts of the service that a rail uses. A command has them too, also while no server runs. */
export type RailContext = {
  store: Store;
  clock: Clock;
  ids: Ids;
  policy: OperatorsPolicy & CreditsPolicy & WalletsPolicy & PayoutsPolicy;
};

/** What a treasury has, in whole units: approximate, for metrics. */
export interface TreasuryBalance {
  tokens: number;
  coins: number;
}

/** A way in which payouts are paid. */
export interface PayoutRail {
  readonly name: PayoutRailName;
  /**
   * Does one round: follows the payouts that were submitted, confirms those that are final, and submits
   * queued ones. It returns within seconds and holds a bounded number of payouts. A scheduled task calls it,
   * never twice at once. A payout that cannot be paid does not stop the others.
   * @param what `follow` submits nothing
   * @returns whether more can be done at once, without waiting for the next period
   * @throws if the rail itself does not work, such as an RPC server that does not answer: the next rounds
   * then wait longer. An error that stops only submissions if queued payouts wait: what was submitted is
   * followed in the usual period
   */
  work(what?: 'all' | 'follow'): Promise<boolean>;
  /**
   * Returns whether a submitted payout of this rail certainly was not and never will be paid, so that its
   * credits can be returned or it can be paid in another way. False in doubt, also if the rail cannot be
   * asked.
   */
  mayFail(state: PayoutState): Promise<boolean>;
  /**
   * Returns what the account that pays had lately; null before it is known. A rail without such an account
   * has no such function.
   */
  treasury?(): TreasuryBalance | null;
}

/**
 * Returns whether only queued payouts wait because of an error: the round has followed those that were
 * submitted.
 */
export function isOnlySubmission(error: unknown): boolean {
  return error instanceof RailUnavailable && error.stops === 'submission';
}

/** A rail does not work as a whole, for a reason that a metric shows. */
export class RailUnavailable extends Error {
  override readonly name: string = 'RailUnavailable';
  /**
   * What cannot be done: everything, or only new payouts, while the round has followed those that were
   * submitted.
   */
  readonly stops: 'everything' | 'submission' = 'everything';

  /**
   * @param reason one of few short words, such as `rpc` or `funds`
   * @param message for the log, without secrets
   */
  constructor(
    readonly reason: string,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
