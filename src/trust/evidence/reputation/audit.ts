import { checkedTable } from '../../../platform/audit/counts.ts';
import {
  acceptances,
  agentDays,
  clawBacks,
  countedReceipts,
  hirePayments,
  lostHeads,
  standings,
} from './audit/store.ts';

/** The tables of reputation that fsck audits: the counts that rates and scores derive from. */
export const audited = [
  checkedTable('agent_receipt', [countedReceipts], 'scores'),
  checkedTable('agent_day', [agentDays], 'scores'),
  checkedTable('agent_standing', [standings, lostHeads], 'scores'),
  checkedTable('accepted_delivery', [acceptances], 'scores'),
  checkedTable('claw_back', [clawBacks], 'scores'),
  checkedTable('hire_payment', [hirePayments], 'scores'),
];
