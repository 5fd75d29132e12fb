import { agent, agentNonce, agentSponsor, challenge, presentation } from '../../../db/trust/agents.ts';
import { orNull, sqlOf } from '../../platform/store/sql.ts';
import { runQuery, type Snapshot, type Transaction } from '../../platform/store/transaction.ts';

const sql = sqlOf({ agent, agentNonce, agentSponsor, challenge, presentation });

/** A caller's challenges for a commitment: active ones first, then newest first. */
const challengesOfCaller = sql.rows(challenge, { scans: 'sorts the challenges of one caller for one agent' })`
  WHERE caller = ${'caller'} AND subject_commitment = ${'subjectCommitment'}
  ORDER BY consumed_at IS NULL AND expires_at > ${'now:expiresAt'} DESC, challenge_seq DESC LIMIT ${'limit'}`;
/** Active challenges for a commitment, the last to expire first. */
const activeChallenges = sql.rows(challenge)`
  WHERE subject_commitment IS NOT NULL AND subject_commitment = ${'subjectCommitment'}
    AND expires_at > ${'now:expiresAt'} AND consumed_at IS NULL ORDER BY expires_at DESC LIMIT ${'limit'}`;
/** Challenges for a commitment that expired before they were consumed, the last expired first. */
const expiredChallenges = sql.rows(challenge)`
  WHERE subject_commitment IS NOT NULL AND subject_commitment = ${'subjectCommitment'}
    AND expires_at <= ${'now:expiresAt'} AND consumed_at IS NULL ORDER BY expires_at DESC LIMIT ${'limit'}`;
/** Consumed challenges for a commitment, the last consumed first. */
const consumedChallenges = sql.rows(challenge)`
  WHERE consumed_at IS NOT NULL AND subject_commitment = ${'subjectCommitment'}
  ORDER BY consumed_at DESC LIMIT ${'limit'}`;
const activeOfKey = sql.joined({
  challenges: sql.number`count(*)`,
  firstExpiry: orNull(sql.text`min(expires_at)`),
}).row`FROM challenge
  WHERE caller = ${'caller'} AND subject_commitment IS NOT DISTINCT FROM ${'subjectCommitment?'}
    AND public_key = ${'publicKey'} AND expires_at > ${'now:expiresAt'} AND consumed_at IS NULL`;
const setConsumed = sql.run`UPDATE challenge SET consumed_at = ${'now:expiresAt'}
  WHERE challenge_seq = ${'challengeSeq'} AND expires_at > ${'now:expiresAt'} AND consumed_at IS NULL`;
const insertNonceOnce = sql.insert(agentNonce, { end: 'ON CONFLICT DO NOTHING' });
/** Finds the same photo, or with nulls a removal, among all that an agent ever presented. */
const samePresentation = sql.exists(presentation)`
  WHERE agent_seq = ${'agentSeq'} AND photo_url IS NOT DISTINCT FROM ${'photoUrl?'}
    AND photo_sha256 IS NOT DISTINCT FROM ${'photoSha256?'}
    AND photo_mime_type IS NOT DISTINCT FROM ${'photoMimeType?'} LIMIT 1`;

export type AgentRow = typeof agent.$inferSelect;
export type ChallengeRow = typeof challenge.$inferSelect;
/** The columns of a photo; all null for a removed photo. */
export type PhotoColumns = Pick<
  typeof presentation.$inferSelect,
  'photoUrl' | 'photoSha256' | 'photoMimeType'
>;

/**
 * Returns the agent with a commitment, even if it was revoked; null if there is none. The commitment is 64
 * lower-case hexadecimal characters.
 */
export const agentByCommitment = sql.row(agent)`WHERE subject_commitment = ${'subjectCommitment'}`;

/** Returns the agents that an operator sponsors, the newest first, revoked ones included. */
export const agentsOfSponsor = sql.rows(agent)`
  WHERE sponsor_seq = ${'sponsorSeq'} AND agent_seq < ${'before:agentSeq'}
  ORDER BY agent_seq DESC LIMIT ${'limit'}`;

/** Inserts an agent in state ISSUED. @returns it @throws DuplicateRow for one that exists */
export const insertAgent = sql.insertRow(agent, {
  without: ['agentSeq', 'revokedAt', 'revocationReason', 'frozenSince', 'frozenReason'],
  fixed: { state: 'ISSUED' },
});

const setSponsor = sql.returning(agent)`
  UPDATE agent SET sponsor_seq = ${'sponsorSeq?'} WHERE agent_seq = ${'agentSeq'}`;
const endSponsor = sql.run`UPDATE agent_sponsor SET until = ${'at:since'}
  WHERE agent_seq = ${'agentSeq'} AND until IS NULL`;
const beginSponsor = sql.insert(agentSponsor, {
  fixed: { until: null },
  end: 'ON CONFLICT (agent_seq, operator_seq) DO UPDATE SET until = NULL',
});

/**
 * Changes an agent's sponsor, to null for none, and keeps who sponsored it until now.
 * @param at the time, RFC 3339 @returns the changed agent; null if there is none
 */
export function updateSponsor(
  tx: Transaction,
  { agentSeq, sponsorSeq, at }: { agentSeq: number; sponsorSeq: number | null; at: string },
): Promise<AgentRow | null> {
  return runQuery(tx, (connection) => {
    endSponsor.on(connection, { agentSeq, at });
    if (sponsorSeq !== null) beginSponsor.on(connection, { agentSeq, operatorSeq: sponsorSeq, since: at });
    return setSponsor.on(connection, { agentSeq, sponsorSeq });
  });
}

/** Changes an agent's name, to null for none. @returns the changed agent; null if there is none */
export const updateName = sql.returning(agent)`
  UPDATE agent SET name = ${'name?'} WHERE agent_seq = ${'agentSeq'}`;

/** Inserts an active challenge. */
export const insertChallenge = sql.insert(challenge, { without: ['challengeSeq', 'consumedAt'] });

/** Returns the challenge with a nonce in any state; null for one that never existed or was deleted. */
export const challengeByNonce = sql.row(challenge)`WHERE nonce = ${'nonce'}`;

/**
 * Returns challenges for a commitment, the most likely ones first: those of a caller, then the newest active,
 * expired and consumed ones of all callers. `limits` applies to each group; a challenge may appear twice.
 */
export function challengesFor(
  snapshot: Snapshot,
  proof: { subjectCommitment: string; caller: string; now: string },
  limits: { ofCaller: number; active: number; expired: number; consumed: number },
): Promise<ChallengeRow[]> {
  return runQuery(snapshot, (connection) => [
    ...challengesOfCaller.on(connection, { ...proof, limit: limits.ofCaller }),
    ...activeChallenges.on(connection, { ...proof, limit: limits.active }),
    ...expiredChallenges.on(connection, { ...proof, limit: limits.expired }),
    ...consumedChallenges.on(connection, { ...proof, limit: limits.consumed }),
  ]);
}

/**
 * Returns the number of a caller's active challenges for a public key and context (null: not known yet), and
 * when the first expires.
 */
export async function countActiveChallenges(
  snapshot: Snapshot,
  key: Pick<ChallengeRow, 'caller' | 'subjectCommitment' | 'publicKey'> & { now: string },
): Promise<{ challenges: number; firstExpiry: string | null }> {
  return (await activeOfKey(snapshot, key)) ?? { challenges: 0, firstExpiry: null };
}

/** Marks a challenge as consumed. @returns false if it was expired at `now` or already consumed */
export async function consumeChallenge(tx: Transaction, challengeSeq: number, now: string): Promise<boolean> {
  return (await setConsumed(tx, { challengeSeq, now })) > 0;
}

/** Deletes up to `limit` challenges that expired by a time. @returns how many */
export const deleteChallengesUntil = sql.run`DELETE FROM challenge WHERE challenge_seq IN (
    SELECT challenge_seq FROM challenge WHERE expires_at <= ${'until:expiresAt'} LIMIT ${'limit'}
  )`;

/** Stores the nonce of an agent's authorization. @returns false if the agent has used it before */
export async function insertNonce(
  tx: Transaction,
  row: { agentSeq: number; nonce: string; expiresAt: string },
): Promise<boolean> {
  return (await insertNonceOnce(tx, row)) > 0;
}

/** Deletes up to `limit` nonces whose authorizations expired by a time. @returns how many */
export const deleteNoncesUntil = sql.run`DELETE FROM agent_nonce WHERE (agent_seq, nonce) IN (
    SELECT agent_seq, nonce FROM agent_nonce WHERE expires_at <= ${'until:expiresAt'}
    LIMIT ${'limit'}
  )`;

/** Returns an agent's newest photo, with nulls if it was removed; null for an agent that never had one. */
export const newestPresentation = sql.joined({
  photoUrl: presentation.photoUrl,
  photoSha256: presentation.photoSha256,
  photoMimeType: presentation.photoMimeType,
}).row`FROM presentation WHERE agent_seq = ${'agentSeq'} ORDER BY presentation_seq DESC LIMIT 1`;

/** Returns whether an agent ever presented this photo, or with nulls, ever removed its photo. */
export function wasPresented(snapshot: Snapshot, agentSeq: number, photo: PhotoColumns): Promise<boolean> {
  return samePresentation(snapshot, { agentSeq, ...photo });
}

/** Stores the photo, or with nulls its removal, that an agent presents from now on. */
export const insertPresentation = sql.insert(presentation, { without: ['presentationSeq'] });
