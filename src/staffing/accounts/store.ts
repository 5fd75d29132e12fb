import { and, desc, eq, isNull, sql } from 'drizzle-orm';
import { partner, partnerKey, secret, usageDay } from '../../../db/staffing/accounts.ts';
import { bound, everyColumn } from '../../platform/store/columns.ts';
import { type Snapshot, statements, type Transaction } from '../../platform/store/transaction.ts';

const $ = sql.placeholder;

/** A partner: the holder of an account. */
export type PartnerRow = typeof partner.$inferSelect;

/** A key of a partner; only its hash is stored. */
export type KeyRow = typeof partnerKey.$inferSelect;

/** The number of requests of a partner with the keys of a tier on a day (UTC, such as 2030-01-31). */
export type UsageRow = typeof usageDay.$inferSelect;

/** The name of a secret of the service. */
type SecretName = (typeof secret.$inferSelect)['name'];

const ofTier = [
  eq(partnerKey.partnerSeq, bound(partnerKey.partnerSeq, 'partnerSeq')),
  eq(partnerKey.tier, bound(partnerKey.tier, 'tier')),
];
const newestFirst = [desc(partnerKey.createdAt), desc(partnerKey.keyId)] as const;

/** The position of a key in a list. */
export type KeyPosition = Pick<KeyRow, 'createdAt' | 'keyId'>;

/** The position before all keys, where the first page begins. */
const NEWEST: KeyPosition = { createdAt: '~', keyId: `key_${'0'.repeat(32)}` };

const query = statements((orm) => ({
  insertPartner: () =>
    orm
      .insert(partner)
      .values(everyColumn(partner, ['partnerSeq', 'promotedAt', 'closedAt']))
      .returning()
      .prepare(),
  partnerById: () =>
    orm
      .select()
      .from(partner)
      .where(eq(partner.partnerId, bound(partner.partnerId, 'partnerId')))
      .prepare(),
  partnerBySeq: () =>
    orm
      .select()
      .from(partner)
      .where(eq(partner.partnerSeq, bound(partner.partnerSeq, 'partnerSeq')))
      .prepare(),
  partnerByEmail: () =>
    orm
      .select()
      .from(partner)
      .where(eq(partner.email, bound(partner.email, 'email')))
      .prepare(),
  /** Partners with a sequence number less than `below`, newest first. */
  partners: () =>
    orm
      .select()
      .from(partner)
      .where(sql`${partner.partnerSeq} < ${$('below')}`)
      .orderBy(desc(partner.partnerSeq))
      .limit($('limit'))
      .prepare(),
  setPromoted: () =>
    orm
      .update(partner)
      .set({ promotedAt: sql`${$('promotedAt')}` })
      .where(and(eq(partner.partnerSeq, bound(partner.partnerSeq, 'partnerSeq')), isNull(partner.promotedAt)))
      .prepare(),
  setClosed: () =>
    orm
      .update(partner)
      .set({ closedAt: sql`${$('closedAt')}` })
      .where(eq(partner.partnerSeq, bound(partner.partnerSeq, 'partnerSeq')))
      .prepare(),
  insertKey: () =>
    orm
      .insert(partnerKey)
      .values(everyColumn(partnerKey, ['revokedAt']))
      .prepare(),
  /** The key with a hash, and its partner's id. */
  principal: () =>
    orm
      .select({ key: partnerKey, partnerId: partner.partnerId })
      .from(partnerKey)
      .innerJoin(partner, eq(partner.partnerSeq, partnerKey.partnerSeq))
      .where(eq(partnerKey.keyHash, bound(partnerKey.keyHash, 'keyHash')))
      .prepare(),
  key: () =>
    orm
      .select()
      .from(partnerKey)
      .where(
        and(
          eq(partnerKey.keyId, bound(partnerKey.keyId, 'keyId')),
          eq(partnerKey.partnerSeq, bound(partnerKey.partnerSeq, 'partnerSeq')),
        ),
      )
      .prepare(),
  keys: () =>
    orm
      .select()
      .from(partnerKey)
      .where(
        and(
          ...ofTier,
          sql`(${partnerKey.createdAt}, ${partnerKey.keyId}) < (+${$('createdAt')}, ${bound(partnerKey.keyId, 'keyId')})`,
        ),
      )
      .orderBy(...newestFirst)
      .limit($('limit'))
      .prepare(),
  /** At most two: a trigger refuses a third one. */
  activeKeys: () =>
    orm
      .select()
      .from(partnerKey)
      .where(and(...ofTier, isNull(partnerKey.revokedAt)))
      .orderBy(...newestFirst)
      .prepare(),
  revoke: () =>
    orm
      .update(partnerKey)
      .set({ revokedAt: sql`${$('revokedAt')}` })
      .where(and(eq(partnerKey.keyId, bound(partnerKey.keyId, 'keyId')), isNull(partnerKey.revokedAt)))
      .prepare(),
  addUsage: () =>
    orm
      .insert(usageDay)
      .values(everyColumn(usageDay))
      .onConflictDoUpdate({
        target: [usageDay.partnerSeq, usageDay.tier, usageDay.day],
        set: { requests: sql`${usageDay.requests} + excluded.requests` },
      })
      .prepare(),
  usage: () =>
    orm
      .select({
        partnerSeq: usageDay.partnerSeq,
        tier: usageDay.tier,
        day: usageDay.day,
        requests: usageDay.requests,
      })
      .from(usageDay)
      .where(
        and(
          eq(usageDay.partnerSeq, bound(usageDay.partnerSeq, 'partnerSeq')),
          eq(usageDay.tier, bound(usageDay.tier, 'tier')),
        ),
      )
      .prepare(),
  secret: () =>
    orm
      .select({ value: secret.value })
      .from(secret)
      .where(eq(secret.name, bound(secret.name, 'name')))
      .prepare(),
  setSecret: () =>
    orm
      .insert(secret)
      .values(everyColumn(secret))
      .onConflictDoUpdate({ target: secret.name, set: { value: sql`excluded.value` } })
      .prepare(),
}));

/** Stores a partner. @throws DuplicateRow when the address is already used */
export function insertPartner(
  tx: Transaction,
  row: Pick<PartnerRow, 'partnerId' | 'name' | 'email' | 'createdAt'>,
): Promise<PartnerRow> {
  return query(tx, (sql) => sql.insertPartner.get(row));
}

export function partnerById(snapshot: Snapshot, partnerId: string): Promise<PartnerRow | null> {
  return query(snapshot, (sql) => sql.partnerById.get({ partnerId }) ?? null);
}

export function partnerBySeq(snapshot: Snapshot, partnerSeq: number): Promise<PartnerRow | null> {
  return query(snapshot, (sql) => sql.partnerBySeq.get({ partnerSeq }) ?? null);
}

export function partnerByEmail(snapshot: Snapshot, email: string): Promise<PartnerRow | null> {
  return query(snapshot, (sql) => sql.partnerByEmail.get({ email }) ?? null);
}

/** Returns up to `limit` partners with a sequence number less than `below`, newest first. */
export function partnersBelow(snapshot: Snapshot, below: number, limit: number): Promise<PartnerRow[]> {
  return query(snapshot, (sql) => sql.partners.all({ below, limit }));
}

/** Stores when a partner became live, unless it is already stored. `promotedAt`: RFC 3339. */
export function setPromoted(tx: Transaction, partnerSeq: number, promotedAt: string): Promise<void> {
  return query(tx, (sql) => void sql.setPromoted.run({ partnerSeq, promotedAt }));
}

/** Stores when an account was closed; null reopens it. `closedAt`: RFC 3339. */
export function setClosed(tx: Transaction, partnerSeq: number, closedAt: string | null): Promise<void> {
  return query(tx, (sql) => void sql.setClosed.run({ partnerSeq, closedAt }));
}

export function insertKey(tx: Transaction, row: KeyRow): Promise<void> {
  return query(tx, (sql) => void sql.insertKey.run({ ...row }));
}

/** Returns the key with a hash, and its partner's id; null when there is none. */
export function keyByHash(
  snapshot: Snapshot,
  keyHash: string,
): Promise<{ key: KeyRow; partnerId: string } | null> {
  return query(snapshot, (sql) => sql.principal.get({ keyHash }) ?? null);
}

/** Returns a key of a partner; null when it has none with this id. */
export function keyOf(snapshot: Snapshot, partnerSeq: number, keyId: string): Promise<KeyRow | null> {
  if (!/^key_[0-9a-f]{32}$/.test(keyId)) return Promise.resolve(null);
  return query(snapshot, (sql) => sql.key.get({ partnerSeq, keyId }) ?? null);
}

/** The keys of a partner in a tier. */
export type KeyOwner = Pick<KeyRow, 'partnerSeq' | 'tier'>;

/** Returns a page of the keys of an owner, newest first. */
export function keysAfter(
  snapshot: Snapshot,
  { partnerSeq, tier }: KeyOwner,
  { createdAt, keyId }: KeyPosition = NEWEST,
  limit: number,
): Promise<KeyRow[]> {
  return query(snapshot, (sql) => sql.keys.all({ partnerSeq, tier, createdAt, keyId, limit }));
}

/** Returns the active keys of an owner, at most two, newest first. */
export function activeKeysOf(snapshot: Snapshot, { partnerSeq, tier }: KeyOwner): Promise<KeyRow[]> {
  return query(snapshot, (sql) => sql.activeKeys.all({ partnerSeq, tier }));
}

/** Stores when a key was revoked, unless it is already revoked. `revokedAt`: RFC 3339. */
export function setRevoked(tx: Transaction, keyId: string, revokedAt: string): Promise<void> {
  return query(tx, (sql) => void sql.revoke.run({ keyId, revokedAt }));
}

/** Adds requests to the stored usage of the same partners, tiers and days. */
export function addUsage(tx: Transaction, rows: readonly UsageRow[]): Promise<void> {
  return query(tx, (sql) => {
    for (const row of rows) sql.addUsage.run({ ...row });
  });
}

/** Returns a partner's usage with the keys of a tier, one row per day. */
export function usageOf(snapshot: Snapshot, partnerSeq: number, tier: KeyRow['tier']): Promise<UsageRow[]> {
  return query(snapshot, (sql) => sql.usage.all({ partnerSeq, tier }));
}

/** Returns a secret of the service; null when it is not stored. */
export function secretNamed(snapshot: Snapshot, name: SecretName): Promise<Uint8Array | null> {
  return query(snapshot, (sql) => {
    const value = sql.secret.get({ name })?.value;
    return value === undefined ? null : new Uint8Array(value);
  });
}

/** Stores a secret of the service, and replaces the previous one with this name. */
export function putSecret(tx: Transaction, name: SecretName, value: Uint8Array): Promise<void> {
  return query(tx, (sql) => void sql.setSecret.run({ name, value }));
}
