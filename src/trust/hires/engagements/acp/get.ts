import type { Store } from '../../../../platform/store/store.ts';
import { requireTask } from '../find-task.ts';
import { publicTask } from './task-view.ts';

/** Returns the public view of a task. @throws ApiError not_found */
export async function readTask({ store }: { store: Store }, taskId: string) {
  return store.read(async (snapshot) => publicTask(await requireTask(snapshot, taskId)));
}
