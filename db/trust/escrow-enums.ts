/**
 * The states of escrow. HELD: the credits are locked. DELIVERED: the worker's evidence names the task.
 * DISPUTED: the hirer does not agree. The others end it: PAID by an acceptance or by time, CANCELLED by
 * either side, EXPIRED by its deadline, DECLINED by the worker, RESOLVED by a decision of the dispute.
 */
export const ESCROW_STATUSES = [
  'HELD',
  'DELIVERED',
  'DISPUTED',
  'PAID',
  'CANCELLED',
  'EXPIRED',
  'DECLINED',
  'RESOLVED',
] as const;
export type EscrowStatus = (typeof ESCROW_STATUSES)[number];
/** The protocols that lock credits for a task. */
export const ESCROW_PURPOSES = ['engagement', 'acp', 'a2a'] as const;
/**
 * What delivers a task. any: evidence with the service token, or what the worker itself delivers. worker:
 * only the latter.
 */
export const DELIVERIES = ['any', 'worker'] as const;
/** Who sent the evidence that delivered a task. `service`: the holder of the service token. */
export const ATTESTERS = ['worker', 'service'] as const;
/** What becomes of a dispute that nobody decides: the worker is paid, or the hirer has its credits back. */
export const DISPUTE_DEFAULTS = ['pay', 'refund'] as const;
/** Who ended escrow. `service`: the scheduler. */
export const ESCROW_ENDERS = ['hirer', 'worker', 'administrator', 'service', 'arbiter'] as const;
/**
 * What the scheduler does for hires. `revoked`: refund HELD escrow of a revoked party. `still`: refund HELD
 * hires that stood still for too long. `resumed`: let time end hires again.
 */
export const ESCROW_STEPS = ['revoked', 'still', 'resumed'] as const;
