/**
 * The values that columns of requisitions may have. They are in a separate file because only stores may
 * import the tables.
 */

export const STATUSES = ['submitted', 'open', 'on_hold', 'filled', 'cancelled', 'closed'] as const;
export type Status = (typeof STATUSES)[number];
export const SHIFTS = ['day', 'night', 'evening', 'rotating'] as const;
export const EMPLOYMENT_TYPES = ['travel', 'per_diem', 'locum', 'perm'] as const;
