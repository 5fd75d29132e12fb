/**
 * The values of enumeration columns of signing keys. They are in a separate file because only stores may
 * import the tables.
 */

export const KEY_ALGORITHMS = ['Ed25519', 'ML-DSA-44'] as const;
export const KEY_STATUSES = ['next', 'active', 'retired', 'compromised'] as const;
