import { and, asc, count, desc, eq, isNull, sql } from 'drizzle-orm';
import { partner, partnerKey, secret, usageDay } from '../../../db/staffing/accounts.ts';
import { bound, everyColumn } from '../../platform/store/columns.ts';
import { syncStatements } from '../../platform/store/transaction.ts';

const $ = sql.placeholder;

export type PartnerRow = typeof partner.$inferSelect;
export type KeyRow = typeof partnerKey.$inferSelect;

/** The SQL of partners, their keys and usage, and the service's own secrets. */
export const accountSql = syncStatements((orm) => ({
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
  /** Newest first, from below a place. */
  partners: () =>
    orm
      .select()
      .from(partner)
      .where(sql`${partner.partnerSeq} < ${$('below')}`)
      .orderBy(desc(partner.partnerSeq))
      .limit($('rows'))
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
  /** Who calls with a key. */
  principal: () =>
    orm
      .select({ key: partnerKey, partnerId: partner.partnerId })
      .from(partnerKey)
      .innerJoin(partner, eq(partner.partnerSeq, partnerKey.partnerSeq))
      .where(eq(partnerKey.keyHash, bound(partnerKey.keyHash, 'keyHash')))
      .prepare(),
  keys: () =>
    orm
      .select()
      .from(partnerKey)
      .where(
        and(
          eq(partnerKey.partnerSeq, bound(partnerKey.partnerSeq, 'partnerSeq')),
          eq(partnerKey.tier, bound(partnerKey.tier, 'tier')),
        ),
      )
      .orderBy(desc(partnerKey.createdAt), desc(partnerKey.keyId))
      .prepare(),
  allKeys: () =>
    orm
      .select()
      .from(partnerKey)
      .where(eq(partnerKey.partnerSeq, bound(partnerKey.partnerSeq, 'partnerSeq')))
      .orderBy(asc(partnerKey.tier), asc(partnerKey.createdAt))
      .prepare(),
  countActive: () =>
    orm
      .select({ keys: count() })
      .from(partnerKey)
      .where(
        and(
          eq(partnerKey.partnerSeq, bound(partnerKey.partnerSeq, 'partnerSeq')),
          eq(partnerKey.tier, bound(partnerKey.tier, 'tier')),
          isNull(partnerKey.revokedAt),
        ),
      )
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
