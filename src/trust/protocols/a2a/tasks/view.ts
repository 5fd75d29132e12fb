import type { Snapshot } from '../../../../platform/store/transaction.ts';
import { isJsonObject, type JsonObject } from '../../../../proof/encoding/json.ts';
import { escrowBySeq } from '../../../hires/escrow/state.ts';
import type { Artifact, Message, Task } from '../messages/task.ts';
import type { SkillResult } from '../skill.ts';
import { hireView } from '../skills/hire-view.ts';
import { type TaskRow, writtenOf } from '../store.ts';
import { artifactIn, messageIn } from './stored.ts';

/** The most messages of a task. */
export const MAX_MESSAGES = 100;
/** The most characters of history in one response. Older messages are left out. */
const MAX_HISTORY = 1_048_576;

/** How much of a task to show. */
export interface Extent {
  /** null for all messages. */
  historyLength: number | null;
  artifacts: boolean;
  /** The most characters of messages; a mebibyte by default. */
  maxHistory?: number;
}

/** Returns a task as its owner sees it. */
export async function taskView(snapshot: Snapshot, row: TaskRow, extent: Extent): Promise<Task> {
  const most = Math.min(extent.historyLength ?? MAX_MESSAGES, MAX_MESSAGES);
  // The newest message of the service is the status, even if no history is requested.
  const selection = { limit: Math.max(most, 1), withArtifacts: extent.artifacts };
  const { messages: written, artifacts: stored } = await writtenOf(snapshot, row, selection);
  const escrow = row.escrowSeq === null ? null : await escrowResult(snapshot, row);
  const newest = written.at(-1);
  const last = newest === undefined ? null : messageIn(newest.content);
  return {
    ...headOf(row, escrow),
    // What the service said is the status, unless the escrow has changed since.
    message:
      last?.role === 'agent' &&
      (escrow === null || ((newest?.createdAt ?? 0) >= row.updatedAt && !saysOtherStatus(last, escrow)))
        ? last
        : statusOf(row, escrow),
    history: newestWithin(most === 0 ? [] : written.slice(-most), last, extent.maxHistory ?? MAX_HISTORY),
    artifacts: extent.artifacts ? [...stored.map(artifactIn), ...artifactsOfEscrow(row, escrow)] : null,
  };
}

/** Returns the public view of a task, for those who know the service's id: its state and its escrow. */
export async function publicView(snapshot: Snapshot, row: TaskRow): Promise<Task> {
  const { skill: _, ...head } = row;
  const shown = headOf(
    { ...head, skill: null, clientId: null, contextId: row.taskId },
    await escrowResult(snapshot, row),
  );
  return { ...shown, message: null, history: [], artifacts: null };
}

/** Returns what the service says about the escrow of a task; null for a task without escrow. */
export async function escrowResult(
  snapshot: Snapshot,
  { escrowSeq }: Pick<TaskRow, 'escrowSeq'>,
): Promise<SkillResult | null> {
  if (escrowSeq === null) return null;
  const state = await escrowBySeq(snapshot, escrowSeq);
  if (state === null) throw new Error(`there is no escrow ${escrowSeq}`);
  return hireView(state);
}

function headOf(row: TaskRow, escrow: SkillResult | null) {
  const metadata: JsonObject = {
    taskId: row.taskId,
    ...(row.skill === null ? {} : { skill: row.skill }),
    ...(escrow === null ? {} : { escrow: escrow.data }),
  };
  return {
    id: row.clientId ?? row.taskId,
    taskId: row.taskId,
    contextId: row.contextId,
    state: row.state,
    updatedAt: row.updatedAt,
    metadata,
  };
}

/** Returns the message of the escrow. It is not stored, and has the same id until the escrow changes. */
function statusOf({ taskId, updatedAt }: TaskRow, escrow: SkillResult | null): Message | null {
  if (escrow === null) return null;
  return { messageId: `${taskId}-${updatedAt}`, role: 'agent', parts: [{ text: escrow.text }] };
}

/**
 * Returns whether a message is about another status of the escrow. Times do not show it: they can be equal.
 */
function saysOtherStatus({ parts }: Message, { data: now }: SkillResult): boolean {
  const said = parts.map((part) => ('data' in part ? part.data : null)).find(isJsonObject);
  return said?.status !== undefined && said.status !== now?.status;
}

/** Returns the result of a paid task. */
function artifactsOfEscrow({ state, taskId }: TaskRow, escrow: SkillResult | null): Artifact[] {
  if (escrow === null || state !== 'completed') return [];
  const data = escrow.data === null ? [] : [{ data: escrow.data }];
  return [{ artifactId: `${taskId}-escrow`, name: 'escrow', parts: [{ text: escrow.text }, ...data] }];
}

/**
 * Returns the newest messages that a response has room for, oldest first.
 * @param last the newest one, which is parsed already
 */
function newestWithin(
  written: readonly { content: string }[],
  last: Message | null,
  most: number,
): Message[] {
  let left = most;
  const shown: Message[] = [];
  for (const { content } of written.toReversed()) {
    left -= content.length;
    if (left < 0) break;
    shown.push(shown.length === 0 && last !== null ? last : messageIn(content));
  }
  return shown.reverse();
}
