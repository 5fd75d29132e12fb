/** The secret with which settlements of x402 are signed for the benchmark's server. */
export const SETTLEMENT_SECRET = 'x402-secret-of-the-benchmarks-01';
/** The secret with which events of Stripe are signed for it. */
export const STRIPE_SECRET = 'whsec_of_the_benchmarks';
