/**
 * The states of escrow. HELD: the credits are locked. DELIVERED: the worker's evidence names the task. PAID,
 * CANCELLED and EXPIRED end it.
 */
export const ESCROW_STATUSES = ['HELD', 'DELIVERED', 'PAID', 'CANCELLED', 'EXPIRED'] as const;
export type EscrowStatus = (typeof ESCROW_STATUSES)[number];
/** The protocols that lock credits for a task. */
export const ESCROW_PURPOSES = ['engagement', 'acp', 'a2a'] as const;
/** Who ended escrow. `service`: the scheduler. */
export const ESCROW_ENDERS = ['hirer', 'worker', 'administrator', 'service'] as const;
