import type { Clock } from '../platform/clock.ts';
import type { ClockWatch } from '../platform/clock-watch.ts';
import type { Sender } from '../platform/delivery/sender.ts';
import type { TargetRules } from '../platform/delivery/target.ts';
import type { HealthMonitor } from '../platform/health.ts';
import type { Cursors } from '../platform/http/cursor.ts';
import type { MasterKey } from '../platform/master-key.ts';
import type { Store } from '../platform/store/store.ts';
import type { Mailer } from './accounts/mail.ts';
import type { Meter } from './accounts/meter.ts';
import type { Principals } from './accounts/principals.ts';
import type { RegistryHolder } from './registry/holder.ts';
import type { Rules } from './rules.ts';

/** What the rules work with that no command needs the registry for. */
export interface Desk {
  store: Store;
  clock: Clock;
  rules: Rules;
  principals: Principals;
  cursors: Cursors;
  /** Where the registry's files lie. */
  registryPath: string;
  /** To be called when the file that is served was changed; beside no server nobody serves one. */
  registryChanged(): void;
  /** Delivers webhooks; beside no server it only writes them down. */
  sender: Sender;
  /** Where webhooks may go. */
  targets: TargetRules;
  /** Seals the secrets of webhooks. */
  masterKey: MasterKey;
}

/** What the staffing service's rules work with. */
export interface Staffing extends Desk {
  /** Whether the wall clock can be trusted. */
  clockWatch: ClockWatch;
  meter: Meter;
  /** Null where keys are answered at once. */
  mailer: Mailer | null;
  registry: RegistryHolder;
  /** What health answers. */
  health: HealthMonitor;
  /** SHA-256 of the admin token. */
  adminTokenHash: Uint8Array;
}
