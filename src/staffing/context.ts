import type { HealthMonitor } from '../platform/monitoring/health.ts';
import type { ClockWatch } from '../platform/time/clock-watch.ts';
import type { Meter } from './accounts/keys/meter.ts';
import type { Mailer } from './accounts/mail/mail.ts';
import type { Accounts } from './accounts/service.ts';
import type { Clinicians } from './clinicians/service.ts';
import type { Requisitions } from './jobs/service.ts';
import type { StaffingPolicy } from './policy.ts';
import type { Suppressions } from './suppressions/service.ts';
import type { Webhooks } from './webhooks/service.ts';

/** What the rules of all capabilities work with that no command needs the registry for. Each says what it takes of it. */
export interface CommandContext extends Accounts, Webhooks, Suppressions, Omit<Requisitions, 'registry'> {
  policy: StaffingPolicy;
}

/** The same of the open service. */
export interface StaffingContext extends CommandContext, Clinicians {
  /** Whether the wall clock can be trusted. */
  clockWatch: ClockWatch;
  meter: Meter;
  /** Null where keys are answered at once. */
  mailer: Mailer | null;
  /** What health answers. */
  health: HealthMonitor;
  /** SHA-256 of the admin token. */
  adminTokenHash: Uint8Array;
}
