import { agent } from '../../../../db/trust/agents.ts';
import { escrow } from '../../../../db/trust/escrow.ts';
import type { EscrowStatus } from '../../../../db/trust/escrow-enums.ts';
import { orNull, sqlOf } from '../../../platform/store/sql.ts';
import { runQuery, type Snapshot } from '../../../platform/store/transaction.ts';
import { slices } from '../../../platform/turns/slices.ts';
import { type EscrowState, escrowsBySeq } from './store.ts';

const sql = sqlOf({ agent, escrow });

/** The agents that are looked at at once: a few milliseconds with all statuses. */
const AGENTS = 100;

/** Returns the last of the next `agents` agents of a sponsor; null if there are no more. */
const lastOfNext = sql.value(orNull(sql.number`max(agent_seq)`))`FROM (
  SELECT agent_seq FROM agent WHERE sponsor_seq = ${'sponsorSeq'} AND agent_seq > ${'after:agentSeq'}
  ORDER BY agent_seq LIMIT ${'agents:number'}) AS agent`;

const SCANS = { scans: 'sorts what it finds: at most `limit` rows of each of the agents' };
/** The newest `limit` numbers of some agents of a sponsor on a side: a seek in an index for each agent. */
const newestOn = (side: 'hirer_seq' | 'worker_seq') =>
  sql.values(sql.like(escrow.escrowSeq)`own.escrow_seq`, SCANS)`FROM agent CROSS JOIN escrow AS own
    ON own.escrow_seq IN (SELECT escrow_seq FROM escrow WHERE ${sql.verbatim(side)} = agent.agent_seq
      AND status = ${'status'} AND escrow_seq < ${'before:escrowSeq'} ORDER BY escrow_seq DESC LIMIT ${'limit'})
    WHERE sponsor_seq = ${'sponsorSeq'} AND agent_seq > ${'after:agentSeq'} AND agent_seq <= ${'last:agentSeq'}
    ORDER BY own.escrow_seq DESC LIMIT ${'limit'}`;
const SIDES = [newestOn('hirer_seq'), newestOn('worker_seq')];

/**
 * Returns the newest `limit` rows before a number in which an agent of a sponsor is the hirer or the worker,
 * newest first. Others are served between its agents, of which there can be any number.
 */
export async function escrowOfSponsorBefore(
  snapshot: Snapshot,
  sponsorSeq: number,
  statuses: readonly EscrowStatus[],
  before: number,
  limit: number,
): Promise<EscrowState[]> {
  let seqs: readonly number[] = [];
  let after = 0;
  for (;;) {
    const paused = slices.pause();
    if (paused !== undefined) await paused;
    const range = { sponsorSeq, after, agents: AGENTS };
    const last = await lastOfNext(snapshot, range);
    if (last === null) break;
    const found = await runQuery(snapshot, (connection) =>
      statuses.flatMap((status) =>
        SIDES.flatMap((newest) => newest.on(connection, { ...range, last, status, before, limit })),
      ),
    );
    seqs = [...new Set([...seqs, ...found])].sort((one, other) => other - one).slice(0, limit);
    after = last;
  }
  const newest = seqs;
  return runQuery(snapshot, (connection) => escrowsBySeq.on(connection, newest));
}
