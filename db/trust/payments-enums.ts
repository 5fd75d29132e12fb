/** The payment rails whose settlements the service takes. */
export const SETTLEMENT_RAILS = [
  'stripe_agent',
  'visa_intelligent_commerce',
  'mastercard_agent_pay',
  'x402',
] as const;
