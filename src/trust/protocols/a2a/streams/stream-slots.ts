import { Refusal } from '../../../../platform/http/errors/errors.ts';

/** How many streams may be open at once. */
export interface StreamLimits {
  all: number;
  /** Of an operator; an address without a key has a tenth of it. */
  ofCaller: number;
}

/** Who opens a stream. */
export interface StreamCaller {
  /** The operator of a key, or a client address. */
  name: string;
  /** Whether it has a key. */
  hasKey: boolean;
  /** True for callers that anybody can be: those without a key, and FREE operators. */
  isAnybody: boolean;
}

/** The window in which the streams that a caller opens are counted, in milliseconds. */
const WINDOW_MS = 60_000;
/** The streams that a caller may open in a window, for each that it may have. */
const OPENINGS = 2;

/** Counts the open streams of callers, and those that they opened in the last minute. */
export class StreamSlots {
  private readonly open = new Map<string, number>();
  private readonly opened = new Map<string, number>();
  private all = 0;
  private ofAnybody = 0;
  private windowEnd = 0;

  constructor(
    private readonly limits: StreamLimits,
    private readonly now: () => number = () => performance.now(),
  ) {}

  get size(): number {
    return this.all;
  }

  /**
   * Takes a slot. Callers that anybody can be have half of all, so that they leave room for the others.
   * @returns the function that frees it
   * @throws Refusal rate at a limit
   */
  take({ name, hasKey, isAnybody }: StreamCaller): () => void {
    const { all, ofCaller } = this.limits;
    const most = hasKey ? ofCaller : Math.ceil(ofCaller / 10);
    const open = this.open.get(name) ?? 0;
    if (open >= most)
      throw refusal(
        `You have ${open} open streams, which is the limit. Close one, or read the task instead.`,
        10,
      );
    if (this.all >= all || (isAnybody && this.ofAnybody >= all / 2))
      throw refusal('The service has as many streams as it may have. Read the task instead.', 30);
    const now = this.now();
    if (now >= this.windowEnd) {
      this.opened.clear();
      this.windowEnd = now + WINDOW_MS;
    }
    const opened = this.opened.get(name) ?? 0;
    if (opened >= most * OPENINGS) {
      const wait = Math.max(1, Math.ceil((this.windowEnd - now) / 1000));
      throw refusal(`You opened ${opened} streams within a minute. Wait before you open another one.`, wait);
    }
    this.opened.set(name, opened + 1);
    this.count(name, 1, isAnybody);
    let isFree = false;
    return () => {
      if (isFree) return;
      isFree = true;
      this.count(name, -1, isAnybody);
    };
  }

  private count(name: string, change: 1 | -1, isAnybody: boolean): void {
    const left = (this.open.get(name) ?? 0) + change;
    if (left === 0) this.open.delete(name);
    else this.open.set(name, left);
    this.all += change;
    if (isAnybody) this.ofAnybody += change;
  }
}

function refusal(message: string, seconds: number): Refusal {
  return new Refusal('rate', { message, headers: { 'retry-after': String(seconds) } });
}
