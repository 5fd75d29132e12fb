/** The values that columns of operators and their keys may have. They stand apart from the tables, which only stores import. */

export const ACCOUNT_STATUSES = ['ACTIVE', 'SUSPENDED', 'CLOSED'] as const;
export const ROLES = ['issuer', 'holder'] as const;
export const PLANS = ['FREE', 'PRO'] as const;
