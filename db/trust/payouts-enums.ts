/**
 * The states of a payout. queued: its credits are locked. submitted: a rail may have paid it. confirmed: it was paid. failed: its credits
 * were returned.
 */
export const PAYOUT_STATUSES = ['queued', 'submitted', 'confirmed', 'failed'] as const;
export type PayoutStatus = (typeof PAYOUT_STATUSES)[number];
/** The ways in which payouts are paid. `manual`: by an administrator, outside of the service. */
export const PAYOUT_RAILS = ['manual', 'evm'] as const;
export type PayoutRailName = (typeof PAYOUT_RAILS)[number];
/** Why a payout waits for an administrator. `restored`: the database is a restored backup, so the payout may have been paid since. */
export const PAYOUT_HOLDS = ['restored', 'administrator'] as const;
