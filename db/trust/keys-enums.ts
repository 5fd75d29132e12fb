/** The values that columns of signing keys may have. They stand apart from the tables, which only stores import. */

export const KEY_PURPOSES = ['receipts', 'log', 'credentials'] as const;
export const KEY_ALGORITHMS = ['Ed25519', 'ML-DSA-44'] as const;
export const KEY_STATUSES = ['next', 'active', 'retired', 'compromised'] as const;
