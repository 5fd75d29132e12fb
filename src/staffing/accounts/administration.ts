import { Type } from '@sinclair/typebox';
import { SCOPES, type Tier } from '../../../db/staffing/accounts.ts';
import { timestamp } from '../../platform/clock.ts';
import { positionNumber } from '../../platform/http/cursor.ts';
import type { Paging } from '../../platform/http/page.ts';
import type { Snapshot, Transaction } from '../../platform/store/transaction.ts';
import type { Desk } from '../context.ts';
import { staffingError } from '../dialect.ts';
import { countJobsIn } from '../jobs/service.ts';
import { listAnswer, pageRequest } from '../list.ts';
import { createKeyIn, keyView, revokeIn } from './service.ts';
import { accountSql, type PartnerRow } from './store.ts';

/** The list of all partners: by sequence number. */
const PARTNERS = { name: 'admin partners', position: Type.Tuple([positionNumber]) };

/** A partner as the operator of the service sees it. */
function partnerView(snapshot: Snapshot, row: PartnerRow) {
  const { partnerSeq, partnerId, name, email, createdAt, promotedAt, closedAt } = row;
  return {
    partner_id: partnerId,
    name,
    email,
    created_at: createdAt,
    promoted_at: promotedAt,
    closed_at: closedAt,
    keys: accountSql(snapshot).allKeys.all({ partnerSeq }).map(keyView),
    stored_requisitions: {
      sandbox: countJobsIn(snapshot, { partnerSeq, mode: 'sandbox' }),
      live: countJobsIn(snapshot, { partnerSeq, mode: 'live' }),
    },
  };
}

/** A page of all partners, newest first. @throws ApiError INVALID_CURSOR */
export async function listPartners({ store, cursors }: Desk, query: Paging) {
  const pages = cursors.of(PARTNERS, []);
  const { rows, after = [Number.MAX_SAFE_INTEGER] } = pageRequest(query, pages);
  const [below] = after;
  return store.read((snapshot) =>
    listAnswer(
      accountSql(snapshot).partners.all({ below, rows: rows + 1 }),
      rows,
      (row) => partnerView(snapshot, row),
      ({ partnerSeq }) => pages.write([partnerSeq]),
    ),
  );
}

/** Gives a partner its first live key; its id and its sandbox stay. @throws ApiError NOT_FOUND, INVALID_STATE */
export async function promote(desk: Desk, partnerId: string) {
  return desk.store.writeAsService((tx) => {
    const { partnerSeq, promotedAt } = known(tx, partnerId);
    if (promotedAt !== null) {
      throw staffingError('INVALID_STATE', {
        message: 'The partner is live already; make it a further key.',
      });
    }
    accountSql(tx).setPromoted.run({ partnerSeq, promotedAt: timestamp(desk.clock) });
    accountSql(tx).setClosed.run({ partnerSeq, closedAt: null });
    return createKeyIn(tx, desk.clock, partnerSeq, { tier: 'live', scopes: SCOPES });
  });
}

/** Makes a key for a partner who lost one. @throws ApiError NOT_FOUND, INVALID_STATE, KEY_LIMIT_REACHED */
export async function makeKey(desk: Desk, partnerId: string, tier: Tier) {
  return desk.store.writeAsService((tx) => {
    const { partnerSeq, promotedAt } = known(tx, partnerId);
    accountSql(tx).setClosed.run({ partnerSeq, closedAt: null });
    if (tier === 'live' && promotedAt === null) {
      throw staffingError('INVALID_STATE', { message: 'The partner is not live: promote it first.' });
    }
    return createKeyIn(tx, desk.clock, partnerSeq, { tier, scopes: SCOPES });
  });
}

/** Revokes one key of a partner, or all of them, for the very next request; then only the operator makes it another. @throws ApiError NOT_FOUND */
export async function revokeKeys(desk: Desk, partnerId: string, keyId: string | null) {
  return desk.store.writeAsService((tx) => {
    const partner = known(tx, partnerId);
    const keys = accountSql(tx).allKeys.all({ partnerSeq: partner.partnerSeq });
    const meant = keys.filter((key) => keyId === null || key.keyId === keyId);
    if (meant.length === 0 && keyId !== null) {
      throw staffingError('NOT_FOUND', { message: 'The partner has no key with this id.' });
    }
    for (const key of meant) if (key.revokedAt === null) revokeIn(tx, desk, key);
    if (keyId === null) {
      const { partnerSeq } = partner;
      accountSql(tx).setClosed.run({ partnerSeq, closedAt: timestamp(desk.clock) });
    }
    return partnerView(tx, known(tx, partnerId));
  });
}

function known(tx: Transaction, partnerId: string): PartnerRow {
  const row = /^ptr_[0-9a-f]{32}$/.test(partnerId)
    ? accountSql(tx).partnerById.get({ partnerId })
    : undefined;
  if (row === undefined) {
    throw staffingError('NOT_FOUND', { message: `There is no partner ${partnerId}; see partners list.` });
  }
  return row;
}
