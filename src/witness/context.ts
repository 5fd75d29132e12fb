import type { Logger } from 'pino';
import type { HealthMonitor } from '../platform/monitoring/health.ts';
import type { Store } from '../platform/store/store.ts';
import type { Clock } from '../platform/time/clock.ts';
import type { ClockWatch } from '../platform/time/clock-watch.ts';
import type { VerifierKey } from '../proof/log/note.ts';
import type { Forks } from './checkpoints/forks.ts';
import type { Identity } from './identity/identity.ts';

/** The open witness: the context of its functions. */
export interface WitnessContext {
  store: Store;
  clock: Clock;
  /** True if the wall clock can be trusted. */
  clockWatch: ClockWatch;
  identity: Identity;
  /** The trusted keys of each witnessed log, by origin. */
  logs: ReadonlyMap<string, readonly VerifierKey[]>;
  forks: Forks;
  /** The source of the health endpoint's response. */
  health: HealthMonitor;
  log: Logger;
}
