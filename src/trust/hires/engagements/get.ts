import type { Store } from '../../../platform/store/store.ts';
import type { Principal } from '../../operators/auth/principals.ts';
import { escrowView } from '../escrow/representation.ts';
import { isParty } from './authorize-party.ts';
import { requireTask, unknownTask } from './engagement.ts';

/** Returns an engagement of an agent that the key may act for. @throws ApiError not_found, also for an engagement of others */
export async function readEngagement({ store }: { store: Store }, principal: Principal, taskId: string) {
  return store.read(async (snapshot) => {
    const state = await requireTask(snapshot, taskId);
    if (!(await isParty(snapshot, principal, state))) throw unknownTask();
    return { engagement: escrowView(state) };
  });
}

/** Returns any engagement. @throws ApiError not_found */
export async function showAsAdministrator({ store }: { store: Store }, taskId: string) {
  return store.read(async (snapshot) => ({ engagement: escrowView(await requireTask(snapshot, taskId)) }));
}
