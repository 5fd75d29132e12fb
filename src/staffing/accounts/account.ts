import type { Snapshot } from '../../platform/store/transaction.ts';
import type { Principal } from '../http/principal.ts';
import { type PartnerRow, partnerBySeq } from './store.ts';

/** Returns the owner's view of an account. */
function accountView({ partnerId, name, email, createdAt }: PartnerRow) {
  return { partner_id: partnerId, name, email, created_at: createdAt };
}

/** Returns the owner's view of the account of a principal. */
export async function accountIn(snapshot: Snapshot, { partnerSeq }: Pick<Principal, 'partnerSeq'>) {
  const partner = await partnerBySeq(snapshot, partnerSeq);
  if (partner === null) throw new Error('a key without its partner');
  return accountView(partner);
}

/** Returns the public id of a partner. */
export async function partnerIdIn(snapshot: Snapshot, partnerSeq: number): Promise<string> {
  const partner = await partnerBySeq(snapshot, partnerSeq);
  if (partner === null) throw new Error('a row without its partner');
  return partner.partnerId;
}
