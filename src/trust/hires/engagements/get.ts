import type { Store } from '../../../platform/store/store.ts';
import { actsForAgent, findAgentIn } from '../../agents/agents.ts';
import type { Actor } from '../../operators/auth/actor.ts';
import { escrowView, publicView } from '../escrow/representation.ts';
import { mayRead } from './authorize-party.ts';
import { requireTask, unknownTask } from './engagement.ts';

/**
 * Returns an engagement of an agent that the caller may act for, or any to the local administrator.
 * @throws ApiError not_found, including for an engagement of others
 */
export async function readEngagement({ store }: { store: Store }, principal: Actor, taskId: string) {
  return store.read(async (snapshot) => {
    const state = await requireTask(snapshot, taskId);
    if (!(await mayRead(snapshot, principal, state))) throw unknownTask();
    return { engagement: escrowView(state) };
  });
}

/** The parties of an engagement that a key acts for. */
export interface OwnSides {
  hirer: boolean;
  worker: boolean;
  arbiter: boolean;
}

/**
 * Returns an engagement as `readEngagement`, and for which of its parties the caller may act.
 * @throws ApiError not_found, including for an engagement of others
 */
export async function readOwnEngagement({ store }: { store: Store }, principal: Actor, taskId: string) {
  return store.read(async (snapshot) => {
    const state = await requireTask(snapshot, taskId);
    if (!(await mayRead(snapshot, principal, state))) throw unknownTask();
    const actsFor = async (commitment: string | null): Promise<boolean> => {
      const agent = commitment === null ? null : await findAgentIn(snapshot, commitment);
      return agent !== null && actsForAgent(principal, agent);
    };
    const sides: OwnSides = {
      hirer: await actsFor(state.hirer),
      worker: await actsFor(state.worker),
      arbiter: await actsFor(state.arbiter),
    };
    return { engagement: escrowView(state), sides };
  });
}

/** Returns what anyone who knows the id of a task may see. @throws ApiError not_found */
export async function readPublicEngagement({ store }: { store: Store }, taskId: string) {
  return store.read(async (snapshot) => publicView(await requireTask(snapshot, taskId)));
}
