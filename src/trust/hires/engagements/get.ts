import type { Store } from '../../../platform/store/store.ts';
import type { Actor } from '../../operators/auth/actor.ts';
import { escrowView } from '../escrow/representation.ts';
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
