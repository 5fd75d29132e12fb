import type { SlashedTranche } from '../../../../db/trust/slashing-enums.ts';
import type { Config } from '../../../platform/config/setting.ts';
import { integer } from '../../../platform/config/setting.ts';

const percent = (tranche: SlashedTranche, fallback: number) =>
  integer(`slashing.percent.${tranche.toLowerCase()}`, 0, 100, {
    description: `percentage of the operator's stake that a receipt finalized with ${tranche} takes, rounded up to whole cents`,
    fallback,
  });

/** Settings for the share of the stake that a finalized failure takes, by tranche. */
export const slashingSettings = {
  DATA_LEAKAGE: percent('DATA_LEAKAGE', 10),
  SLA_BREACH: percent('SLA_BREACH', 5),
  LOGIC_DETECTION: percent('LOGIC_DETECTION', 2),
  COMPUTE_TIMEOUT: percent('COMPUTE_TIMEOUT', 1),
} satisfies Record<SlashedTranche, unknown>;

/** The settings of slashing in the units of the code. */
export interface SlashingPolicy {
  /** The percentage of the stake that a finalized failure takes. */
  slashingPercent: Readonly<Record<SlashedTranche, number>>;
}

/** Returns the policy of slashing from the settings. */
export const slashingPolicy = (config: Config): SlashingPolicy => ({
  slashingPercent: {
    DATA_LEAKAGE: slashingSettings.DATA_LEAKAGE.in(config),
    SLA_BREACH: slashingSettings.SLA_BREACH.in(config),
    LOGIC_DETECTION: slashingSettings.LOGIC_DETECTION.in(config),
    COMPUTE_TIMEOUT: slashingSettings.COMPUTE_TIMEOUT.in(config),
  },
});
