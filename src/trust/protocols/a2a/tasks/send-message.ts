import { nativePrimitives } from '../../../../platform/crypto/crypto.ts';
import { ApiError } from '../../../../platform/http/errors/errors.ts';
import type { Snapshot, Transaction } from '../../../../platform/store/transaction.ts';
import type { Clock } from '../../../../platform/time/clock.ts';
import { slices } from '../../../../platform/turns/slices.ts';
import { CanonicalJsonError } from '../../../../proof/encoding/canonical-json.ts';
import { digest, textDigest } from '../../../../proof/encoding/digest.ts';
import { isJsonObject, type JsonObject, parseCanonicalJson } from '../../../../proof/encoding/json.ts';
import { taskChanges } from '../../../hires/escrow/changes.ts';
import type { Principal } from '../../../operators/auth/authenticate.ts';
import type { AttachPush } from '../messages/push-config.ts';
import type { SendCommand } from '../messages/requests.ts';
import { RpcError } from '../messages/rpc-error.ts';
import { type Artifact, hasEnded, type Part, type Task } from '../messages/task.ts';
import type { Outcome, SkillContext, Work } from '../skill.ts';
import { skills } from '../skills/skills.ts';
import {
  insertArtifact,
  insertTask,
  setLastReply,
  type TaskRow,
  taskByClientId,
  taskById,
  taskByRepetition,
  taskOfLastReply,
  updateTask,
} from '../store.ts';
import { appendAgentMessageIn, appendMessageIn, contentOf } from './append.ts';
import { findContinued } from './continued.ts';
import { findOwnTask, unknownTask } from './find.ts';
import { conversationOf, describeOpenTasks, type OpenTask, openTasksIn, openTaskView } from './open-tasks.ts';
import { decide, type ParsedMessage, parseMessage, withReference } from './parsed-message.ts';
import { outcomeOfError } from './skill-errors.ts';
import { MAX_MESSAGES, readTask, type TaskContent, taskSteps } from './view.ts';

/** The most characters of a message as JSON. */
const MAX_CONTENT = 65_536;
/** How long a repeated message is recognized. */
const REPETITION_MS = 24 * 60 * 60 * 1000;
/** How often a message is handled again because another one changed its task meanwhile. */
const MAX_ATTEMPTS = 10;

/** What a message leads to: the skill, its input so far, and its outcome or the work that has it. */
interface Plan {
  skill: string | null;
  input: JsonObject | null;
  work: Outcome | Work;
}

/** A message that is being handled, and its task as it was read before the transaction. */
interface Sending {
  trust: SkillContext;
  principal: Principal;
  command: SendCommand;
  /** Identifies a repetition of the message. */
  repetition: string;
  known: TaskRow | null;
  taskId: string;
  parsed: ParsedMessage;
  /** True if the message has neither the id of its task nor a reference to it, only the same context. */
  isByContext: boolean;
  /** The other open tasks of the conversation. */
  openTasks: readonly OpenTask[];
  /** Stores where the client is told of the task; null for nowhere. */
  attachPush: AttachPush | null;
}

/** An error of the work of a skill, which rolls its transaction back. */
class WorkRefused extends Error {
  constructor(readonly error: ApiError) {
    super(error.message);
  }
}

/** The task changed between the first read and the transaction. */
class TaskChanged extends Error {}

/** A repeated message. */
class Repeated {
  constructor(readonly task: TaskContent) {}
}

/**
 * Gives a message to a task, or begins one. Runs the skill that the message asks for. Stores messages, state
 * and result with its effects in one transaction. A message that was received in the last 24 hours, with the
 * same messageId and content, returns its task as it is now.
 * @param attachPush stores where the client is told of the task, with the message
 * @throws RpcError for an unknown, ended or full task; ApiError for a key that may not write, and at a quota
 */
export async function sendMessage(
  trust: SkillContext,
  principal: Principal,
  command: SendCommand,
  attachPush: AttachPush | null = null,
): Promise<Task> {
  const content = contentOf(command.message);
  if (content.length > MAX_CONTENT) {
    const description = `must have at most ${MAX_CONTENT} characters as JSON`;
    throw new RpcError('params', `message ${description}.`, {
      violations: [{ field: 'message', description }],
    });
  }
  const repetition = repetitionOf(principal, command);
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    try {
      return await slices.run(taskSteps(await sendOnce(trust, principal, command, repetition, attachPush)));
    } catch (error) {
      if (!(error instanceof TaskChanged)) throw error;
    }
  }
  throw new RpcError('refused', 'the task changes while the message is handled. Send it again.');
}

async function sendOnce(
  trust: SkillContext,
  principal: Principal,
  command: SendCommand,
  repetition: string,
  attachPush: AttachPush | null,
): Promise<TaskContent> {
  const { historyLength } = command;
  const parsed = parseMessage(command.message, command.metadata);
  const before = await trust.store.read(async (snapshot) => {
    const repeated = await repeatedTaskIn(snapshot, trust, command, repetition);
    if (repeated !== null)
      return new Repeated(await readTask(snapshot, repeated, { historyLength, artifacts: true }));
    return knownTaskIn(snapshot, principal, command, parsed);
  });
  if (before instanceof Repeated) return before.task;
  const { row: known, isByContext, openTasks } = before;
  if (known === null && command.taskId !== null && !command.mayBegin) throw unknownTask(command.taskId);
  if (known !== null) requireOpen(known, command);
  const taskId = known?.taskId ?? trust.ids.newId('a2a_');
  const meant = known === null ? withReference(parsed, command.message.referenceTaskIds ?? []) : parsed;
  const about = { repetition, known, taskId, parsed: meant, isByContext, openTasks };
  const sending = { trust, principal, command, attachPush, ...about };
  const { plan, decline } = await planOf(sending);
  try {
    return await trust.store.write(principal.authority, (tx) => storeIn(tx, sending, plan));
  } catch (error) {
    if (!(error instanceof WorkRefused)) throw error;
    const work = decline(error.error);
    return trust.store.write(principal.authority, (tx) => storeIn(tx, sending, { ...plan, work }));
  }
}

/**
 * Returns the task that already has a message; null for a new message. A message of 0.1 has no id: while its
 * task asks for input, the same words can be meant for two questions.
 */
async function repeatedTaskIn(
  snapshot: Snapshot,
  { clock }: { clock: Clock },
  { message }: SendCommand,
  repetition: string,
): Promise<TaskRow | null> {
  const repeated = await taskByRepetition(snapshot, { repetition, after: clock.now() - REPETITION_MS });
  const isNew = repeated?.state === 'input-required' && message.messageId === '';
  return isNew ? null : repeated;
}

/** Returns the task that a message is for: by its id, else by what it refers to or by its context. */
async function knownTaskIn(
  snapshot: Snapshot,
  principal: Principal,
  command: SendCommand,
  parsed: ParsedMessage,
): Promise<{ row: TaskRow | null; isByContext: boolean; openTasks: readonly OpenTask[] }> {
  const { taskId, contextId } = command;
  if (taskId === null) {
    const { row, isReferenced, openTasks } = await findContinued(snapshot, principal, command, parsed);
    return { row, isByContext: !isReferenced, openTasks };
  }
  const row = await findOwnTask(snapshot, principal, taskId);
  const rows = await openTasksIn(snapshot, principal, row?.contextId ?? contextId ?? '');
  const others = rows.filter(({ taskSeq }) => taskSeq !== row?.taskSeq);
  return { row, isByContext: false, openTasks: await describeOpenTasks(snapshot, others) };
}

/** @throws RpcError for a task that takes no message, or that is of another context */
function requireOpen(row: TaskRow, { taskId, contextId }: SendCommand): void {
  if (taskId !== null && contextId !== null && contextId !== row.contextId) {
    const description = 'is not the context of the task: leave it out';
    throw new RpcError('params', `contextId ${description}.`, {
      violations: [{ field: 'contextId', description }],
    });
  }
  if (hasEnded(row.state)) {
    throw new RpcError(
      'unsupported',
      `the task is ${row.state}. Begin a new one by a message without a task id.`,
    );
  }
  if (row.messages + 2 > MAX_MESSAGES) {
    throw new RpcError('unsupported', `the task has ${MAX_MESSAGES} messages, its limit. Begin a new one.`);
  }
}

/**
 * Decides what a message leads to, and runs what the skill does before the transaction.
 * @returns the plan, and a function for the outcome when the plan's work is refused
 */
async function planOf({
  trust,
  principal,
  known,
  taskId,
  parsed,
  isByContext,
  openTasks,
}: Sending): Promise<{ plan: Plan; decline: (error: ApiError) => Outcome }> {
  const escrowSeq = known?.escrowSeq ?? null;
  const task = { taskId, escrowSeq, createdAt: known?.createdAt ?? trust.clock.now() };
  const mayPayIn = async (snapshot: Snapshot): Promise<boolean> => {
    if (!isByContext || known === null) return true;
    const named = await taskOfLastReply(snapshot, conversationOf(principal, known.contextId));
    return named === known.taskSeq;
  };
  const call = { trust, principal, text: parsed.text, task, mayPayIn };
  const stored = { skill: known?.skill ?? null, input: known === null ? {} : inputOf(known) };
  const following = escrowSeq === null ? null : (skills.find(({ id }) => id === stored.skill) ?? null);
  const decision =
    following === null
      ? decide(stored, parsed, openTasks)
      : { skill: following, input: stored.input, question: null };
  const { skill, input, question } = decision;
  const decline = (error: ApiError): Outcome => outcomeOfError(error, skill, known);
  const planned = (work: Outcome | Work) => ({
    plan: { skill: skill?.id ?? null, input: skill === null ? null : input, work },
    decline,
  });
  if (question !== null) return planned(question);
  try {
    if (following === null) return planned(await skill.run(call, input));
    if (following.follow === undefined)
      throw new RpcError('unsupported', 'the task takes no message while it works.');
    return planned(await following.follow(call, parsed.data));
  } catch (error) {
    if (error instanceof ApiError) return planned(decline(error));
    throw error;
  }
}

async function storeIn(
  tx: Transaction,
  sending: Sending,
  { skill, input, work }: Plan,
): Promise<TaskContent> {
  const { trust, principal, command, known, taskId, repetition, openTasks } = sending;
  const { historyLength } = command;
  const repeated = await repeatedTaskIn(tx, trust, command, repetition);
  if (repeated !== null) return readTask(tx, repeated, { historyLength, artifacts: true });
  await requireUnchangedIn(tx, sending);
  const outcome = await outcomeIn(tx, work);
  // Read after the work, so that what the service says now is not older than the state of the escrow.
  const now = trust.clock.now();
  const { state } = outcome;
  const changed = { skill, input: input === null ? null : JSON.stringify(input), state, updatedAt: now };
  const contextId = known?.contextId ?? command.contextId ?? trust.ids.newId('ctx_');
  let taskSeq = known?.taskSeq;
  if (taskSeq === undefined) {
    taskSeq = await insertTask(tx, {
      ...changed,
      taskId,
      operatorSeq: principal.operatorSeq,
      clientId: command.taskId,
      commitment: principal.role === 'holder' ? principal.subjectCommitment : null,
      contextId,
      escrowSeq: outcome.escrowSeq ?? null,
      createdAt: now,
    });
  } else if (known?.escrowSeq === null) {
    taskChanges.changedIn(tx, taskId);
    // The state of a task with escrow follows its escrow.
    await updateTask(tx, { ...changed, taskSeq, escrowSeq: outcome.escrowSeq ?? null });
  }
  const message = { ...command.message, messageId: command.message.messageId || trust.ids.newId('msg_') };
  await appendMessageIn(tx, taskSeq, message, repetition, now);
  const parts = partsOf(withHints(outcome, skill, openTasks));
  const hasEscrow = (outcome.escrowSeq ?? known?.escrowSeq ?? null) !== null;
  if (state === 'completed' && !hasEscrow && skill !== null) {
    const artifact: Artifact = { artifactId: trust.ids.newId('art_'), name: skill, parts };
    const content = JSON.stringify(artifact);
    await insertArtifact(tx, {
      taskSeq,
      content,
      digest: textDigest(nativePrimitives, content),
      createdAt: now,
    });
  } else {
    await appendAgentMessageIn(tx, trust, taskSeq, parts);
  }
  const listed = skill === null ? openTasks.filter(({ amount }) => amount !== null) : [];
  const named = hasEscrow ? taskSeq : listed.length === 1 ? (listed[0]?.taskSeq ?? null) : null;
  await setLastReply(tx, conversationOf(principal, contextId), named);
  const row = await taskById(tx, taskId);
  if (row === null) throw new Error(`${taskId} was not stored`);
  if (sending.attachPush !== null) {
    await sending.attachPush(tx, row);
    taskChanges.changedIn(tx, taskId);
  }
  return readTask(tx, row, { historyLength, artifacts: true });
}

/** @throws TaskChanged */
async function requireUnchangedIn(
  tx: Transaction,
  { principal, command, known, taskId }: Sending,
): Promise<void> {
  if (known !== null) {
    const row = await taskById(tx, taskId);
    if (row?.messages === known.messages && row.state === known.state) return;
    throw new TaskChanged();
  }
  const { taskId: clientId } = command;
  if (clientId === null) return;
  if ((await taskByClientId(tx, { operatorSeq: principal.operatorSeq, clientId })) === null) return;
  if ((await findOwnTask(tx, principal, clientId)) !== null) throw new TaskChanged();
  throw new RpcError('refused', 'another agent of the operator has a task with this id. Choose another id.');
}

async function outcomeIn(tx: Transaction, work: Outcome | Work): Promise<Outcome> {
  if (typeof work !== 'function') return work;
  try {
    return await work(tx);
  } catch (error) {
    // The savepoint must be rolled back before the task records the reason.
    throw error instanceof ApiError ? new WorkRefused(error) : error;
  }
}

/**
 * Adds to the data of a question what the next message should have, and the other open tasks of the
 * conversation, for clients that do not read its text.
 */
function withHints(outcome: Outcome, skill: string | null, openTasks: readonly OpenTask[]): Outcome {
  if (outcome.state !== 'input-required') return outcome;
  const hints = { skill, missing: outcome.missing ?? [], open_tasks: openTasks.map(openTaskView) };
  return { ...outcome, data: { ...outcome.data, ...hints } };
}

function partsOf({ text, data }: Outcome): Part[] {
  return data === null ? [{ text }] : [{ text }, { data }];
}

/** Returns the input that is stored with a task. */
function inputOf({ input }: TaskRow): JsonObject {
  const value = input === null ? {} : parseCanonicalJson(input);
  return isJsonObject(value) ? value : {};
}

/**
 * Returns what identifies a message: its sender, its text and the task and context that it names.
 * @throws RpcError for a message with a number such as 1e999, which has no canonical form
 */
function repetitionOf(
  { operatorSeq, role, subjectCommitment }: Principal,
  { message, taskId, contextId, metadata }: SendCommand,
): string {
  const sender = { operatorSeq, agent: role === 'holder' ? subjectCommitment : null };
  try {
    return digest(nativePrimitives, { sender, message: { ...message }, taskId, contextId, metadata });
  } catch (error) {
    if (!(error instanceof CanonicalJsonError)) throw error;
    const description = `has no canonical form: ${error.message}`;
    throw new RpcError('params', `message ${description}.`, {
      violations: [{ field: 'message', description }],
    });
  }
}
