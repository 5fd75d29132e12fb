import { agent } from '../../../../db/trust/agents.ts';
import { escrow } from '../../../../db/trust/escrow.ts';
import type { EscrowStatus } from '../../../../db/trust/escrow-enums.ts';
import { sqlOf } from '../../../platform/store/sql.ts';
import { runQuery, type Snapshot } from '../../../platform/store/transaction.ts';
import { type EscrowState, escrowsBySeq } from './store.ts';

const sql = sqlOf({ agent, escrow });

const SCANS = { scans: 'sorts what it finds: at most `limit` rows of each agent that an operator sponsors' };
/** The newest `limit` numbers of the agents of a sponsor on a side: a seek in an index for each agent. */
const newestOf = {
  hirer: sql.values(sql.like(escrow.escrowSeq)`own.escrow_seq`, SCANS)`FROM agent CROSS JOIN escrow AS own
    ON own.escrow_seq IN (SELECT escrow_seq FROM escrow WHERE hirer_seq = agent.agent_seq AND status = ${'status'}
      AND escrow_seq < ${'before:escrowSeq'} ORDER BY escrow_seq DESC LIMIT ${'limit'})
    WHERE sponsor_seq = ${'sponsorSeq'} ORDER BY own.escrow_seq DESC LIMIT ${'limit'}`,
  worker: sql.values(sql.like(escrow.escrowSeq)`own.escrow_seq`, SCANS)`FROM agent CROSS JOIN escrow AS own
    ON own.escrow_seq IN (SELECT escrow_seq FROM escrow WHERE worker_seq = agent.agent_seq AND status = ${'status'}
      AND escrow_seq < ${'before:escrowSeq'} ORDER BY escrow_seq DESC LIMIT ${'limit'})
    WHERE sponsor_seq = ${'sponsorSeq'} ORDER BY own.escrow_seq DESC LIMIT ${'limit'}`,
};

/**
 * Returns the newest `limit` rows before a number in which an agent of a sponsor is the hirer or the worker,
 * newest first.
 */
export function escrowOfSponsorBefore(
  snapshot: Snapshot,
  sponsorSeq: number,
  statuses: readonly EscrowStatus[],
  before: number,
  limit: number,
): Promise<EscrowState[]> {
  return runQuery(snapshot, (connection) => {
    const seqs = statuses.flatMap((status) =>
      [newestOf.hirer, newestOf.worker].flatMap((newest) =>
        newest.on(connection, { sponsorSeq, status, before, limit }),
      ),
    );
    const newest = [...new Set(seqs)].sort((one, other) => other - one).slice(0, limit);
    return escrowsBySeq.on(connection, newest);
  });
}
