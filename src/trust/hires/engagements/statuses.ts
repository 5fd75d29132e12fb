import type { EscrowStatus } from '../../../../db/trust/escrow-enums.ts';

/** The statuses of escrow as ACP writes them. */
export const ACP_STATUSES = {
  HELD: 'held',
  DELIVERED: 'delivered',
  DISPUTED: 'disputed',
  PAID: 'paid',
  CANCELLED: 'cancelled',
  EXPIRED: 'expired',
  DECLINED: 'declined',
  RESOLVED: 'resolved',
} as const satisfies Record<EscrowStatus, string>;
