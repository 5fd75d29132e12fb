/** The error tranches that take stake. */
export const SLASHED_TRANCHES = ['DATA_LEAKAGE', 'SLA_BREACH', 'LOGIC_DETECTION', 'COMPUTE_TIMEOUT'] as const;
export type SlashedTranche = (typeof SLASHED_TRANCHES)[number];
