import type { Transaction } from '../../../platform/store/transaction.ts';
import { timestamp } from '../../../platform/time/clock.ts';
import type { Naming } from '../services.ts';
import { insertPartner, type PartnerRow } from '../store.ts';

/** Creates a partner without keys. @throws DuplicateRow when the address has an account */
export function createPartnerIn(
  tx: Transaction,
  { clock, ids }: Naming,
  email: string,
  name: string,
): Promise<PartnerRow> {
  return insertPartner(tx, { partnerId: ids.newId('ptr_'), name, email, createdAt: timestamp(clock) });
}
