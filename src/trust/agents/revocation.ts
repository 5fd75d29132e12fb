import type { Snapshot, Transaction } from '../../platform/store/transaction.ts';
import { type AgentRevocationEntry, agentRevocationEntryText } from '../../proof/log/log-entry.ts';
import { commonErrors } from '../http/errors.ts';
import type { LogRow } from '../log/logs.ts';
import { appendIn } from '../log/tree/append.ts';
import type { AgentRecords } from './agent-records.ts';
import { findAgentIn } from './agents.ts';
import { insertRevocationLeaf, isLostAgent, updateRevoked } from './revocation-store.ts';
import type { AgentRow } from './store.ts';

/** When an agent was revoked, and why. */
interface Revocation {
  /** RFC 3339 in UTC with milliseconds. */
  at: string;
  reason: string | null;
}

/**
 * Revokes an agent, removes it from the leaderboard, and appends the revocation to the log of revocations.
 * @returns the changed agent; null for one that was already revoked
 */
export async function revokeIn(
  tx: Transaction,
  { agentRecords }: { agentRecords: AgentRecords },
  log: LogRow,
  { agentSeq, subjectCommitment }: AgentRow,
  { at, reason }: Revocation,
): Promise<AgentRow | null> {
  const revoked = await updateRevoked(tx, { agentSeq, revokedAt: at, revocationReason: reason });
  if (revoked === null) return null;
  await agentRecords.agentRevokedIn(tx, agentSeq);
  await logIn(tx, log, { subject_commitment: subjectCommitment, at }, agentSeq);
  return revoked;
}

/**
 * Appends a revocation that a copy of the log has and a restored database lacks, and revokes the agent again.
 * If the database lacks the agent too, the leaf prevents that it enrolls again.
 * @returns what could not be recovered: the log has no reason
 */
export async function recoverAgentRevocationIn(
  tx: Transaction,
  context: { agentRecords: AgentRecords },
  log: LogRow,
  entry: AgentRevocationEntry,
): Promise<string> {
  const { subject_commitment: commitment, at } = entry;
  const agent = await findAgentIn(tx, commitment);
  if (agent === null) {
    await logIn(tx, log, entry, null);
    return `the revoked agent ${commitment}`;
  }
  const revoked = await revokeIn(tx, context, log, agent, { at, reason: null });
  if (revoked === null) await logIn(tx, log, entry, agent.agentSeq);
  return `the reason, if any, for the revocation of agent ${commitment}`;
}

/**
 * Refuses to enroll an agent that was revoked, even one that only the log knows since a backup was restored.
 * @param agent the agent with this commitment, if the database has it
 * @throws ApiError forbidden
 */
export async function refuseRevokedIn(
  snapshot: Snapshot,
  commitment: string,
  agent: AgentRow | null,
): Promise<void> {
  const isRevoked = agent === null ? await isLostAgent(snapshot, commitment) : agent.state === 'REVOKED';
  if (!isRevoked) return;
  throw commonErrors.forbidden({ message: 'The agent was revoked permanently. Enroll with another key.' });
}

/** Appends the leaf. @param agentSeq null for an agent that the database lacks */
async function logIn(
  tx: Transaction,
  log: LogRow,
  revocation: AgentRevocationEntry,
  agentSeq: number | null,
): Promise<void> {
  const entry = agentRevocationEntryText(revocation);
  const lostAgent = agentSeq === null ? revocation.subject_commitment : null;
  await appendIn(tx, log, entry, (leafHash) =>
    insertRevocationLeaf(tx, { agentSeq, lostAgent, leafHash, entry }),
  );
}
