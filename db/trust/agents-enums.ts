/**
 * The values of enumeration columns of agents. They are in a separate file because only stores may import the
 * tables.
 */

export const AGENT_STATES = ['ISSUED', 'REVOKED'] as const;
export const PHOTO_TYPES = ['image/png', 'image/jpeg', 'image/webp', 'image/gif'] as const;
