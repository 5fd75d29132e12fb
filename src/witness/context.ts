import type { Logger } from 'pino';
import type { HealthMonitor } from '../platform/monitoring/health.ts';
import type { Store } from '../platform/store/store.ts';
import type { Clock } from '../platform/time/clock.ts';
import type { VerifierKey } from '../proof/log/note.ts';
import type { Forks } from './checkpoints/forks.ts';
import type { Identity } from './identity/identity.ts';

/** What the witness's rules work with. */
export interface WitnessContext {
  store: Store;
  clock: Clock;
  identity: Identity;
  /** The keys that are trusted for each log that is witnessed, by its origin. */
  logs: ReadonlyMap<string, readonly VerifierKey[]>;
  forks: Forks;
  /** What health answers. */
  health: HealthMonitor;
  log: Logger;
}
