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
/**
 * What the scheduler does for hires. `revoked`: refund HELD escrow of a revoked party. `still`: refund HELD
 * hires that stood still for too long. `resumed`: let time end hires again.
 */
export const ESCROW_STEPS = ['revoked', 'still', 'resumed'] as const;
