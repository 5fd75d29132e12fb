/**
 * The values that columns of partners and their keys may have. They are in a separate file because only
 * stores may import the tables.
 */

export const TIERS = ['sandbox', 'live'] as const;
export const SCOPES = ['registry:read', 'jobs:read', 'jobs:write'] as const;
export type Tier = (typeof TIERS)[number];
export type Scope = (typeof SCOPES)[number];
