import type { Config } from '../../../platform/config/setting.ts';
import { integer } from '../../../platform/config/setting.ts';

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
};

/** The settings of escrow in the units of the code. */
export interface EscrowPolicy {
  /** The time after a delivery in which the hirer can accept, in milliseconds. */
  acceptMs: number;
  /** How long a HELD hire stands still before its credits return to the hirer, in milliseconds. */
  standstillGraceMs: number;
}

/** Returns the policy of escrow from the settings. */
export const escrowPolicy = (config: Config): EscrowPolicy => ({
  acceptMs: escrowSettings.acceptHours.in(config) * 3_600_000,
  standstillGraceMs: escrowSettings.standstillGraceHours.in(config) * 3_600_000,
});
