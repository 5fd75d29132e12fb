import type { HealthMonitor } from '../platform/monitoring/health.ts';
import type { Clock } from '../platform/time/clock.ts';
import type { CosigningServices } from './checkpoints/add.ts';

/** The open witness: the context of its functions. */
export interface WitnessContext extends CosigningServices {
  clock: Clock;
  /** The source of the health endpoint's response. */
  health: HealthMonitor;
}
