import type { Store } from '../../../platform/store/store.ts';
import type { Transaction } from '../../../platform/store/transaction.ts';
import { creditsOf, lockedOf, poolOf, UNCLAIMED } from '../../ledger/accounts.ts';
import { creditsIn } from '../../ledger/balances.ts';
import { movableIn } from '../../ledger/lots/move.ts';
import { totalOf } from '../../ledger/portions.ts';
import { type LedgerContext, postIn } from '../../ledger/post.ts';
import { operatorBySeq } from '../../operators/status.ts';
import {
  creditReturnsAfter,
  insertCreditReturn,
  removeCreditReturn,
  returningAgent,
} from './credit-return-store.ts';
import { inGroups } from './groups.ts';

/** The agents that are read at once. */
const BATCH = 100;
/** The batches of one run, so that it ends soon. */
const BATCHES = 20;

/** The reference of the movements. */
const REFERENCE = 'agent_revoked';

/**
 * Returns a task that returns the credits of revoked agents to the pools of their sponsors. Triggers queue an
 * agent when it is revoked and each time one of its engagements or withdrawals ends, so a run reads only
 * agents that changed. A run continues where the last one ended, so agents whose credits cannot be returned
 * do not stop the others; they stay queued.
 */
export function creditReturner(trust: LedgerContext & { store: Store }): () => Promise<void> {
  const { store } = trust;
  let after = 0;
  return async () => {
    const failures: unknown[] = [];
    for (let batch = 0; batch < BATCHES; batch++) {
      const from = after;
      const agents = await store.read((snapshot) =>
        creditReturnsAfter(snapshot, { after: from, limit: BATCH }),
      );
      failures.push(
        ...(await inGroups(agents, (agentSeq) =>
          store.writeAsService((tx) => returnCreditsIn(tx, trust, agentSeq)),
        )),
      );
      after = agents.length === BATCH ? (agents.at(-1) ?? 0) : 0;
      if (after === 0) break;
    }
    if (failures.length > 0)
      throw new AggregateError(
        failures,
        `the credits of ${failures.length} revoked agents cannot be returned`,
      );
  };
}

/** Returns the time of the clock while an agent is queued, if that is after `after`; else null. */
export async function nextReturnOf(
  { store, clock }: LedgerContext & { store: Store },
  after: number,
): Promise<number | null> {
  const now = clock.now();
  if (now <= after) return null;
  const queued = await store.read((snapshot) => creditReturnsAfter(snapshot, { after: 0, limit: 1 }));
  return queued.length === 0 ? null : now;
}

/**
 * Moves all credits of a revoked agent to the pool of its current sponsor, or to `unclaimed` without one. The
 * account of the sponsor may be inactive. The credits keep their class. Those of very many payments move in
 * several runs. Does nothing while credits are locked, the agent is frozen or may still be paid: when that
 * ends, the agent is queued again.
 * @throws ApiError conflict if the pool cannot hold more credits
 */
async function returnCreditsIn(tx: Transaction, ledger: LedgerContext, agentSeq: number): Promise<void> {
  await removeCreditReturn(tx, agentSeq);
  const agent = await returningAgent(tx, agentSeq);
  if (agent?.state !== 'REVOKED' || agent.frozenSince !== null || agent.isOpenWorker) return;
  if (totalOf(await creditsIn(tx, lockedOf(agent))) > 0) return;
  const from = creditsOf(agent);
  const credits = await creditsIn(tx, from);
  if (totalOf(credits) === 0) return;
  const portions = {
    ...credits,
    promotional: await movableIn(tx, from, 'promotional', credits.promotional),
    paid: await movableIn(tx, from, 'paid', credits.paid),
  };
  const sponsor = agent.sponsorSeq === null ? null : await operatorBySeq(tx, agent.sponsorSeq);
  await postIn(tx, ledger, {
    kind: 'ADJUSTMENT',
    from,
    to: sponsor === null ? UNCLAIMED : poolOf(sponsor),
    portions,
    reference: REFERENCE,
  });
  // The next run returns the rest.
  if (totalOf(portions) < totalOf(credits)) await insertCreditReturn(tx, { agentSeq });
}
