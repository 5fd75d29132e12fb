import { createHmac, randomBytes } from 'node:crypto';
import type { Transaction } from '../../store/transaction.ts';
import { provisionKey, putProvisionKey } from './store.ts';

/** Returns the keyed hash of an address or a network, 64 hexadecimal characters. */
export async function keyedHashIn(tx: Transaction, text: string): Promise<string> {
  const stored = await provisionKey(tx);
  const key = stored ?? randomBytes(32).toString('hex');
  if (stored === null) await putProvisionKey(tx, { key });
  return createHmac('sha256', Buffer.from(key, 'hex')).update(text).digest('hex');
}
