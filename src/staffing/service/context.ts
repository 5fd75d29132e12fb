import type { HealthMonitor } from '../../platform/monitoring/health.ts';
import type { ClockWatch } from '../../platform/time/clock-watch.ts';
import type { Meter } from '../accounts/keys/meter.ts';
import type { Mailer } from '../accounts/mail/mail.ts';
import type { Accounts } from '../accounts/services.ts';
import type { Clinicians } from '../clinicians/services.ts';
import type { Importer } from '../imports/importer.ts';
import type { Requisitions } from '../requisitions/services.ts';
import type { Suppressions } from '../suppressions/services.ts';
import type { Webhooks } from '../webhooks/services.ts';
import type { StaffingPolicy } from './policy.ts';

/**
 * The context of all modules' functions, without the registry, which commands do not need. Each function
 * takes only the part that it uses.
 */
export interface CommandContext extends Accounts, Webhooks, Suppressions, Omit<Requisitions, 'registry'> {
  policy: StaffingPolicy;
  /** Loads data into the registry. */
  importer: Importer;
}

/** The context of the running service. */
export interface StaffingContext extends CommandContext, Clinicians {
  /** Detects jumps of the system clock. */
  clockWatch: ClockWatch;
  meter: Meter;
  /** Null when keys are returned in the response instead of by mail. */
  mailer: Mailer | null;
  /** The source of the health endpoint's response. */
  health: HealthMonitor;
  /** SHA-256 of the admin token. */
  adminTokenHash: Uint8Array;
}
