import type { EscrowStatus } from '../../../../db/trust/escrow-enums.ts';
import type { Tone } from '../../../platform/page/parts.ts';

/** The tones of the statuses of engagements, whose words say the same. */
export const STATUS_TONES: Readonly<Record<EscrowStatus, Tone>> = {
  HELD: 'info',
  DELIVERED: 'warn',
  DISPUTED: 'bad',
  PAID: 'good',
  RESOLVED: 'good',
  CANCELLED: '',
  EXPIRED: '',
  DECLINED: '',
};
