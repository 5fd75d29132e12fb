import type { MasterKey } from '../../platform/crypto/master-key.ts';
import type { Cursors } from '../../platform/http/pagination/cursor.ts';
import type { Store } from '../../platform/store/store.ts';
import type { Clock } from '../../platform/time/clock.ts';
import type { RegistryLock } from '../registry/changes-lock.ts';

/** The context of the suppression functions. */
export interface Suppressions {
  store: Store;
  clock: Clock;
  cursors: Cursors;
  /** Encrypts the registry entries of suppressed clinicians. */
  masterKey: MasterKey;
  /** The directory of the registry files. */
  registryPath: string;
  /** Lets one change of the registry files run at a time. */
  registryLock: RegistryLock;
  /** Call it after changing the served file. Without a server it does nothing. */
  registryChanged(): void;
  /** The NPIs of stored suppressions for which the registry could not be changed, such as on a full disk. */
  unappliedSuppressions: Set<number>;
}

/** What changing a registry file by the suppressions needs. */
export type Applying = Omit<Suppressions, 'cursors' | 'registryChanged' | 'unappliedSuppressions'>;
