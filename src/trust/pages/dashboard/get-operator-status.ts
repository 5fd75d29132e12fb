import type { Store } from '../../../platform/store/store.ts';
import type { Snapshot } from '../../../platform/store/transaction.ts';
import type { Clock } from '../../../platform/time/clock.ts';
import { DAY_MS } from '../../../platform/time/units.ts';
import { commonErrors } from '../../http/errors.ts';
import type { OperatorActor } from '../../operators/auth/actor.ts';
import { operatorPayer } from '../../operators/quotas/authorities.ts';
import type { Quotas } from '../../operators/quotas/quotas.ts';
import type { OperatorsPolicy } from '../../operators/settings.ts';
import { type OperatorRow, operatorBySeq } from '../../operators/status.ts';
import type { GatePolicy } from '../../receipts/gate/settings.ts';
import { gateStatuses } from '../../receipts/gate/statuses.ts';
import { linkedStateOf } from '../../receipts/linked/state.ts';
import { countWebhooks } from '../../webhooks/count.ts';
import { operatorStatusOf } from './operator-status.ts';

/**
 * Returns the operator's dashboard: its status, its gate status in each domain, and its quota. A holder key
 * may read it only if the operator was created for its agent.
 * @throws ApiError forbidden for other holder keys
 */
export async function operatorStatus(
  context: { store: Store; clock: Clock; policy: GatePolicy & OperatorsPolicy; quotas: Quotas },
  { operatorSeq, role, selfProvisioned }: OperatorActor,
) {
  if (role === 'holder' && !selfProvisioned) {
    throw commonErrors.forbidden({
      message: 'A holder key cannot read the status of its sponsor. Use an issuer key.',
    });
  }
  const { store, policy, quotas } = context;
  return store.read(async (snapshot) => {
    const operator = await operatorBySeq(snapshot, operatorSeq);
    if (operator === null) throw new Error(`operator ${operatorSeq} does not exist`);
    const linked = await linkedStateOf(snapshot, operatorSeq);
    const { windowMs, sharePercent, minimumReceipts, newest, maxAbandonedPercent } = policy.rules;
    return {
      ...(await operatorStatusOf(snapshot, operator, policy.tiers)),
      ...(linked === null ? {} : { linked_account: linked }),
      gate: {
        sla: {
          window_days: windowMs / DAY_MS,
          share_percent: sharePercent,
          minimum_receipts: minimumReceipts,
          newest,
        },
        max_abandoned_share: maxAbandonedPercent,
        domains: await gateStatuses(snapshot, context, operator),
      },
      quota: await quotaOf(snapshot, quotas, operator),
    };
  });
}

/** Returns how much of its quota an operator has used; a limit of null means no limit. */
async function quotaOf(snapshot: Snapshot, quotas: Quotas, operator: OperatorRow) {
  const payer = operatorPayer(operator);
  const { writesPerMinute, storedBytes, webhooks } = quotas.quotaOf(payer);
  const use = await quotas.usageOf(snapshot, payer);
  return {
    writes_per_minute: { used: use.writesThisMinute, limit: writesPerMinute },
    stored_bytes: { used: use.storedBytes, limit: storedBytes },
    webhooks: { used: await countWebhooks(snapshot, operator.operatorSeq), limit: webhooks },
  };
}
