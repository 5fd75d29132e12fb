import { TIERS } from '../../../../db/staffing/accounts-enums.ts';
import type { Snapshot, Transaction } from '../../../platform/store/transaction.ts';
import { commonErrors } from '../../http/errors.ts';
import { countRequisitionsIn } from '../../requisitions/count.ts';
import { keyView } from '../key-view.ts';
import { activeKeysOf, type KeyRow, keysAfter, type PartnerRow, partnerById } from '../store.ts';

/** The keys of a tier that the administrator sees besides the active ones. */
const NEWEST_KEYS = 10;

/**
 * Returns the active keys of a partner and the newest others of each tier, by tier, oldest first: a partner
 * can revoke any number.
 */
async function keysIn(snapshot: Snapshot, partnerSeq: number): Promise<KeyRow[]> {
  const keys: KeyRow[] = [];
  for (const tier of TIERS.toSorted()) {
    const newest = await keysAfter(snapshot, { partnerSeq, tier }, undefined, NEWEST_KEYS);
    const active = await activeKeysOf(snapshot, { partnerSeq, tier });
    const older = active.filter(({ keyId }) => newest.every((key) => key.keyId !== keyId));
    keys.push(...[...newest, ...older].toReversed());
  }
  return keys;
}

/** Returns a partner as the administrator sees it. */
export async function partnerView(snapshot: Snapshot, row: PartnerRow) {
  const { partnerSeq, partnerId, name, email, createdAt, promotedAt, closedAt } = row;
  return {
    partner_id: partnerId,
    name,
    email,
    created_at: createdAt,
    promoted_at: promotedAt,
    closed_at: closedAt,
    keys: (await keysIn(snapshot, partnerSeq)).map(keyView),
    stored_requisitions: {
      sandbox: await countRequisitionsIn(snapshot, { partnerSeq, mode: 'sandbox' }),
      live: await countRequisitionsIn(snapshot, { partnerSeq, mode: 'live' }),
    },
  };
}

/** Returns the partner with an id. @throws ApiError NOT_FOUND */
export async function partnerNamed(tx: Transaction, partnerId: string): Promise<PartnerRow> {
  const row = /^ptr_[0-9a-f]{32}$/.test(partnerId) ? await partnerById(tx, partnerId) : null;
  if (row === null) {
    throw commonErrors.NOT_FOUND({
      message: `There is no partner ${partnerId}. See countersign partners list.`,
    });
  }
  return row;
}
