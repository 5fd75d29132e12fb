import { and, count, desc, eq, gt, isNotNull, isNull, lte, sql } from 'drizzle-orm';
import { agent, agentNonce, challenge, presentation } from '../../../db/trust/agents.ts';
import { bound, everyColumn } from '../../platform/store/columns.ts';
import { syncStatements } from '../../platform/store/transaction.ts';

const $ = sql.placeholder;

/** The SQL of agents. */
export const agentSql = syncStatements((orm) => ({
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
  revoke: () =>
    orm
      .update(agent)
      .set({
        state: sql`'REVOKED'`,
        revokedAt: sql`${$('revokedAt')}`,
        revocationReason: sql`${$('revocationReason')}`,
      })
      .where(and(eq(agent.agentSeq, bound(agent.agentSeq, 'agentSeq')), sql`${agent.state} = 'ISSUED'`))
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
  /** A caller's challenges for a commitment: those that wait first, newest first. */
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
      .limit($('rows'))
      .prepare(),
  /** Challenges for a commitment that wait, newest first. */
  liveChallenges: () =>
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
      .limit($('rows'))
      .prepare(),
  /** Challenges for a commitment that nobody met in time, newest first. */
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
      .limit($('rows'))
      .prepare(),
  /** Challenges for a commitment that were met, newest first. */
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
      .limit($('rows'))
      .prepare(),
  /** A caller's challenges that wait for a key, in one context or in none that is known yet. */
  countLiveChallenges: () =>
    orm
      .select({ challenges: count(), oldest: sql<string | null>`min(${challenge.expiresAt})` })
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
  /** Forgets some of the challenges that could be met until a time. */
  forgetChallenges: () =>
    orm
      .delete(challenge)
      .where(
        sql`${challenge.challengeSeq} in (select ${challenge.challengeSeq} from ${challenge}
        where ${challenge.expiresAt} <= ${bound(challenge.expiresAt, 'until')} limit ${$('rows')})`,
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
  forgetNonces: () =>
    orm
      .delete(agentNonce)
      .where(
        sql`(${agentNonce.agentSeq}, ${agentNonce.nonce}) in (select ${agentNonce.agentSeq}, ${agentNonce.nonce}
        from ${agentNonce} where ${agentNonce.expiresAt} <= ${bound(agentNonce.expiresAt, 'until')} limit ${$('rows')})`,
      )
      .returning({ nonce: agentNonce.nonce })
      .prepare(),
  newestPresentation: () =>
    orm
      .select()
      .from(presentation)
      .where(eq(presentation.agentSeq, bound(presentation.agentSeq, 'agentSeq')))
      .orderBy(desc(presentation.presentationSeq))
      .limit(1)
      .prepare(),
  /** Whether an agent ever presented just this; nulls for nothing. */
  formerPresentation: () =>
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
