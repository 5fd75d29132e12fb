import type { MasterKey } from '../../platform/crypto/master-key.ts';
import type { Sender } from '../../platform/delivery/sender.ts';
import type { TargetPolicy } from '../../platform/delivery/target.ts';
import type { Ids } from '../../platform/ids.ts';
import type { Store } from '../../platform/store/store.ts';
import type { Clock } from '../../platform/time/clock.ts';

/** The context of the webhook functions. */
export interface Webhooks {
  store: Store;
  clock: Clock;
  ids: Ids;
  /** Delivers the events. */
  sender: Sender;
  /** The allowed target URLs. */
  targets: TargetPolicy;
  /** Encrypts the webhooks' secrets. */
  masterKey: MasterKey;
}
