import type { Ids } from '../../platform/ids.ts';
import type { Clock } from '../../platform/time/clock.ts';
import type { CreditsPolicy } from '../ledger/credits/settings.ts';
import type { OpenWithdrawals } from '../ledger/hold.ts';
import type { HoldsPolicy } from '../ledger/lots/settings.ts';
import type { Principals } from '../operators/auth/authenticate.ts';
import type { OperatorsPolicy } from '../operators/settings.ts';

/** The parts of the service that booking uses. */
export type BookingContext = {
  clock: Clock;
  ids: Ids;
  policy: OperatorsPolicy & CreditsPolicy & HoldsPolicy;
  principals: Principals;
  /** Withdrawals of which a dispute holds a part. */
  openWithdrawals: OpenWithdrawals;
};
