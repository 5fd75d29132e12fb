import type { LimitedLog } from '../../../../platform/monitoring/log-limit.ts';
import type { Store } from '../../../../platform/store/store.ts';
import type { Snapshot } from '../../../../platform/store/transaction.ts';
import type { JsonObject } from '../../../../proof/encoding/json.ts';
import { taskChanges } from '../../../hires/escrow/changes.ts';
import type { Principals } from '../../../operators/auth/authenticate.ts';
import { RpcError } from '../messages/rpc-error.ts';
import type { Task } from '../messages/task.ts';
import { taskById } from '../store.ts';
import { publicView, taskView } from '../tasks/view.ts';
import { TaskChannel, type TaskViews } from './channel.ts';
import { beginningOf, endsStream, type StreamForm } from './form.ts';
import { type StreamCaller, type StreamLimits, StreamSlots } from './stream-slots.ts';
import { type StreamAuthority, TaskStream } from './task-stream.ts';

/** The streams that are told in one turn of the event loop: each costs the thread about 30 µs. */
const STREAMS_PER_TURN = 32;
/** How often a stream without events sends a comment: the listener closes connections after 30 s. */
const KEEP_ALIVE_MS = 10_000;

/** Whose stream to open, and in which form. */
export interface StreamRequest {
  /** The id of the call, as JSON. */
  id: string;
  form: StreamForm;
  endsAtInput: boolean;
  isPublic: boolean;
  authority: StreamAuthority | null;
  /** Reads the task with which the stream begins. */
  read(snapshot: Snapshot): Promise<Task>;
}

/** The streams of a task, and those that are being opened. */
interface Followed {
  channel: TaskChannel;
  streams: Set<TaskStream>;
  openings: number;
  /** Whether the task changed since the last reading began. */
  isStale: boolean;
  isReading: boolean;
}

/** Turns of the event loop, so that others are served between the streams of a task with many. */
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** The streams of all tasks. They learn of changes after the commit, whoever makes them. */
export class TaskStreams {
  private readonly tasks = new Map<string, Followed>();
  private readonly streams = new Set<TaskStream>();
  private readonly slots: StreamSlots;
  private readonly forget: readonly (() => void)[];
  private timer: ReturnType<typeof setInterval> | null = null;
  private isSweeping = false;
  private sweepsAgain = false;
  private hasStopped = false;

  constructor(
    private readonly context: { store: Pick<Store, 'read'>; principals: Principals; failures: LimitedLog },
    limits: StreamLimits,
  ) {
    this.slots = new StreamSlots(limits);
    this.forget = [
      taskChanges.listen((taskId) => this.changed(taskId)),
      context.principals.listen(() => void this.sweep(false)),
    ];
  }

  /** The number of open streams. */
  get size(): number {
    return this.slots.size;
  }

  /** Takes the slot of a stream. @returns the function that frees it @throws Refusal rate */
  take(caller: StreamCaller): () => void {
    return this.slots.take(caller);
  }

  /**
   * Opens the stream of a task.
   * @param free frees the slot of the stream, when it has ended
   * @returns the body of the response
   * @throws errors of `read`
   */
  async open(taskId: string, request: StreamRequest, free: () => void): Promise<ReadableStream<Uint8Array>> {
    const followed = this.tasks.get(taskId) ?? {
      ...{ channel: new TaskChannel(taskId), streams: new Set<TaskStream>() },
      ...{ openings: 0, isStale: false, isReading: false },
    };
    const { channel } = followed;
    this.tasks.set(taskId, followed);
    followed.openings += 1;
    try {
      const position = channel.next;
      // What changes from here on is an event; the task may already have it.
      if (!channel.isKnown) await this.readInto(followed);
      const task = await this.context.store.read(request.read);
      const { id, form, isPublic, endsAtInput, authority } = request;
      const isOver = endsStream(task, endsAtInput) || this.hasStopped;
      const beginning = beginningOf(form, task, endsAtInput).map((result) => JSON.stringify(result));
      const stream: TaskStream = new TaskStream(
        { id, form, isPublic, endsAtInput, authority, closed: () => this.closed(stream, followed, free) },
        beginning,
        isOver ? null : channel,
        position,
      );
      if (!isOver) this.add(stream, followed);
      return stream.body();
    } catch (error) {
      free();
      throw error;
    } finally {
      followed.openings -= 1;
      this.release(followed);
    }
  }

  /** Ends all streams. Their clients can subscribe again. */
  stop(): void {
    this.hasStopped = true;
    for (const forget of this.forget) forget();
    for (const stream of this.streams) stream.end();
    this.stopTimer();
  }

  private add(stream: TaskStream, { streams }: Followed): void {
    streams.add(stream);
    this.streams.add(stream);
    this.timer ??= setInterval(() => void this.sweep(true), KEEP_ALIVE_MS);
  }

  private closed(stream: TaskStream, followed: Followed, free: () => void): void {
    free();
    followed.streams.delete(stream);
    this.streams.delete(stream);
    this.release(followed);
    if (this.streams.size === 0) this.stopTimer();
  }

  private stopTimer(): void {
    if (this.timer !== null) clearInterval(this.timer);
    this.timer = null;
  }

  private release({ channel, streams, openings }: Followed): void {
    if (streams.size === 0 && openings === 0) this.tasks.delete(channel.taskId);
  }

  /** Tells the streams of a task that it changed. Returns at once. */
  private changed(taskId: string): void {
    const followed = this.tasks.get(taskId);
    if (followed === undefined) return;
    followed.isStale = true;
    if (followed.isReading) return;
    followed.isReading = true;
    void this.follow(followed);
  }

  private async follow(followed: Followed): Promise<void> {
    const { channel, streams } = followed;
    try {
      while (followed.isStale) {
        followed.isStale = false;
        if (await this.readInto(followed)) await this.notify(streams);
      }
    } catch (err) {
      const { taskId } = channel;
      this.context.failures.error(err, { taskId }, 'cannot send an event to the streams of an A2A task');
      for (const stream of streams) stream.end();
    } finally {
      // Before any other job runs: a change after the last look at isStale must begin another reading.
      followed.isReading = false;
    }
  }

  /** Reads the task of a channel. @returns whether it changed */
  private async readInto({ channel, streams }: Followed): Promise<boolean> {
    const views = await this.context.store.read((snapshot) => viewsOf(snapshot, channel.taskId));
    if (views !== null) return channel.add(views);
    for (const stream of streams) stream.end(gone());
    return false;
  }

  private async notify(streams: ReadonlySet<TaskStream>): Promise<void> {
    for (const [index, stream] of [...streams].entries()) {
      if (index % STREAMS_PER_TURN === STREAMS_PER_TURN - 1) await turn();
      if (await isAllowed(stream)) stream.notify();
    }
  }

  /**
   * Ends the streams of callers that may not act any more.
   * @param keepsAlive whether the others send a comment
   */
  private async sweep(keepsAlive: boolean): Promise<void> {
    if (this.streams.size === 0) return;
    if (this.isSweeping) {
      this.sweepsAgain = true;
      return;
    }
    this.isSweeping = true;
    try {
      do {
        this.sweepsAgain = false;
        for (const [index, stream] of [...this.streams].entries()) {
          if (index % STREAMS_PER_TURN === STREAMS_PER_TURN - 1) await turn();
          if ((await isAllowed(stream)) && keepsAlive) stream.keepAlive();
        }
      } while (this.sweepsAgain);
    } catch (err) {
      this.context.failures.error(err, {}, 'cannot check the callers of A2A streams');
    } finally {
      this.isSweeping = false;
    }
  }
}

/** Returns whether the caller of a stream still may follow it; ends the stream if not. */
async function isAllowed(stream: TaskStream): Promise<boolean> {
  if (stream.authority === null || (await stream.authority.isActive())) return true;
  const details = 'the key, its scope or its session has ended, or its operator is not active.';
  stream.end(new RpcError('refused', details, { reason: 'UNAUTHORIZED' }).toJSON());
  return false;
}

function gone(): JsonObject {
  return new RpcError('task', 'the task was deleted after its time.').toJSON();
}

async function viewsOf(snapshot: Snapshot, taskId: string): Promise<TaskViews | null> {
  const row = await taskById(snapshot, taskId);
  if (row === null) return null;
  return {
    own: await taskView(snapshot, row, { historyLength: 0, artifacts: true }),
    public: await publicView(snapshot, row),
  };
}
