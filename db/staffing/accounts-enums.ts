/** The values that columns of partners and their keys may have. They stand apart from the tables, which only stores import. */

export const TIERS = ['sandbox', 'live'] as const;
export const SCOPES = ['registry:read', 'jobs:read', 'jobs:write'] as const;
export type Tier = (typeof TIERS)[number];
export type Scope = (typeof SCOPES)[number];
