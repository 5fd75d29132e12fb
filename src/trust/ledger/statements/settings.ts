import type { Config } from '../../../platform/config/setting.ts';
import { integer } from '../../../platform/config/setting.ts';

/** Settings for monthly statements. */
export const statementsSettings = {
  builds: integer('limits.statements', 1, 1_000_000, {
    description: 'statements that are added up per operator per minute; kept ones do not count',
    fallback: 60,
  }),
};

/** The settings of statements in the units of the code. */
export interface StatementsPolicy {
  /** The months that are added up for one operator per minute; null for no limit. */
  monthsPerMinute: number | null;
}

/** Returns the policy of statements. @param areRatesLimited false for no limits of rates */
export function statementsPolicy(config: Config, areRatesLimited: boolean): StatementsPolicy {
  return { monthsPerMinute: areRatesLimited ? statementsSettings.builds.in(config) : null };
}
