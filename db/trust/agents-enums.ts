/** The values that columns of agents may have. They stand apart from the tables, which only stores import. */

export const AGENT_STATES = ['ISSUED', 'REVOKED'] as const;
export const PHOTO_TYPES = ['image/png', 'image/jpeg', 'image/webp', 'image/gif'] as const;
