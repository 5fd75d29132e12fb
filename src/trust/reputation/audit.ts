import { derivedTable } from '../../platform/audit/counts.ts';
import { wrongAgentCounters, wrongAgentDays, wrongAgentReceipts } from './audit/store.ts';

/** What fsck audits of reputations: the counts that they are made of. */
export const audited = [
  derivedTable('agent_receipt', wrongAgentReceipts, 'scores'),
  derivedTable('agent_day', wrongAgentDays, 'scores'),
  derivedTable('agent_standing', wrongAgentCounters, 'scores'),
];
