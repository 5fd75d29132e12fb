import { and, count, desc, eq, gt, isNotNull, isNull, lte, sql } from 'drizzle-orm';
import { agent, agentNonce, challenge, presentation } from '../../../db/trust/agents.ts';
import { bound, everyColumn } from '../../platform/store/columns.ts';
import { type Snapshot, statements, type Transaction } from '../../platform/store/transaction.ts';

const $ = sql.placeholder;

const photo = {
  photoUrl: presentation.photoUrl,
  photoSha256: presentation.photoSha256,
  photoMimeType: presentation.photoMimeType,
};

const query = statements((orm) => ({
  byCommitment: () =>
    orm
      .select()
      .from(agent)
      .where(eq(agent.subjectCommitment, bound(agent.subjectCommitment, 'subjectCommitment')))
      .prepare(),
  insert: () =>
    orm
      .insert(agent)
      .values(everyColumn(agent, ['agentSeq', 'revokedAt', 'revocationReason'], { state: 'ISSUED' }))
      .returning()
      .prepare(),
  setSponsor: () =>
    orm
      .update(agent)
      .set({ sponsorSeq: sql`${$('sponsorSeq')}` })
      .where(eq(agent.agentSeq, bound(agent.agentSeq, 'agentSeq')))
      .returning()
      .prepare(),
  setName: () =>
    orm
      .update(agent)
      .set({ name: sql`${$('name')}` })
      .where(eq(agent.agentSeq, bound(agent.agentSeq, 'agentSeq')))
      .returning()
      .prepare(),
  insertChallenge: () =>
    orm
      .insert(challenge)
      .values(everyColumn(challenge, ['challengeSeq', 'consumedAt']))
      .prepare(),
  challengeByNonce: () =>
    orm
      .select()
      .from(challenge)
      .where(eq(challenge.nonce, bound(challenge.nonce, 'nonce')))
      .prepare(),
  /** A caller's challenges for a commitment: active ones first, then newest first. */
  challengesOfCaller: () =>
    orm
      .select()
      .from(challenge)
      .where(
        and(
          eq(challenge.caller, bound(challenge.caller, 'caller')),
          eq(challenge.subjectCommitment, bound(challenge.subjectCommitment, 'subjectCommitment')),
        ),
      )
      .orderBy(
        desc(
          sql`${challenge.consumedAt} is null and ${challenge.expiresAt} > ${bound(challenge.expiresAt, 'now')}`,
        ),
        desc(challenge.challengeSeq),
      )
      .limit($('limit'))
      .prepare(),
  /** Active challenges for a commitment, the last to expire first. */
  activeChallenges: () =>
    orm
      .select()
      .from(challenge)
      .where(
        and(
          isNotNull(challenge.subjectCommitment),
          eq(challenge.subjectCommitment, bound(challenge.subjectCommitment, 'subjectCommitment')),
          gt(challenge.expiresAt, bound(challenge.expiresAt, 'now')),
          isNull(challenge.consumedAt),
        ),
      )
      .orderBy(desc(challenge.expiresAt))
      .limit($('limit'))
      .prepare(),
  /** Challenges for a commitment that expired before they were consumed, the last expired first. */
  expiredChallenges: () =>
    orm
      .select()
      .from(challenge)
      .where(
        and(
          isNotNull(challenge.subjectCommitment),
          eq(challenge.subjectCommitment, bound(challenge.subjectCommitment, 'subjectCommitment')),
          lte(challenge.expiresAt, bound(challenge.expiresAt, 'now')),
          isNull(challenge.consumedAt),
        ),
      )
      .orderBy(desc(challenge.expiresAt))
      .limit($('limit'))
      .prepare(),
  /** Consumed challenges for a commitment, the last consumed first. */
  consumedChallenges: () =>
    orm
      .select()
      .from(challenge)
      .where(
        and(
          isNotNull(challenge.consumedAt),
          eq(challenge.subjectCommitment, bound(challenge.subjectCommitment, 'subjectCommitment')),
        ),
      )
      .orderBy(desc(challenge.consumedAt))
      .limit($('limit'))
      .prepare(),
  /** A caller's active challenges for a public key, in one context or (null) in a context not known yet. */
  countActiveChallenges: () =>
    orm
      .select({ challenges: count(), firstExpiry: sql<string | null>`min(${challenge.expiresAt})` })
      .from(challenge)
      .where(
        and(
          eq(challenge.caller, bound(challenge.caller, 'caller')),
          sql`${challenge.subjectCommitment} is ${bound(challenge.subjectCommitment, 'subjectCommitment')}`,
          eq(challenge.publicKey, bound(challenge.publicKey, 'publicKey')),
          gt(challenge.expiresAt, bound(challenge.expiresAt, 'now')),
          isNull(challenge.consumedAt),
        ),
      )
      .prepare(),
  consumeChallenge: () =>
    orm
      .update(challenge)
      .set({ consumedAt: sql`${$('now')}` })
      .where(
        and(
          eq(challenge.challengeSeq, bound(challenge.challengeSeq, 'challengeSeq')),
          gt(challenge.expiresAt, bound(challenge.expiresAt, 'now')),
          isNull(challenge.consumedAt),
        ),
      )
      .returning({ challengeSeq: challenge.challengeSeq })
      .prepare(),
  /** Deletes a batch of the challenges that expired by a time. */
  deleteChallenges: () =>
    orm
      .delete(challenge)
      .where(
        sql`${challenge.challengeSeq} in (select ${challenge.challengeSeq} from ${challenge}
        where ${challenge.expiresAt} <= ${bound(challenge.expiresAt, 'until')} limit ${$('limit')})`,
      )
      .returning({ challengeSeq: challenge.challengeSeq })
      .prepare(),
  insertNonce: () =>
    orm
      .insert(agentNonce)
      .values(everyColumn(agentNonce))
      .onConflictDoNothing()
      .returning({ nonce: agentNonce.nonce })
      .prepare(),
  deleteNonces: () =>
    orm
      .delete(agentNonce)
      .where(
        sql`(${agentNonce.agentSeq}, ${agentNonce.nonce}) in (select ${agentNonce.agentSeq}, ${agentNonce.nonce}
        from ${agentNonce} where ${agentNonce.expiresAt} <= ${bound(agentNonce.expiresAt, 'until')} limit ${$('limit')})`,
      )
      .returning({ nonce: agentNonce.nonce })
      .prepare(),
  newestPresentation: () =>
    orm
      .select(photo)
      .from(presentation)
      .where(eq(presentation.agentSeq, bound(presentation.agentSeq, 'agentSeq')))
      .orderBy(desc(presentation.presentationSeq))
      .limit(1)
      .prepare(),
  /** Finds the same photo, or with nulls a removal, among all that an agent ever presented. */
  samePresentation: () =>
    orm
      .select({ presentationSeq: presentation.presentationSeq })
      .from(presentation)
      .where(
        and(
          eq(presentation.agentSeq, bound(presentation.agentSeq, 'agentSeq')),
          sql`${presentation.photoUrl} is ${bound(presentation.photoUrl, 'photoUrl')}`,
          sql`${presentation.photoSha256} is ${bound(presentation.photoSha256, 'photoSha256')}`,
          sql`${presentation.photoMimeType} is ${bound(presentation.photoMimeType, 'photoMimeType')}`,
        ),
      )
      .limit(1)
      .prepare(),
  insertPresentation: () =>
    orm
      .insert(presentation)
      .values(everyColumn(presentation, ['presentationSeq']))
      .prepare(),
}));

export type AgentRow = typeof agent.$inferSelect;
export type ChallengeRow = typeof challenge.$inferSelect;
/** The columns of a photo; all null for a removed photo. */
export type PhotoColumns = Pick<
  typeof presentation.$inferSelect,
  'photoUrl' | 'photoSha256' | 'photoMimeType'
>;

/**
 * Returns the agent with a commitment, even if it was revoked; null if there is none.
 * @param subjectCommitment 64 lower-case hexadecimal characters
 */
export function agentByCommitment(snapshot: Snapshot, subjectCommitment: string): Promise<AgentRow | null> {
  return query(snapshot, (sql) => sql.byCommitment.get({ subjectCommitment }) ?? null);
}

/** Inserts an agent in state ISSUED. @throws DuplicateRow for one that exists */
export function insertAgent(
  tx: Transaction,
  row: Omit<AgentRow, 'agentSeq' | 'state' | 'revokedAt' | 'revocationReason'>,
): Promise<AgentRow> {
  return query(tx, (sql) => sql.insert.get(row));
}

/** Changes an agent's sponsor, to null for none. @returns the changed agent; null if there is none */
export function updateSponsor(
  tx: Transaction,
  agentSeq: number,
  sponsorSeq: number | null,
): Promise<AgentRow | null> {
  return query(tx, (sql) => sql.setSponsor.get({ agentSeq, sponsorSeq }) ?? null);
}

/** Changes an agent's name, to null for none. @returns the changed agent; null if there is none */
export function updateName(tx: Transaction, agentSeq: number, name: string | null): Promise<AgentRow | null> {
  return query(tx, (sql) => sql.setName.get({ agentSeq, name }) ?? null);
}

/** Inserts an active challenge. */
export function insertChallenge(
  tx: Transaction,
  row: Omit<ChallengeRow, 'challengeSeq' | 'consumedAt'>,
): Promise<void> {
  return query(tx, (sql) => void sql.insertChallenge.run(row));
}

/** Returns the challenge with a nonce in any state; null for one that never existed or was deleted. */
export function challengeByNonce(snapshot: Snapshot, nonce: string): Promise<ChallengeRow | null> {
  return query(snapshot, (sql) => sql.challengeByNonce.get({ nonce }) ?? null);
}

/**
 * Returns challenges for a commitment, the most likely ones first: those of a caller, then the newest active,
 * expired and consumed ones of all callers. `limits` applies to each group; a challenge may appear twice.
 */
export function challengesFor(
  snapshot: Snapshot,
  proof: { subjectCommitment: string; caller: string; now: string },
  limits: { ofCaller: number; active: number; expired: number; consumed: number },
): Promise<ChallengeRow[]> {
  const { subjectCommitment, caller, now } = proof;
  return query(snapshot, (sql) => [
    ...sql.challengesOfCaller.all({ subjectCommitment, caller, now, limit: limits.ofCaller }),
    ...sql.activeChallenges.all({ subjectCommitment, now, limit: limits.active }),
    ...sql.expiredChallenges.all({ subjectCommitment, now, limit: limits.expired }),
    ...sql.consumedChallenges.all({ subjectCommitment, limit: limits.consumed }),
  ]);
}

/**
 * Returns the number of a caller's active challenges for a public key and context (null: not known yet), and
 * when the first expires.
 */
export function countActiveChallenges(
  snapshot: Snapshot,
  {
    caller,
    subjectCommitment,
    publicKey,
    now,
  }: Pick<ChallengeRow, 'caller' | 'subjectCommitment' | 'publicKey'> & { now: string },
): Promise<{ challenges: number; firstExpiry: string | null }> {
  return query(
    snapshot,
    (sql) =>
      sql.countActiveChallenges.get({ caller, subjectCommitment, publicKey, now }) ?? {
        challenges: 0,
        firstExpiry: null,
      },
  );
}

/** Marks a challenge as consumed. @returns false if it was expired at `now` or already consumed */
export function consumeChallenge(tx: Transaction, challengeSeq: number, now: string): Promise<boolean> {
  return query(tx, (sql) => sql.consumeChallenge.get({ challengeSeq, now }) !== undefined);
}

/** Deletes up to `limit` challenges that expired by a time. @returns how many */
export function deleteChallengesUntil(tx: Transaction, until: string, limit: number): Promise<number> {
  return query(tx, (sql) => sql.deleteChallenges.all({ until, limit }).length);
}

/** Stores the nonce of an agent's authorization. @returns false if the agent has used it before */
export function insertNonce(
  tx: Transaction,
  row: { agentSeq: number; nonce: string; expiresAt: string },
): Promise<boolean> {
  return query(tx, (sql) => sql.insertNonce.get(row) !== undefined);
}

/** Deletes up to `limit` nonces whose authorizations expired by a time. @returns how many */
export function deleteNoncesUntil(tx: Transaction, until: string, limit: number): Promise<number> {
  return query(tx, (sql) => sql.deleteNonces.all({ until, limit }).length);
}

/** Returns an agent's newest photo, with nulls if it was removed; null for an agent that never had one. */
export function newestPresentation(snapshot: Snapshot, agentSeq: number): Promise<PhotoColumns | null> {
  return query(snapshot, (sql) => sql.newestPresentation.get({ agentSeq }) ?? null);
}

/** Returns whether an agent ever presented this photo, or with nulls, ever removed its photo. */
export function wasPresented(
  snapshot: Snapshot,
  agentSeq: number,
  { photoUrl, photoSha256, photoMimeType }: PhotoColumns,
): Promise<boolean> {
  return query(
    snapshot,
    (sql) => sql.samePresentation.get({ agentSeq, photoUrl, photoSha256, photoMimeType }) !== undefined,
  );
}

/** Stores the photo, or with nulls its removal, that an agent presents from now on. */
export function insertPresentation(
  tx: Transaction,
  row: Omit<typeof presentation.$inferSelect, 'presentationSeq'>,
): Promise<void> {
  return query(tx, (sql) => void sql.insertPresentation.run(row));
}
