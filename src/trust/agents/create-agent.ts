import { nativePrimitives } from '../../platform/crypto/crypto.ts';
import { newId } from '../../platform/ids.ts';
import type { Transaction } from '../../platform/store/transaction.ts';
import type { Clock } from '../../platform/time/clock.ts';
import { timestamp } from '../../platform/time/clock.ts';
import { subjectCommitment } from '../../proof/agent/commitment.ts';
import type { Events } from '../webhooks/events.ts';
import type { AgentRecords } from './agent-records.ts';
import { agentsEvents } from './events.ts';
import { type AgentRow, insertAgent } from './store.ts';

/** The identity of an agent that has proved possession of its key. */
export interface AgentIdentity {
  /** 64 lower-case hexadecimal characters. */
  publicKey: string;
  context: string;
  name: string | null;
}

export interface NewAgent extends AgentIdentity {
  /** Null for an agent that admin keys manage. */
  sponsorSeq: number | null;
}

/** Enrolls a new agent and emits `enrollment.completed`. @throws DuplicateRow for an enrolled agent */
export async function createAgentIn(
  tx: Transaction,
  { clock, events, agentRecords }: { clock: Clock; events: Events; agentRecords: AgentRecords },
  { publicKey, context, name, sponsorSeq }: NewAgent,
): Promise<AgentRow> {
  const commitment = subjectCommitment(nativePrimitives, publicKey, context);
  const issuedAt = timestamp(clock);
  const agent = await insertAgent(tx, {
    subjectCommitment: commitment,
    publicKey,
    context,
    name,
    passportId: newId('pass_'),
    sponsorSeq,
    issuedAt,
  });
  await agentRecords.agentCreatedIn(tx, agent.agentSeq);
  events.emitIn(tx, agentsEvents, {
    event: 'enrollment.completed',
    data: { subject_commitment: commitment, public_key: publicKey, context },
    timestamp: issuedAt,
    operators: sponsorSeq === null ? [] : [sponsorSeq],
  });
  return agent;
}
