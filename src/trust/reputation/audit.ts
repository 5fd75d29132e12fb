import { derivedTable } from '../../platform/audit/counts.ts';
import { wrongAgentCounters, wrongAgentDays, wrongAgentReceipts } from './audit/store.ts';

/** The tables of reputation that fsck audits: the counts that rates and scores derive from. */
export const audited = [
  derivedTable('agent_receipt', wrongAgentReceipts, 'scores'),
  derivedTable('agent_day', wrongAgentDays, 'scores'),
  derivedTable('agent_standing', wrongAgentCounters, 'scores'),
];
