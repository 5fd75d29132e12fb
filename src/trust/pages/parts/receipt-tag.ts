import type { Html } from '../../../platform/page/html.ts';
import { type Tone, tag } from '../../../platform/page/parts.ts';
import { nameOf } from '../../../platform/page/words.ts';
import type { ReceiptStatus, RevocationStatus } from '../../../proof/receipt/receipt.ts';

/** The tones of statuses that are no failure. */
const TONES: Readonly<Partial<Record<ReceiptStatus, Tone>>> = {
  success: 'good',
  pending: 'info',
  refusal: 'warn',
  null: 'warn',
};

/** Returns the state of a receipt in a word: revoked, or its status. */
export function receiptTag(status: ReceiptStatus, revocation: RevocationStatus): Html {
  return revocation === 'revoked' ? tag('revoked', 'bad') : tag(nameOf(status), TONES[status] ?? 'bad');
}
