import type { SETTLEMENT_RAILS } from '../../../db/trust/payments-enums.ts';
import type { Config } from '../../platform/config/setting.ts';
import { textMatching } from '../../platform/config/setting.ts';

/** A payment rail whose settlements the service takes. */
export type SettlementRail = (typeof SETTLEMENT_RAILS)[number];

const secret = (rail: SettlementRail, name: string) =>
  textMatching<null>(
    `payments.settlement.${rail}.secret`,
    /^[!-~]{32,256}$/,
    'is not 32 to 256 visible ASCII characters',
    {
      description: `the key of the HMAC with which ${name} signs settlements; without it they are refused`,
      fallback: null,
      secret: true,
    },
  );

/** The secrets of settlements, by rail. */
export const paymentsSettings = {
  stripe_agent: secret('stripe_agent', 'Stripe agent payments'),
  visa_intelligent_commerce: secret('visa_intelligent_commerce', 'Visa Intelligent Commerce'),
  mastercard_agent_pay: secret('mastercard_agent_pay', 'Mastercard Agent Pay'),
  x402: secret('x402', 'an x402 facilitator'),
};

/** The settings of payments in the units of the code. */
export interface PaymentsPolicy {
  /** The keys of the HMAC of settlements, by rail; null for a rail that is not configured. */
  settlementSecrets: Readonly<Record<SettlementRail, string | null>>;
}

/** Returns the policy of payments from the settings. */
export const paymentsPolicy = (config: Config): PaymentsPolicy => ({
  settlementSecrets: {
    stripe_agent: paymentsSettings.stripe_agent.in(config),
    visa_intelligent_commerce: paymentsSettings.visa_intelligent_commerce.in(config),
    mastercard_agent_pay: paymentsSettings.mastercard_agent_pay.in(config),
    x402: paymentsSettings.x402.in(config),
  },
});
