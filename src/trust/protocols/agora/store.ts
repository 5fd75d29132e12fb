import { alias } from 'drizzle-orm/sqlite-core';
import { agent } from '../../../../db/trust/agents.ts';
import { agoraEntry } from '../../../../db/trust/agora.ts';
import { orNull, sqlOf } from '../../../platform/store/sql.ts';
import { runQuery, type Snapshot } from '../../../platform/store/transaction.ts';

const sql = sqlOf({ agoraEntry });

const from = alias(agent, 'from_agent');
const to = alias(agent, 'to_agent');
const preceding = alias(agoraEntry, 'preceding');
const stepBefore = alias(agoraEntry, 'step_before');

/** Entries with their parties, hash and audience of the entry before each one, and the step before it. */
const entries = sql.joined({
  entry: agoraEntry,
  from: orNull(from),
  to: orNull(to),
  prevHash: orNull(preceding.entryHash),
  prevAudience: orNull(preceding.audience),
  stepBefore: orNull(stepBefore),
});
const ENTRIES = sql.part`FROM agora_entry
  LEFT JOIN agent from_agent ON from_agent.agent_seq = agora_entry.from_seq
  LEFT JOIN agent to_agent ON to_agent.agent_seq = agora_entry.to_seq
  LEFT JOIN agora_entry preceding ON preceding.entry_seq = agora_entry.entry_seq - 1
  LEFT JOIN agora_entry step_before
    ON step_before.proposal_id = agora_entry.proposal_id AND step_before.step = agora_entry.step - 1`;

export type EntryRow = typeof agoraEntry.$inferSelect;

/** An entry with its parties and what it follows. An agent is null only in a damaged database. */
export type EntryState = Awaited<ReturnType<typeof stepsOf>>[number];

/**
 * Returns the steps of a proposal, at most 32, oldest first; none for an unknown one. `proposalId`: `agora_`
 * and 32 hexadecimal characters.
 */
export const stepsOf = entries.rows`${ENTRIES}
  WHERE agora_entry.proposal_id = ${'proposalId'} ORDER BY agora_entry.step`;

/** Returns the newest step of a proposal; null for an unknown one. */
export const lastStepOf = sql.row(agoraEntry)`
  WHERE proposal_id = ${'proposalId'} ORDER BY step DESC LIMIT 1`;

/** Returns the step of an agent's request by its nonce; null if the agent took none with it. */
export const stepByNonce = entries.row`${ENTRIES}
  WHERE agora_entry.from_seq = ${'fromSeq'} AND agora_entry.nonce = ${'nonce'}`;

/** Returns the newest entry of the ledger; null for an empty one. */
export const lastEntry = sql.joined({ entrySeq: agoraEntry.entrySeq, entryHash: agoraEntry.entryHash }).row`
  FROM agora_entry ORDER BY entry_seq DESC LIMIT 1`;

/** Appends an entry, whose numbers continue those of the ledger and of its proposal. */
export const appendEntry = sql.insert(agoraEntry);

const highestEntry = sql.value(orNull(sql.number`max(entry_seq)`))`FROM agora_entry`;

/** Returns the number of the newest entry; 0 for an empty ledger. */
export async function newestEntry(snapshot: Snapshot): Promise<number> {
  return (await highestEntry(snapshot)) ?? 0;
}

/** Returns the entries with numbers above `after` up to `reach`, in ascending order. */
export const entriesBetween = entries.rows`${ENTRIES}
  WHERE agora_entry.entry_seq > ${'after:entrySeq'} AND agora_entry.entry_seq <= ${'reach:entrySeq'}
  ORDER BY agora_entry.entry_seq`;

const first = agoraEntry;
const newest = alias(agoraEntry, 'newest');

/** Proposals by their first step, with the newest one. */
const proposals = sql.joined({
  firstSeq: first.entrySeq,
  proposalId: first.proposalId,
  createdAt: first.createdAt,
  proposer: from.subjectCommitment,
  receiver: to.subjectCommitment,
  entrySeq: newest.entrySeq,
  action: newest.action,
  steps: newest.step,
  entryHash: newest.entryHash,
  prevHash: orNull(preceding.entryHash),
  updatedAt: newest.createdAt,
});
const PROPOSALS = sql.part`FROM agora_entry
  JOIN agent from_agent ON from_agent.agent_seq = agora_entry.from_seq
  JOIN agent to_agent ON to_agent.agent_seq = agora_entry.to_seq
  JOIN agora_entry newest ON newest.proposal_id = agora_entry.proposal_id
    AND newest.step = (SELECT max(step) FROM agora_entry taken WHERE taken.proposal_id = agora_entry.proposal_id)
  LEFT JOIN agora_entry preceding ON preceding.entry_seq = newest.entry_seq - 1`;
const NEWEST_FIRST = sql.part`agora_entry.step = 1 AND agora_entry.entry_seq < ${'before:entrySeq'}
  ORDER BY agora_entry.entry_seq DESC LIMIT ${'limit'}`;

const proposalsMade = proposals.rows`${PROPOSALS} WHERE agora_entry.from_seq = ${'agentSeq:fromSeq'} AND ${NEWEST_FIRST}`;
const proposalsReceived = proposals.rows`${PROPOSALS} WHERE agora_entry.to_seq = ${'agentSeq:toSeq'} AND ${NEWEST_FIRST}`;

/** A proposal in a list. */
export type ProposalRow = Awaited<ReturnType<typeof proposalsMade>>[number];

/** Returns the newest `limit` proposals of an agent whose first step is before a number, newest first. */
export function proposalsBefore(
  snapshot: Snapshot,
  page: { agentSeq: number; before: number; limit: number },
): Promise<ProposalRow[]> {
  return runQuery(snapshot, (connection) =>
    [...proposalsMade.on(connection, page), ...proposalsReceived.on(connection, page)]
      .sort((one, other) => other.firstSeq - one.firstSeq)
      .slice(0, page.limit),
  );
}
