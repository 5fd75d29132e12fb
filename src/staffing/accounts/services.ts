import type { DailyLimit } from '../../platform/http/daily-limit/daily-limit.ts';
import type { Cursors } from '../../platform/http/pagination/cursor.ts';
import type { Ids } from '../../platform/ids.ts';
import type { Store } from '../../platform/store/store.ts';
import type { Clock } from '../../platform/time/clock.ts';
import type { Principals } from './keys/authenticate.ts';

/** The context of the account functions. */
export interface Accounts {
  store: Store;
  clock: Clock;
  ids: Ids;
  cursors: Cursors;
  principals: Principals;
  /** Limits the sandbox keys of a client address. */
  dailyKeys: DailyLimit;
}

/** The sources of times and ids for new rows. */
export type Naming = Pick<Accounts, 'clock' | 'ids'>;
