import type { Snapshot } from '../../../../platform/store/transaction.ts';
import { isJsonObject, type JsonObject } from '../../../../proof/encoding/json.ts';
import { inOneGo, type Steps } from '../../../../proof/encoding/steps.ts';
import { escrowBySeq } from '../../../hires/escrow/state.ts';
import type { Artifact, Message, Task } from '../messages/task.ts';
import type { SkillResult } from '../skill.ts';
import { hireView } from '../skills/hire-view.ts';
import { type TaskRow, type WrittenMessage, writtenOf } from '../store.ts';
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

/** What is stored of a task, as far as it is shown. */
export interface TaskContent {
  row: TaskRow;
  escrow: SkillResult | null;
  /** The newest message; undefined for a task without any. */
  newest: WrittenMessage | undefined;
  /** The history, oldest first. */
  history: readonly WrittenMessage[];
  /** null if they are not shown. */
  artifacts: readonly string[] | null;
}

/** Reads what is shown of a task to its owner, and parses nothing: `taskSteps` does, outside transactions. */
export async function readTask(snapshot: Snapshot, row: TaskRow, extent: Extent): Promise<TaskContent> {
  const most = Math.min(extent.historyLength ?? MAX_MESSAGES, MAX_MESSAGES);
  // The newest message of the service is the status, even if no history is requested.
  const selection = { limit: Math.max(most, 1), withArtifacts: extent.artifacts };
  const { messages, artifacts } = await writtenOf(snapshot, row, selection);
  return {
    row,
    escrow: row.escrowSeq === null ? null : await escrowResult(snapshot, row),
    newest: messages.at(-1),
    history: newestWithin(most === 0 ? [] : messages.slice(-most), extent.maxHistory ?? MAX_HISTORY),
    artifacts: extent.artifacts ? artifacts : null,
  };
}

/** Returns the characters of what is parsed for a task. */
export function lengthOf({ history, artifacts }: TaskContent): number {
  const messages = history.reduce((sum, { content }) => sum + content.length, 0);
  return (artifacts ?? []).reduce((sum, content) => sum + content.length, messages);
}

/** Returns a task as its owner sees it, and pauses after each message: 100 take up to 8 ms. */
export function* taskSteps({ row, escrow, newest, history, artifacts }: TaskContent): Steps<Task> {
  const last = newest === undefined ? null : messageIn(newest.content);
  const shown: Message[] = [];
  for (const written of history) {
    shown.push(written === newest && last !== null ? last : messageIn(written.content));
    yield;
  }
  return {
    ...headOf(row, escrow),
    // What the service said is the status, unless the escrow has changed since.
    message:
      last?.role === 'agent' &&
      (escrow === null || ((newest?.createdAt ?? 0) >= row.updatedAt && !saysOtherStatus(last, escrow)))
        ? last
        : statusOf(row, escrow),
    history: shown,
    artifacts: artifacts === null ? null : [...artifacts.map(artifactIn), ...artifactsOfEscrow(row, escrow)],
  };
}

/** Returns a task as its owner sees it, with little history: a stream or a notification. */
export async function taskView(snapshot: Snapshot, row: TaskRow, extent: Extent): Promise<Task> {
  return inOneGo(taskSteps(await readTask(snapshot, row, extent)));
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

/** Returns the newest messages that a response has room for, oldest first. */
function newestWithin(written: readonly WrittenMessage[], most: number): WrittenMessage[] {
  let left = most;
  let from = written.length;
  while (from > 0) {
    left -= written[from - 1]?.content.length ?? 0;
    if (left < 0) break;
    from--;
  }
  return written.slice(from);
}
