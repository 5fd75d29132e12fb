import type { Task, TaskEvent } from '../messages/task.ts';
import { endsStream, type StreamForm } from './form.ts';

/** The events that a channel keeps for streams that are not read: they are all that these cost. */
const MOST_KEPT = 16;

/** A task as its owner sees it, and as everybody does. */
export interface TaskViews {
  own: Task;
  public: Task;
}

/** The changes between two readings, in the order in which streams tell them. */
type Change = { kind: 'status' } | { kind: 'artifact'; index: number };

/** An event of a channel. It is written once for all streams that show it in the same way. */
interface ChannelEvent {
  change: Change;
  views: TaskViews;
  texts: Map<string, string>;
}

/** The newest events of a task. Its streams take them from here. */
export class TaskChannel {
  /** What was told last; null before the first reading. */
  private known: TaskViews | null = null;
  private readonly events: ChannelEvent[] = [];
  /** The number of the oldest event that is kept. */
  private oldest = 0;

  constructor(readonly taskId: string) {}

  /** Whether the task was read. */
  get isKnown(): boolean {
    return this.known !== null;
  }

  /** The number of the next event. */
  get next(): number {
    return this.oldest + this.events.length;
  }

  /** Adds what differs from the reading before. @returns whether there is anything to tell */
  add(views: TaskViews): boolean {
    const { known } = this;
    this.known = views;
    if (known === null || signatureOf(known.own) === signatureOf(views.own)) return false;
    const { artifacts } = views.own;
    const before = known.own.artifacts?.length ?? 0;
    const added = (artifacts ?? []).slice(before).map((_, index) => before + index);
    const changes: Change[] = [
      ...added.map((index) => ({ kind: 'artifact', index }) as const),
      { kind: 'status' },
    ];
    for (const change of changes) this.events.push({ change, views, texts: new Map() });
    const surplus = this.events.splice(0, Math.max(0, this.events.length - MOST_KEPT));
    this.oldest += surplus.length;
    return true;
  }

  /**
   * Returns the results that a stream sends next, as JSON. A stream that was not read for long misses events
   * that are not kept any more; the newest status is always among those that are.
   * @param from the number of the first
   */
  textsFrom(
    from: number,
    { form, isPublic, endsAtInput }: { form: StreamForm; isPublic: boolean; endsAtInput: boolean },
  ): { texts: string[]; next: number; isLast: boolean } {
    const texts: string[] = [];
    for (let number = Math.max(from, this.oldest); number < this.next; number++) {
      const event = this.events[number - this.oldest];
      if (event === undefined) break;
      const { change, views } = event;
      const task = isPublic ? views.public : views.own;
      const final = change.kind === 'status' && endsStream(task, endsAtInput);
      const name = `${form.name} ${isPublic} ${final}`;
      const written = event.texts.get(name) ?? textOf(form, change, task, final);
      event.texts.set(name, written);
      if (written !== '') texts.push(written);
      if (final) return { texts, next: number + 1, isLast: true };
    }
    return { texts, next: this.next, isLast: false };
  }
}

/** Returns an event as JSON; empty for an artifact that everybody may not see. */
function textOf(form: StreamForm, change: Change, task: Task, final: boolean): string {
  const event = eventOf(change, task, final);
  return event === null ? '' : JSON.stringify(form.writeEvent(event));
}

function eventOf(change: Change, task: Task, final: boolean): TaskEvent | null {
  if (change.kind === 'status') return { kind: 'status', task, final };
  const artifact = task.artifacts?.[change.index];
  return artifact === undefined ? null : { kind: 'artifact', task, artifact, index: change.index };
}

function signatureOf({ state, updatedAt, message, artifacts }: Task): string {
  return JSON.stringify([state, updatedAt, message?.messageId, message?.parts, artifacts?.length ?? 0]);
}
