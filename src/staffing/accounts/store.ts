import { partner, partnerKey, secret, usageDay } from '../../../db/staffing/accounts.ts';
import { sqlOf } from '../../platform/store/sql.ts';
import { runQuery, type Snapshot, type Transaction } from '../../platform/store/transaction.ts';

/** A partner: the holder of an account. */
export type PartnerRow = typeof partner.$inferSelect;

/** A key of a partner; only its hash is stored. */
export type KeyRow = typeof partnerKey.$inferSelect;

/** The number of requests of a partner with the keys of a tier on a day (UTC, such as 2030-01-31). */
export type UsageRow = typeof usageDay.$inferSelect;

const sql = sqlOf({ partner, partnerKey, secret, usageDay });

/** Stores a partner. @throws DuplicateRow when the address is already used */
export const insertPartner = sql.insertRow(partner, { without: ['partnerSeq', 'promotedAt', 'closedAt'] });

export const partnerById = sql.row(partner)`WHERE partner_id = ${'partnerId'}`;

export const partnerBySeq = sql.row(partner)`WHERE partner_seq = ${'partnerSeq'}`;

export const partnerByEmail = sql.row(partner)`WHERE email = ${'email'}`;

/** Returns up to `limit` partners with a sequence number less than `below`, newest first. */
export const partnersBelow = sql.rows(partner)`
  WHERE partner_seq < ${'below:partnerSeq'} ORDER BY partner_seq DESC LIMIT ${'limit'}`;

/** Stores when a partner became live, unless it is already stored. `promotedAt`: RFC 3339. */
export const setPromoted = sql.run`
  UPDATE partner SET promoted_at = ${'promotedAt'}
  WHERE partner_seq = ${'partnerSeq'} AND promoted_at IS NULL`;

/** Stores when an account was closed; null reopens it. `closedAt`: RFC 3339. */
export const setClosed = sql.update(partner, ['closedAt'])`WHERE partner_seq = ${'partnerSeq'}`;

export const insertKey = sql.insert(partnerKey, { without: ['revokedAt'] });

/** Returns the key with a hash, and its partner's id; null when there is none. */
export const keyByHash = sql.joined({ key: partnerKey, partnerId: partner.partnerId }).row`
  FROM partner_key JOIN partner USING (partner_seq) WHERE key_hash = ${'keyHash'}`;

const ownKey = sql.row(partnerKey)`WHERE key_id = ${'keyId'} AND partner_seq = ${'partnerSeq'}`;

/** Returns a key of a partner; null when it has none with this id. */
export async function keyOf(snapshot: Snapshot, partnerSeq: number, keyId: string): Promise<KeyRow | null> {
  return /^key_[0-9a-f]{32}$/.test(keyId) ? ownKey(snapshot, { partnerSeq, keyId }) : null;
}

/** The keys of a partner in a tier. */
export type KeyOwner = Pick<KeyRow, 'partnerSeq' | 'tier'>;

/** The position of a key in a list. */
export type KeyPosition = Pick<KeyRow, 'createdAt' | 'keyId'>;

/** The position before all keys, where the first page begins. */
const NEWEST: KeyPosition = { createdAt: '~', keyId: `key_${'0'.repeat(32)}` };

const keyPage = sql.rows(partnerKey)`
  WHERE partner_seq = ${'partnerSeq'} AND tier = ${'tier'}
    AND (created_at, key_id) < (${'createdAt'}, ${'keyId'})
  ORDER BY created_at DESC, key_id DESC LIMIT ${'limit'}`;

/** Returns a page of the keys of an owner, newest first. */
export function keysAfter(
  snapshot: Snapshot,
  { partnerSeq, tier }: KeyOwner,
  { createdAt, keyId }: KeyPosition = NEWEST,
  limit: number,
): Promise<KeyRow[]> {
  return keyPage(snapshot, { partnerSeq, tier, createdAt, keyId, limit });
}

/** Returns the active keys of an owner, at most two since a trigger refuses a third one, newest first. */
export const activeKeysOf = sql.rows(partnerKey)`
  WHERE partner_seq = ${'partnerSeq'} AND tier = ${'tier'} AND revoked_at IS NULL
  ORDER BY created_at DESC, key_id DESC`;

/** Stores when a key was revoked, unless it is already revoked. `revokedAt`: RFC 3339. */
export const setRevoked = sql.run`
  UPDATE partner_key SET revoked_at = ${'revokedAt'} WHERE key_id = ${'keyId'} AND revoked_at IS NULL`;

const addDay = sql.insert(usageDay, {
  end: `ON CONFLICT (partner_seq, tier, day)
  DO UPDATE SET requests = usage_day.requests + excluded.requests`,
});

/** Adds requests to the stored usage of the same partners, tiers and days. */
export function addUsage(tx: Transaction, rows: readonly UsageRow[]): Promise<void> {
  return runQuery(tx, (connection) => {
    for (const row of rows) addDay.on(connection, row);
  });
}

/** Returns a partner's usage with the keys of a tier, one row per day. */
export const usageOf = sql.rows(usageDay)`WHERE partner_seq = ${'partnerSeq'} AND tier = ${'tier'}`;

/** Returns a secret of the service; null when it is not stored. */
export const secretNamed = sql.value(sql.bytes`value`)`FROM secret WHERE name = ${'name:secret.name'}`;

/** Stores a secret of the service, and replaces the previous one with this name. */
export const putSecret = sql.run`
  INSERT INTO secret (name, value) VALUES (${'name:secret.name'}, ${'value:bytes'})
  ON CONFLICT (name) DO UPDATE SET value = excluded.value`;
