import type { SETTLEMENT_RAILS } from '../../../db/trust/payments-enums.ts';
import type { Config } from '../../platform/config/setting.ts';
import { integer, textMatching } from '../../platform/config/setting.ts';
import { LONGEST_HOLD } from '../ledger/lots/settings.ts';

/** A payment rail whose settlements the service takes. */
export type SettlementRail = (typeof SETTLEMENT_RAILS)[number];

/** The beginning of a secret of Standard Webhooks. */
export const STANDARD_SECRET = 'whsec_';
const SECRET =
  /^(?:(?!whsec_)[!-~]{32,256}|whsec_(?:[A-Za-z0-9+/]{4}){8,62}(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?)$/;

/** The settings of a rail. @param name who signs its settlements */
const railSettings = (rail: SettlementRail, name: string) => ({
  secret: textMatching<null>(
    `payments.settlement.${rail}.secret`,
    SECRET,
    `is neither 32 to 256 visible ASCII characters, nor ${STANDARD_SECRET} and at least 24 bytes in base64`,
    {
      description: `the key of the HMAC with which ${name} signs settlements; without it they are refused`,
      fallback: null,
      secret: true,
    },
  ),
  maxCredits: integer(`payments.settlement.${rail}.max_credits`, 1, Number.MAX_SAFE_INTEGER, {
    description: 'the most credits of one settlement of this rail; a larger one waits for the administrator',
    fallback: 100_000,
  }),
  maxCreditsPerDay: integer(`payments.settlement.${rail}.max_credits_per_day`, 1, Number.MAX_SAFE_INTEGER, {
    description: 'the most credits that this rail settles in 24 hours',
    fallback: 1_000_000,
  }),
  holdDays: integer(`payments.settlement.${rail}.hold_days`, 0, LONGEST_HOLD, {
    description: 'the days for which credits that this rail settled cannot be withdrawn',
    fallback: 0,
  }),
});

/** The settings of settlements, by rail. */
export const paymentsSettings = {
  stripe_agent: railSettings('stripe_agent', 'Stripe agent payments'),
  visa_intelligent_commerce: railSettings('visa_intelligent_commerce', 'Visa Intelligent Commerce'),
  mastercard_agent_pay: railSettings('mastercard_agent_pay', 'Mastercard Agent Pay'),
  x402: railSettings('x402', 'your x402 facilitator (a notice, not the protocol x402)'),
};

const maxCreditsPerDay = integer('payments.settlement.max_credits_per_day', 1, Number.MAX_SAFE_INTEGER, {
  description: 'the most credits that all rails together settle in 24 hours',
  fallback: 2_000_000,
});

export const allPaymentsSettings = [
  ...Object.values(paymentsSettings).flatMap((settings) => Object.values(settings)),
  maxCreditsPerDay,
];

/** What a rail may settle. */
export interface RailPolicy {
  /** The key of the HMAC of its settlements; null for a rail that is not configured. */
  secret: string | null;
  /** In credits. */
  maxCredits: number;
  maxCreditsPerDay: number;
  /** The days from a settlement until its credits can be withdrawn. */
  holdDays: number;
}

/** The settings of payments in the units of the code. */
export interface PaymentsPolicy {
  settlementRails: Readonly<Record<SettlementRail, RailPolicy>>;
  /** Of all rails, in credits. */
  settlementsPerDay: number;
}

/** Returns the policy of payments from the settings. */
export const paymentsPolicy = (config: Config): PaymentsPolicy => {
  const policyOf = (rail: SettlementRail): RailPolicy => {
    const settings = paymentsSettings[rail];
    return {
      secret: settings.secret.in(config),
      maxCredits: settings.maxCredits.in(config),
      maxCreditsPerDay: settings.maxCreditsPerDay.in(config),
      holdDays: settings.holdDays.in(config),
    };
  };
  return {
    settlementRails: {
      stripe_agent: policyOf('stripe_agent'),
      visa_intelligent_commerce: policyOf('visa_intelligent_commerce'),
      mastercard_agent_pay: policyOf('mastercard_agent_pay'),
      x402: policyOf('x402'),
    },
    settlementsPerDay: maxCreditsPerDay.in(config),
  };
};
