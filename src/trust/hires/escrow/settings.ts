import { DELIVERIES, DISPUTE_DEFAULTS } from '../../../../db/trust/escrow-enums.ts';
import type { Config } from '../../../platform/config/setting.ts';
import { choice, integer } from '../../../platform/config/setting.ts';

/** Settings for escrow. */
export const escrowSettings = {
  acceptHours: integer('engagements.accept_hours', 1, 8760, {
    description:
      'hours after a delivery in which the hirer can accept; after them it is paid without an acceptance',
    fallback: 72,
  }),
  standstillGraceHours: integer('engagements.suspension_grace_hours', 0, 8760, {
    description:
      'hours after which engagements that were not delivered return to a hirer that is frozen or whose sponsor is suspended',
    fallback: 24,
  }),
  disputeDays: integer('engagements.dispute_days', 1, 365, {
    description:
      'days after a dispute in which it can be decided; after them engagements.dispute_default holds',
    fallback: 30,
  }),
  disputeDefault: choice('engagements.dispute_default', DISPUTE_DEFAULTS, {
    description:
      'what becomes of a dispute that nobody decided: pay pays the worker, refund returns the credits to the hirer',
    fallback: 'pay',
  }),
  delivery: choice('engagements.delivery', DELIVERIES, {
    description:
      'what delivers engagements that do not say it: any, including evidence with the service token, or only what the worker itself signs for the terms',
    fallback: 'any',
  }),
};

/** The settings of escrow in the units of the code. */
export interface EscrowPolicy {
  /** The time after a delivery in which the hirer can accept, in milliseconds. */
  acceptMs: number;
  /** How long a HELD hire stands still before its credits return to the hirer, in milliseconds. */
  standstillGraceMs: number;
  /** The time after a dispute in which it can be decided, in milliseconds. */
  disputeMs: number;
  /** What becomes of a dispute that nobody decided. */
  disputeDefault: (typeof DISPUTE_DEFAULTS)[number];
  /** What delivers hires that do not say it. */
  delivery: (typeof DELIVERIES)[number];
}

/** Returns the policy of escrow from the settings. */
export const escrowPolicy = (config: Config): EscrowPolicy => ({
  acceptMs: escrowSettings.acceptHours.in(config) * 3_600_000,
  standstillGraceMs: escrowSettings.standstillGraceHours.in(config) * 3_600_000,
  disputeMs: escrowSettings.disputeDays.in(config) * 86_400_000,
  disputeDefault: escrowSettings.disputeDefault.in(config),
  delivery: escrowSettings.delivery.in(config),
});
