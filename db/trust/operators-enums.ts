/**
 * The values of enumeration columns of operators and their keys. They are in a separate file because only
 * stores may import the tables.
 */

export const ACCOUNT_STATUSES = ['ACTIVE', 'SUSPENDED', 'CLOSED'] as const;
export const ROLES = ['issuer', 'holder'] as const;
export const PLANS = ['FREE', 'PRO'] as const;
