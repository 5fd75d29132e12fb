import type { JsonValue } from '../../../proof/encoding/json.ts';
import type { Capture, OpenCall, Outcome } from '../session/capture.ts';
import { answersDigest, inputDigest, resultDigest, withoutMeta } from './digests.ts';
import { keyOf, type Message, member, textMember } from './message.ts';
import type { Names } from './names.ts';
import { outcomeOf } from './outcome.ts';

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

/** What the response to a request of the client says: the result of a call, or the state of a task. */
type Awaited = { tracked: Tracked; says: 'result' | 'task' | 'task result' };

/** The states in which a task ends. */
const ENDED = ['completed', 'failed', 'cancelled'];
const CANCELLED: Outcome = { status: 'graceful_shutdown', reason: 'cancelled by the client' };
/** The parameters of a request are invalid: here, the id of a task that the server does not know any more. */
const INVALID_PARAMS = -32602;
/** The questions that are remembered while nobody answers them. */
const MAX_QUESTIONS = 1000;

/**
 * The calls of a session that have no outcome yet, and what both sides say of them. Responses are found by
 * the id of their request and its type. If several open requests have the same id, the oldest is meant.
 */
export class OpenCalls {
  private readonly open = new Set<Tracked>();
  private readonly awaited = new Map<string, Awaited[]>();
  private readonly tasks = new Map<string, Tracked>();
  /** Requests of the server that a person answers, by their id: the call that they belong to. */
  private readonly questions = new Map<string, Tracked | null>();

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
    const { method, params, id } = message.value;
    if (typeof method !== 'string') {
      this.answered(message);
      return null;
    }
    this.names.ofClient(method, params);
    const task = this.tasks.get(textMember(params, 'taskId') ?? '');
    if (method === 'tools/call') return this.called(message);
    if (method === 'notifications/cancelled') this.cancelled(member(params, 'requestId'));
    else if (task !== undefined) {
      if (method === 'tasks/get') this.await(id, { tracked: task, says: 'task' });
      if (method === 'tasks/result') this.await(id, { tracked: task, says: 'task result' });
      if (method === 'tasks/cancel') this.end(task, CANCELLED);
      if (method === 'tasks/update') this.addAnswer(task, message, member(params, 'inputResponses'));
    }
    return null;
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

  /** States that a call is not made after all. */
  drop(tracked: Tracked, reason: string): void {
    this.forget(tracked);
    tracked.call.drop(reason);
  }

  /** Ends all open calls: the server ended before it returned their results. */
  serverEnded(): void {
    for (const tracked of this.open)
      this.end(tracked, { status: 'terminal', reason: 'the server ended before it returned a result' });
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
  private retried({ value: { params } }: Message, digest: string): Tracked | null {
    const requestState = member(params, 'requestState');
    if (requestState === undefined && member(params, 'inputResponses') === undefined) return null;
    for (const tracked of this.open) {
      if (tracked.inputDigest !== digest || tracked.retry === null) continue;
      if (tracked.retry.requestState !== requestState) continue;
      tracked.retry = null;
      return tracked;
    }
    return null;
  }

  private begun({ value: { id, params }, isWhole }: Message, digest: string): Tracked {
    const { server } = this.names.parties(true);
    const tool = isWhole ? (textMember(params, 'name') ?? '(no name)') : '(too large)';
    const args = member(params, 'arguments');
    const traceparent = textMember(member(params, '_meta'), 'traceparent');
    const call = this.capture.begin({
      scope: `mcp:${server}:${tool}`,
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
    awaited.tracked.keys.add(key);
    const before = this.awaited.get(key);
    if (before === undefined) this.awaited.set(key, [awaited]);
    else before.push(awaited);
  }

  private responded(message: Message): void {
    const key = keyOf(message.value.id);
    const queue = this.awaited.get(key);
    const awaited = queue?.shift();
    if (queue?.length === 0) this.awaited.delete(key);
    if (awaited === undefined) return;
    const { tracked, says } = awaited;
    if (says === 'task') this.polled(tracked, message);
    else this.returned(tracked, message);
  }

  /** Reads the response to a call, or to a request for the result of its task. */
  private returned(tracked: Tracked, message: Message): void {
    const result = member(message.value, 'result');
    const type = textMember(result, 'resultType');
    if (type === 'input_required') {
      tracked.retry = { requestState: member(result, 'requestState') };
      return;
    }
    const created = type === 'task' ? result : member(result, 'task');
    const taskId = textMember(created, 'taskId');
    if (taskId !== undefined && tracked.taskId === null) {
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
    if (tracked === undefined || state === undefined || !ENDED.includes(status)) return;
    const result = member(state, 'result');
    if (result !== undefined || member(state, 'error') !== undefined)
      this.end(tracked, outcomeOf(message, state), result);
    else if (status === 'failed') this.end(tracked, { status: 'terminal', reason: 'the task failed' });
    else if (status === 'cancelled')
      this.end(tracked, { status: 'graceful_shutdown', reason: 'the task was cancelled' });
  }

  private cancelled(id: JsonValue | undefined): void {
    const awaited = this.awaited.get(keyOf(id))?.[0];
    if (id !== undefined && awaited?.says === 'result') this.end(awaited.tracked, CANCELLED);
  }

  /** Notes a question of the server to a person, if it can only belong to one call. */
  private asked(id: JsonValue | undefined): void {
    const [only = null] = this.open;
    if (only === null || id === undefined || this.questions.size >= MAX_QUESTIONS) return;
    this.questions.set(keyOf(id), this.open.size === 1 ? only : null);
  }

  private answered(message: Message): void {
    const { id, result } = message.value;
    const tracked = this.questions.get(keyOf(id));
    if (id === undefined || tracked === undefined) return;
    this.questions.delete(keyOf(id));
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
    if (tracked.taskId !== null) this.tasks.delete(tracked.taskId);
    for (const key of tracked.keys) {
      const others = (this.awaited.get(key) ?? []).filter((awaited) => awaited.tracked !== tracked);
      if (others.length === 0) this.awaited.delete(key);
      else this.awaited.set(key, others);
    }
  }
}
