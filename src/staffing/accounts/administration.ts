import { Type } from '@sinclair/typebox';
import { SCOPES, TIERS, type Tier } from '../../../db/staffing/accounts-enums.ts';
import { positionNumber } from '../../platform/http/pagination/cursor.ts';
import type { Paging } from '../../platform/http/pagination/page.ts';
import type { Snapshot, Transaction } from '../../platform/store/transaction.ts';
import { timestamp } from '../../platform/time/clock.ts';
import { commonErrors } from '../http/errors.ts';
import { listResponse, pageRequest } from '../http/paging.ts';
import { countRequisitionsIn } from '../requisitions/service.ts';
import { type Accounts, createKeyIn, keyView, revokeIn } from './service.ts';
import {
  activeKeysOf,
  type KeyRow,
  keyOf,
  keysAfter,
  type PartnerRow,
  partnerById,
  partnersBelow,
  setClosed,
  setPromoted,
} from './store.ts';

/** The cursor of the list of all partners: a sequence number. */
const PARTNERS = { name: 'admin partners', position: Type.Tuple([positionNumber]) };

/** The keys of a tier that the administrator sees besides the active ones. */
const NEWEST_KEYS = 10;

/** Returns the active keys of a partner and the newest others of each tier, by tier, oldest first: a partner can revoke any number. */
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
async function partnerView(snapshot: Snapshot, row: PartnerRow) {
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

/** Returns a page of all partners, newest first. @throws ApiError INVALID_CURSOR */
export async function listPartners({ store, cursors }: Pick<Accounts, 'store' | 'cursors'>, query: Paging) {
  const request = pageRequest(query, cursors.of(PARTNERS, []));
  const { limit, after = [Number.MAX_SAFE_INTEGER] } = request;
  const [below] = after;
  return store.read(async (snapshot) =>
    listResponse(
      request,
      await partnersBelow(snapshot, below, limit + 1),
      (row) => partnerView(snapshot, row),
      ({ partnerSeq }) => [partnerSeq],
    ),
  );
}

/** Promotes a partner to live and creates its first live key. The partner keeps its id and its sandbox. @throws ApiError NOT_FOUND, INVALID_STATE */
export async function promote(
  { store, clock, ids }: Pick<Accounts, 'store' | 'clock' | 'ids'>,
  partnerId: string,
) {
  return store.writeAsService(async (tx) => {
    const { partnerSeq, promotedAt } = await known(tx, partnerId);
    if (promotedAt !== null) {
      throw commonErrors.INVALID_STATE({
        message:
          'The partner is already live. To replace a lost key, run countersign partners key with --tier live.',
      });
    }
    await setPromoted(tx, partnerSeq, timestamp(clock));
    await setClosed(tx, partnerSeq, null);
    return createKeyIn(tx, { clock, ids }, partnerSeq, { tier: 'live', scopes: SCOPES });
  });
}

/** Creates a key for a partner who lost one. @throws ApiError NOT_FOUND, INVALID_STATE, KEY_LIMIT_REACHED */
export async function createKeyFor(
  { store, clock, ids }: Pick<Accounts, 'store' | 'clock' | 'ids'>,
  partnerId: string,
  tier: Tier,
) {
  return store.writeAsService(async (tx) => {
    const { partnerSeq, promotedAt } = await known(tx, partnerId);
    await setClosed(tx, partnerSeq, null);
    if (tier === 'live' && promotedAt === null) {
      throw commonErrors.INVALID_STATE({ message: 'The partner is not live. Promote it first.' });
    }
    return createKeyIn(tx, { clock, ids }, partnerSeq, { tier, scopes: SCOPES });
  });
}

/**
 * Revokes one key of a partner, or all keys with `keyId` null, with immediate effect. Revoking all closes the account: only the
 * administrator can then create a key. @throws ApiError NOT_FOUND
 */
export async function revokeKeys(
  accounts: Pick<Accounts, 'store' | 'clock' | 'principals'>,
  partnerId: string,
  keyId: string | null,
) {
  return accounts.store.writeAsService(async (tx) => {
    const { partnerSeq } = await known(tx, partnerId);
    for (const key of await meantKeys(tx, partnerSeq, keyId))
      if (key.revokedAt === null) await revokeIn(tx, accounts, key);
    if (keyId === null) await setClosed(tx, partnerSeq, timestamp(accounts.clock));
    return partnerView(tx, await known(tx, partnerId));
  });
}

/** Returns the key with an id, or with null all active keys of a partner. @throws ApiError NOT_FOUND */
async function meantKeys(tx: Transaction, partnerSeq: number, keyId: string | null): Promise<KeyRow[]> {
  if (keyId === null)
    return [
      ...(await activeKeysOf(tx, { partnerSeq, tier: 'sandbox' })),
      ...(await activeKeysOf(tx, { partnerSeq, tier: 'live' })),
    ];
  const key = await keyOf(tx, partnerSeq, keyId);
  if (key === null) {
    throw commonErrors.NOT_FOUND({
      message: 'The partner has no key with this id. List its keys first.',
    });
  }
  return [key];
}

async function known(tx: Transaction, partnerId: string): Promise<PartnerRow> {
  const row = /^ptr_[0-9a-f]{32}$/.test(partnerId) ? await partnerById(tx, partnerId) : null;
  if (row === null) {
    throw commonErrors.NOT_FOUND({
      message: `There is no partner ${partnerId}. See countersign partners list.`,
    });
  }
  return row;
}
