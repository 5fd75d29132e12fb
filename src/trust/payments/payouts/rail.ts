import type { PayoutRailName } from '../../../../db/trust/payouts-enums.ts';
import type { Ids } from '../../../platform/ids.ts';
import type { Store } from '../../../platform/store/store.ts';
import type { Clock } from '../../../platform/time/clock.ts';
import type { CreditsPolicy } from '../../ledger/credits/settings.ts';
import type { WalletsPolicy } from '../../ledger/wallets/evm-policy.ts';
import type { LastingActs } from '../../operators/restored/lasting-acts.ts';
import type { OperatorsPolicy } from '../../operators/settings.ts';
import type { Events } from '../../webhooks/events.ts';
import type { PayoutsPolicy } from './settings.ts';
import type { PayoutState } from './store.ts';

export type { PayoutRailName } from '../../../../db/trust/payouts-enums.ts';

/** The parts of the service that a rail uses. A command has them too, even while no server runs. */
export type RailContext = {
  store: Store;
  clock: Clock;
  ids: Ids;
  acts: LastingActs;
  policy: OperatorsPolicy & CreditsPolicy & WalletsPolicy & PayoutsPolicy;
  events: Pick<Events, 'emitIn'>;
};

/** The balance of a treasury in whole units: approximate, for metrics. */
export interface TreasuryBalance {
  tokens: number;
  coins: number;
}

/**
 * What is wrong with a node of the chain: it does not respond, responds wrongly, is of another chain or
 * without the token, is far behind or ahead of the others, or says something else about a transaction.
 */
export type NodeProblem = 'unreachable' | 'invalid' | 'chain' | 'token' | 'behind' | 'ahead' | 'differs';

/** A node with a problem. */
export interface NodeReport {
  /** Its position in evm.rpc_urls, from 1. */
  node: number;
  problem: NodeProblem;
}

/** A way in which payouts are paid. */
export interface PayoutRail {
  readonly name: PayoutRailName;
  /**
   * Does one round: follows the payouts that were submitted, confirms those that are final, and submits
   * queued ones. It returns within seconds and has a bounded number of payouts in memory. A scheduled task
   * calls it, never twice at once. A payout that cannot be paid does not stop the others.
   * @param steps `follow` submits nothing
   * @returns whether more can be done at once, without waiting for the next period
   * @throws RailUnavailable or another error if the rail does not work, for example without a response of the
   * RPC server. The next rounds then wait longer. After an error that stops only submissions, submitted
   * payouts are followed in the usual period
   */
  work(steps?: 'all' | 'follow'): Promise<boolean>;
  /**
   * Returns whether a submitted payout of this rail certainly was not and never will be paid. Its credits can
   * then be returned, or it can be paid in another way. In doubt the result is false.
   */
  mayFail(state: PayoutState): Promise<boolean>;
  /**
   * Returns why an administrator must not end a submitted payout in a way, because a node says that it was
   * paid or may still be; null if no node that responds says so. A rail whose payouts are never seen as
   * submitted does not have this function.
   * @param paidBy the transaction that the administrator says has paid it, `0x…`; null to fail it
   */
  objectionTo?(state: PayoutState, paidBy: string | null): Promise<string | null>;
  /**
   * Returns the nodes that differ from the others, or that cannot be used. A rail without nodes does not have
   * this function.
   */
  nodes?(): readonly NodeReport[];
  /**
   * Returns the last known balance of the account that pays; null before it is known. A rail without an
   * account does not have this function.
   */
  treasury?(): TreasuryBalance | null;
}

/** Returns whether an error stops only queued payouts: the round has followed the submitted ones. */
export function isOnlySubmission(error: unknown): boolean {
  return error instanceof RailUnavailable && error.stops === 'submission';
}

/** A rail does not work as a whole, for a reason that a metric shows. */
export class RailUnavailable extends Error {
  override readonly name: string = 'RailUnavailable';
  /** What the error stops: everything, or only new payouts after the round has followed submitted ones. */
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
