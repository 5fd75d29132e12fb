import type { Sender } from '../../platform/delivery/sender.ts';
import type { Cursors } from '../../platform/http/pagination/cursor.ts';
import type { Ids } from '../../platform/ids.ts';
import type { Store } from '../../platform/store/store.ts';
import type { Clock } from '../../platform/time/clock.ts';
import type { RegistryHandle } from '../registry/handle.ts';

/** The context of the requisition functions. */
export interface Requisitions {
  store: Store;
  clock: Clock;
  ids: Ids;
  cursors: Cursors;
  registry: RegistryHandle;
  /** Delivers webhooks. */
  sender: Sender;
}
