/** The registry of a first start without data. */
export const SAMPLE = { clinicians: 20_000, seed: 20_260_101, asOf: '2026-01-01' } as const;
