/**
 * The states of a payout. queued: its credits are locked. submitted: a rail may have paid it. confirmed: it
 * was paid. failed: its credits were returned.
 */
export const PAYOUT_STATUSES = ['queued', 'submitted', 'confirmed', 'failed'] as const;
export type PayoutStatus = (typeof PAYOUT_STATUSES)[number];
/** The ways in which payouts are paid. `manual`: by an administrator, outside of the service. */
export const PAYOUT_RAILS = ['manual', 'evm'] as const;
export type PayoutRailName = (typeof PAYOUT_RAILS)[number];
/**
 * Why a payout waits for an administrator. `restored`: the database is a restored backup, so the payout may
 * have been paid since. `gas`: its transaction needs more gas than the settings allow. `failure`: a node of
 * the chain says that it failed, which is not enough to return its credits.
 */
export const PAYOUT_HOLDS = ['restored', 'administrator', 'gas', 'failure'] as const;
export type PayoutHold = (typeof PAYOUT_HOLDS)[number];
/** What a custodial wallet sends: the token of payouts, or the coin of the chain. */
export const TRANSFER_ASSETS = ['token', 'native'] as const;
export type TransferAsset = (typeof TRANSFER_ASSETS)[number];
/**
 * The states of a transfer. open: it is sent, or will be. confirmed: it is final on the chain. failed: it
 * never was and never will be.
 */
export const TRANSFER_STATUSES = ['open', 'confirmed', 'failed'] as const;
/** What a transaction of a transfer does: send it, or give its wallet coins for the gas. */
export const TRANSACTION_PURPOSES = ['send', 'gas'] as const;
export type TransactionPurpose = (typeof TRANSACTION_PURPOSES)[number];
