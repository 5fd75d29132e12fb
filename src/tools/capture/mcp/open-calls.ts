import { isJsonObject, type JsonValue } from '../../../proof/encoding/json.ts';
import type { Capture, OpenCall, Outcome } from '../session/capture.ts';
import { answersDigest, inputDigest, resultDigest, withoutMeta } from './digests.ts';
import { isExactId, keyOf, type Message, member, textMember } from './message.ts';
import { type Names, toolName } from './names.ts';
import { outcomeOf } from './outcome.ts';
import { isResponse } from './server-lines.ts';

/** A call whose outcome is not known yet. */
export interface Tracked {
  readonly call: OpenCall;
  readonly inputDigest: string;
  /** The digests of what people and models answered during the call. */
  readonly answers: string[];
  /** The `requestState` that its retry repeats; null unless the server requires input (2026-07-28). */
  retry: { requestState: JsonValue | undefined } | null;
  taskId: string | null;
  /** The names of the requests whose responses belong to the call. */
  readonly keys: Set<string>;
}

/**
 * What the response to a request of the client says: the result of a call, or the state of a task. A request
 * with the id of another one that waits is awaited too, as `other`.
 */
type Awaited =
  | { tracked: Tracked; says: 'result' | 'task' | 'task result' }
  | { tracked: null; says: 'other' };

/** The states in which a task ends. */
const ENDED = ['completed', 'failed', 'cancelled'];
const CANCELLED: Outcome = { status: 'graceful_shutdown', reason: 'cancelled by the client' };
/** The parameters of a request are invalid: here, the id of a task that the server does not know any more. */
const INVALID_PARAMS = -32602;
const AMBIGUOUS: Outcome = {
  status: 'failure_tombstone',
  reason: 'outcome not observed: several requests have the same id',
};
const TOO_LARGE: Outcome = {
  status: 'failure_tombstone',
  reason: 'outcome not observed: the response is too large to be read',
};
/** The cancelled calls whose results are waited for. Servers need not respond to them. */
const MAX_CANCELLED = 1000;
/** The questions that are remembered while nobody answers them. */
const MAX_QUESTIONS = 1000;

/**
 * The calls of a session that have no outcome yet, and what both sides say of them. Responses are found by
 * the id of their request and its type. If several open requests have the same id, it is not known which one
 * a response means, and no outcome is claimed.
 */
export class OpenCalls {
  private readonly open = new Set<Tracked>();
  private readonly awaited = new Map<string, Awaited[]>();
  private readonly tasks = new Map<string, Tracked>();
  /** Requests of the server that a person answers, by their id: the call that they belong to. */
  private readonly questions = new Map<string, Tracked | null>();
  /** The open calls that the client cancelled. They end so, unless their results come. */
  private readonly cancelledCalls = new Set<Tracked>();
  /** The open calls for which the server requires input. */
  private readonly retries = new Set<Tracked>();
  /** Whether the client knows batches: it has sent one. */
  acceptBatches = false;

  constructor(
    private readonly capture: Capture,
    private readonly names: Names,
  ) {}

  /** Whether messages of the server matter now. */
  get areWaiting(): boolean {
    return this.open.size > 0 || this.awaited.size > 0 || this.names.isServerUnknown;
  }

  /** Whether a response of the client matters now: it may be the answer of a person. */
  get awaitAnswer(): boolean {
    return this.questions.size > 0;
  }

  /**
   * Reads a message of the client, before it goes on. @returns the call that it makes; null if it makes none
   */
  fromClient(message: Message): Tracked | null {
    const { method, params } = message.value;
    if (typeof method === 'string') this.names.ofClient(method, params);
    if (message.isCall) return this.called(message);
    if (typeof method === 'string') this.requested(method, message);
    else this.answered(message);
    return null;
  }

  /** Reads a request or a notification of the client that is no call. */
  private requested(method: string, message: Message): void {
    const { params, id } = message.value;
    const task = this.tasks.get(textMember(params, 'taskId') ?? '');
    if (method === 'notifications/cancelled') this.cancelled(member(params, 'requestId'));
    else if (method === 'tasks/get' && task !== undefined) this.await(id, { tracked: task, says: 'task' });
    else if (method === 'tasks/result' && task !== undefined)
      this.await(id, { tracked: task, says: 'task result' });
    else this.awaited.get(keyOf(id) ?? '')?.push({ tracked: null, says: 'other' });
    if (method === 'tasks/cancel' && task !== undefined) this.noteCancelled(task);
    if (method === 'tasks/update' && task !== undefined)
      this.addAnswer(task, message, member(params, 'inputResponses'));
  }

  /** Reads a message of the server. */
  fromServer(message: Message): void {
    const { method, params, id } = message.value;
    if (method === 'elicitation/create') this.asked(id);
    else if (method === 'notifications/tasks') this.taskIs(message, params);
    else if (method === undefined && id !== undefined) {
      this.names.ofServer(message.value.result);
      this.responded(message);
    }
  }

  /** Notes that the response to a request is too large to be read. */
  unread(id: JsonValue): void {
    for (const { tracked, says } of this.taken(id))
      if (tracked !== null && says !== 'task') this.end(tracked, TOO_LARGE);
  }

  /** States that a call is not made after all. */
  drop(tracked: Tracked, reason: string): void {
    this.forget(tracked);
    tracked.call.drop(reason);
  }

  /** Ends all open calls: the server ended before it returned their results. */
  serverEnded(): void {
    this.sessionEnded();
    for (const tracked of this.open)
      this.end(tracked, { status: 'terminal', reason: 'the server ended before it returned a result' });
  }

  /** Ends the calls that the client cancelled: no result comes any more. */
  sessionEnded(): void {
    for (const tracked of this.cancelledCalls) this.end(tracked, CANCELLED);
  }

  private called(message: Message): Tracked {
    const { id, params } = message.value;
    const digest = inputDigest(message);
    const tracked = this.retried(message, digest) ?? this.begun(message, digest);
    if (id !== undefined) this.await(id, { tracked, says: 'result' });
    const responses = member(params, 'inputResponses');
    if (responses !== undefined) this.addAnswer(tracked, message, responses);
    return tracked;
  }

  /**
   * Returns the call that a request continues: the oldest one with the same arguments for which the server
   * requires input, and whose state the request repeats.
   */
  private retried({ value: { params }, unclear }: Message, digest: string): Tracked | null {
    if (unclear !== null) return null;
    const requestState = member(params, 'requestState');
    if (requestState === undefined && member(params, 'inputResponses') === undefined) return null;
    for (const tracked of this.retries) {
      if (tracked.inputDigest !== digest || tracked.retry?.requestState !== requestState) continue;
      tracked.retry = null;
      this.retries.delete(tracked);
      return tracked;
    }
    return null;
  }

  private begun({ value: { id, params }, unclear }: Message, digest: string): Tracked {
    const { server } = this.names.parties(true);
    const tool = unclear === null ? (textMember(params, 'name') ?? '(no name)') : `(${unclear})`;
    const args = unclear === null ? member(params, 'arguments') : undefined;
    const traceparent = textMember(member(params, '_meta'), 'traceparent');
    const call = this.capture.begin({
      scope: `mcp:${server}:${toolName(tool)}`,
      inputDigest: digest,
      details: {
        method: 'tools/call',
        tool,
        ...(args === undefined ? {} : { arguments: args }),
        ...(typeof id === 'string' || typeof id === 'number' ? { requestId: id } : {}),
        ...(traceparent === undefined ? {} : { traceparent }),
      },
    });
    const tracked = {
      call,
      inputDigest: digest,
      answers: [],
      retry: null,
      taskId: null,
      keys: new Set<string>(),
    };
    this.open.add(tracked);
    return tracked;
  }

  private await(id: JsonValue | undefined, awaited: Awaited): void {
    const key = keyOf(id);
    if (key === null) return;
    awaited.tracked?.keys.add(key);
    const before = this.awaited.get(key);
    if (before === undefined) this.awaited.set(key, [awaited]);
    else before.push(awaited);
  }

  private responded(message: Message): void {
    const { id } = message.value;
    const awaited = this.taken(id);
    const [first] = awaited;
    if (first === undefined || first.tracked === null) return;
    if (awaited.length > 1 || !isExactId(id)) this.confused(awaited);
    else if (first.says === 'task') this.polled(first.tracked, message);
    else this.returned(first.tracked, message);
  }

  /** Returns what the response to an id can mean, which is awaited no more. */
  private taken(id: JsonValue | undefined): Awaited[] {
    const key = keyOf(id) ?? '';
    const awaited = this.awaited.get(key) ?? [];
    this.awaited.delete(key);
    return awaited;
  }

  /** Ends the calls of which one has an outcome that cannot be told from those of the others. */
  private confused(awaited: readonly Awaited[]): void {
    for (const { tracked, says } of awaited)
      if (tracked !== null && says !== 'task') this.end(tracked, AMBIGUOUS);
  }

  /** Reads the response to a call, or to a request for the result of its task. */
  private returned(tracked: Tracked, message: Message): void {
    const result = member(message.value, 'result');
    const type = textMember(result, 'resultType');
    if (type === 'input_required') {
      tracked.retry = { requestState: member(result, 'requestState') };
      this.retries.add(tracked);
      return;
    }
    const created = type === 'task' ? result : member(result, 'task');
    const taskId = textMember(created, 'taskId');
    if (taskId !== undefined && tracked.taskId === null) {
      const other = this.tasks.get(taskId);
      if (other !== undefined) {
        for (const one of [other, tracked]) this.end(one, AMBIGUOUS);
        return;
      }
      tracked.taskId = taskId;
      this.tasks.set(taskId, tracked);
      this.taskIs(message, created);
      return;
    }
    this.end(tracked, outcomeOf(message, message.value), result);
  }

  private polled(tracked: Tracked, message: Message): void {
    const { error, result } = message.value;
    if (member(error, 'code') === INVALID_PARAMS)
      this.end(tracked, {
        status: 'failure_tombstone',
        reason: 'outcome not observed: the server does not know the task any more',
      });
    else this.taskIs(message, result);
  }

  /** Reads the state of a task. What is completed without its result, as until 2025-11-25, stays open. */
  private taskIs(message: Message, state: JsonValue | undefined): void {
    const tracked = this.tasks.get(textMember(state, 'taskId') ?? '');
    const status = textMember(state, 'status') ?? '';
    if (tracked === undefined || !isJsonObject(state) || !ENDED.includes(status)) return;
    if (isResponse(state)) this.end(tracked, outcomeOf(message, state), state.result);
    else if (status === 'failed') this.end(tracked, { status: 'terminal', reason: 'the task failed' });
    else if (status === 'cancelled')
      this.end(tracked, { status: 'graceful_shutdown', reason: 'the task was cancelled' });
  }

  private cancelled(id: JsonValue | undefined): void {
    for (const { tracked, says } of this.awaited.get(keyOf(id) ?? '') ?? [])
      if (tracked !== null && says === 'result') this.noteCancelled(tracked);
  }

  /** Notes that the client cancelled a call. Its result can still come. */
  private noteCancelled(tracked: Tracked): void {
    this.cancelledCalls.add(tracked);
    const [oldest] = this.cancelledCalls;
    if (oldest !== undefined && this.cancelledCalls.size > MAX_CANCELLED) this.end(oldest, CANCELLED);
  }

  /** Notes a question of the server to a person, if it can only belong to one call. */
  private asked(id: JsonValue | undefined): void {
    const [only = null] = this.open;
    const key = keyOf(id);
    if (only === null || key === null || this.questions.size >= MAX_QUESTIONS) return;
    this.questions.set(key, this.open.size === 1 ? only : null);
  }

  private answered(message: Message): void {
    const { id, result } = message.value;
    const key = keyOf(id) ?? '';
    const tracked = this.questions.get(key);
    if (tracked === undefined) return;
    this.questions.delete(key);
    if (tracked !== null && this.open.has(tracked)) this.addAnswer(tracked, message, result);
  }

  private addAnswer(tracked: Tracked, message: Message, answer: JsonValue | undefined): void {
    if (answer !== undefined) tracked.answers.push(resultDigest(message, answer));
  }

  private end(tracked: Tracked, outcome: Outcome, result?: JsonValue): void {
    this.forget(tracked);
    const answerDigest = answersDigest(tracked.answers);
    tracked.call.end(outcome, {
      ...(result === undefined ? {} : { result: withoutMeta(result) }),
      ...(answerDigest === undefined ? {} : { answerDigest }),
    });
  }

  private forget(tracked: Tracked): void {
    this.open.delete(tracked);
    this.cancelledCalls.delete(tracked);
    this.retries.delete(tracked);
    if (tracked.taskId !== null) this.tasks.delete(tracked.taskId);
    for (const key of tracked.keys) {
      const others = (this.awaited.get(key) ?? []).filter((awaited) => awaited.tracked !== tracked);
      if (others.every((other) => other.tracked === null)) this.awaited.delete(key);
      else this.awaited.set(key, others);
    }
  }
}
