import escrow from '../../../../db/trust/migrations/0016_escrow.sql' with { type: 'text' };
import creditReturns from '../../../../db/trust/migrations/0035_credit_returns.sql' with { type: 'text' };
import standstill from '../../../../db/trust/migrations/0047_standstill.sql' with { type: 'text' };
import hireEvidence from '../../../../db/trust/migrations/0065_hire_evidence.sql' with { type: 'text' };
import workerDeliveries from '../../../../db/trust/migrations/0066_worker_deliveries.sql' with {
  type: 'text',
};
import hireDisputes from '../../../../db/trust/migrations/0067_hire_disputes.sql' with { type: 'text' };
import arbiterRefusals from '../../../../db/trust/migrations/0070_arbiter_refusals.sql' with { type: 'text' };
import hireCosts from '../../../../db/trust/migrations/0072_hire_costs.sql' with { type: 'text' };
import returnReceipts from '../../../../db/trust/migrations/0075_return_receipts.sql' with { type: 'text' };
import type { ModuleEntry } from '../../../platform/module.ts';
import { escrowEvents } from './events.ts';
import { escrowSettings } from './settings.ts';

/** Escrow: credits that are locked for a task until it is delivered and accepted, cancelled or expired. */
export const escrowModule = {
  name: 'escrow',
  events: escrowEvents,
  settings: Object.values(escrowSettings),
  migrations: [
    { name: '0016_escrow', sql: escrow },
    { name: '0035_credit_returns', sql: creditReturns },
    { name: '0047_standstill', sql: standstill },
    { name: '0065_hire_evidence', sql: hireEvidence },
    { name: '0066_worker_deliveries', sql: workerDeliveries },
    { name: '0067_hire_disputes', sql: hireDisputes, rebuild: true },
    { name: '0070_arbiter_refusals', sql: arbiterRefusals },
    { name: '0072_hire_costs', sql: hireCosts, rebuild: true },
    { name: '0075_return_receipts', sql: returnReceipts },
  ],
  audit: () => import('./audit.ts'),
} satisfies ModuleEntry;
