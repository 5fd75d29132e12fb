import { derivedTable } from '../../../platform/audit/counts.ts';
import type { Snapshot } from '../../../platform/store/transaction.ts';
import type { Problem } from '../../../proof/log/problem.ts';
import { wrongAgentCounters, wrongAgentDays, wrongAgentReceipts, wrongLostHeads } from './audit/store.ts';

/** The tables of reputation that fsck audits: the counts that rates and scores derive from. */
export const audited = [
  derivedTable('agent_receipt', wrongAgentReceipts, 'scores'),
  derivedTable('agent_day', wrongAgentDays, 'scores'),
  derivedTable('agent_standing', wrongStandings, 'scores'),
];

async function wrongStandings(snapshot: Snapshot): Promise<Problem[]> {
  return [...(await wrongAgentCounters(snapshot)), ...(await wrongLostHeads(snapshot))];
}
