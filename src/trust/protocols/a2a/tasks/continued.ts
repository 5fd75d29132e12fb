import type { Snapshot } from '../../../../platform/store/transaction.ts';
import type { Principal } from '../../../operators/auth/authenticate.ts';
import type { SendCommand } from '../messages/requests.ts';
import { skills } from '../skills/skills.ts';
import type { TaskRow } from '../store.ts';
import { describeOpenTasks, type OpenTask, openReferences, openTasksIn } from './open-tasks.ts';
import { type ParsedMessage, skillNamed, withReference } from './parsed-message.ts';
import { MAX_MESSAGES } from './view.ts';

/** The task that a message without a task id continues. */
export interface Continued {
  /** null for a new task. */
  row: TaskRow | null;
  /** Whether the message refers to the task; false if they only have the same context. */
  isReferenced: boolean;
  /** The other open tasks of the conversation, which the client can mean too. */
  openTasks: OpenTask[];
}

/**
 * Finds the task that a message without a task id continues, among the open tasks that it refers to, else
 * among those of its context:
 *
 * 1. the only one that asks for input, unless the message names another skill and is no action;
 * 2. the only one, if it has escrow and the message is exactly one action, such as `accept`;
 * 3. a task that has no skill yet, because it only asks what the client needs. The first two rules do not
 *    count it.
 */
export async function findContinued(
  snapshot: Snapshot,
  principal: Principal,
  { contextId, message }: SendCommand,
  parsed: ParsedMessage,
): Promise<Continued> {
  const references = message.referenceTaskIds ?? [];
  const referenced = await openReferences(snapshot, principal, references);
  const isReferenced = referenced.length > 0;
  const meant = withReference(parsed, references);
  // A decline that names somebody else's hire is about no task of the context.
  const isOfAnother = meant !== parsed && meant.data?.task_id !== undefined;
  const open =
    isReferenced || isOfAnother || contextId === null
      ? referenced
      : await openTasksIn(snapshot, principal, contextId);
  const row = continuedOf(open, parsed);
  const openTasks = await describeOpenTasks(
    snapshot,
    open.filter(({ taskSeq }) => taskSeq !== row?.taskSeq),
  );
  return { row, isReferenced, openTasks };
}

function continuedOf(open: readonly TaskRow[], parsed: ParsedMessage): TaskRow | null {
  const known = open.filter(({ skill }) => skill !== null);
  const named = skillNamed(parsed);
  const asking = onlyOf(known.filter(({ state }) => state === 'input-required'));
  if (asking !== null && (named === null || named === asking.skill || isAction(asking, parsed)))
    return asking;
  const only = onlyOf(known);
  if (only !== null && isAction(only, parsed)) return only;
  return open.find(({ skill, messages }) => skill === null && messages + 2 <= MAX_MESSAGES) ?? null;
}

/** Returns whether a message is exactly one action, for a task with escrow: it names no skill then. */
function isAction({ escrowSeq, skill: name }: TaskRow, { text, data }: ParsedMessage): boolean {
  if (escrowSeq === null) return false;
  const skill = skills.find(({ id }) => id === name);
  return (skill?.actionOf?.(text, data) ?? null) !== null;
}

function onlyOf(rows: readonly TaskRow[]): TaskRow | null {
  const [only = null, ...others] = rows;
  return others.length === 0 ? only : null;
}
