import type { Clock } from '../platform/clock.ts';
import type { Store } from '../platform/store/store.ts';
import type { Signer } from './keys/signer.ts';

/** What the trust service's rules work with. */
export interface Trust {
  store: Store;
  clock: Clock;
  signer: Signer;
}
