import type { Snapshot } from '../../platform/store/transaction.ts';
import { operatorPayer } from '../operators/quotas/authorities.ts';
import type { Payer } from '../operators/quotas/quotas.ts';
import { operatorBySeq } from '../operators/status.ts';
import type { AgentRow } from './store.ts';

/** Returns who pays for what an agent signs: its sponsor, else the agent itself. */
export async function agentPayer(
  snapshot: Snapshot,
  { agentSeq, sponsorSeq }: Pick<AgentRow, 'agentSeq' | 'sponsorSeq'>,
): Promise<Payer> {
  const sponsor = sponsorSeq === null ? null : await operatorBySeq(snapshot, sponsorSeq);
  if (sponsor !== null) return operatorPayer(sponsor);
  return { payer: 'agent', payerSeq: agentSeq, isFree: true };
}
