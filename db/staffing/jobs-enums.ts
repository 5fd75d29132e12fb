/** The values that columns of requisitions may have. They stand apart from the tables, which only stores import. */

export const STATUSES = ['submitted', 'open', 'on_hold', 'filled', 'cancelled', 'closed'] as const;
export type Status = (typeof STATUSES)[number];
export const SHIFTS = ['day', 'night', 'evening', 'rotating'] as const;
export const EMPLOYMENT_TYPES = ['travel', 'per_diem', 'locum', 'perm'] as const;
