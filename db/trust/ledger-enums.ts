/**
 * The classes of credits, in the order in which debits take them. Sandbox credits are never mixed with the
 * others.
 */
export const CREDIT_CLASSES = ['promotional', 'paid', 'sandbox'] as const;
/** What the ledger counts: credits of each class, US cents, and the cents that sandbox money paid. */
export const ASSETS = [...CREDIT_CLASSES, 'cents', 'sandbox_cents'] as const;
/**
 * The kinds of accounts. `issuance` is where credits and cents come from, so it is negative. `pool` and
 * `stake` belong to an operator, `agent` (available) and `locked` (escrow and reserved withdrawals) to an
 * agent. `revenue` has what was charged, `slashed` what was taken from stakes. `receivable` is below zero by
 * what an operator owes. `unclaimed` has the credits of revoked agents that had no sponsor.
 */
export const ACCOUNT_KINDS = [
  'issuance',
  'pool',
  'agent',
  'locked',
  'revenue',
  'stake',
  'slashed',
  'receivable',
  'unclaimed',
] as const;
export const MOVEMENT_KINDS = [
  'OPERATOR_GRANT',
  'TASK_PAYMENT',
  'PEER_GIFT',
  'LOCK',
  'UNLOCK',
  'ESCROW_RELEASE',
  'METER',
  'SPEND',
  'SETTLEMENT',
  'WITHDRAWAL',
  'SLASH',
  'ADJUSTMENT',
] as const;
/** The kinds of entries in journals. What a pool had before it had a journal is its `OPENING`. */
export const ENTRY_KINDS = [...MOVEMENT_KINDS, 'OPENING'] as const;
/** The access tiers of agents and operators, highest first. */
export const TIERS = ['FULL', 'LIMITED', 'SANDBOXED', 'SHELTERED', 'SUSPENDED'] as const;
