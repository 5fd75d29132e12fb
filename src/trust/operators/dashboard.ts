import type { Desk } from '../context.ts';
import { gateStandings } from '../gate/service.ts';
import { DAY_MS } from '../gate/verdict.ts';
import type { Principal } from './principals.ts';
import { operatorBySeq, statusOf } from './service.ts';

/** Returns the operator's dashboard: its figures, and how it stands at the gate in each domain. */
export async function operatorStatus(desk: Desk, { operatorSeq }: Principal) {
  const { store, rules } = desk;
  return store.read((snapshot) => {
    const operator = operatorBySeq(snapshot, operatorSeq);
    if (operator === undefined) throw new Error(`operator ${operatorSeq} is gone`);
    const { windowMs, sharePercent, minimumReceipts, newest } = rules.sla;
    return {
      ...statusOf(snapshot, operator, rules.tiers),
      gate: {
        sla: {
          window_days: windowMs / DAY_MS,
          share_percent: sharePercent,
          minimum_receipts: minimumReceipts,
          newest,
        },
        domains: gateStandings(snapshot, desk, operator),
      },
    };
  });
}
