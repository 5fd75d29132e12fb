import type { Steps } from '../../proof/encoding/steps.ts';

/** How long requests compute, in milliseconds, before the event loop serves others. */
const MAX_STRETCH_MS = 3;

/**
 * Cuts long computations into slices, so that no request holds up the event loop. All requests of a process
 * share one object: a stretch is the time that they have computed together since the event loop last turned,
 * and they continue one after the other, one in each turn.
 */
export class Slices {
  /** When the stretch began; null until somebody asks in this turn. */
  private since: number | null = null;
  private readonly waiting: (() => void)[] = [];

  /**
   * @param now a monotonic clock in milliseconds
   * @param defer calls a function in the next turn of the event loop
   */
  constructor(
    private readonly now: () => number = () => performance.now(),
    private readonly defer: (turn: () => void) => void = setImmediate,
  ) {}

  /**
   * Gives the event loop back if the stretch has lasted too long.
   * @returns when to continue; undefined for at once
   */
  pause(): Promise<void> | undefined {
    const now = this.now();
    this.begin(now);
    return now - (this.since ?? now) < MAX_STRETCH_MS ? undefined : this.turn();
  }

  /** Gives the event loop back. Resolves in a later turn. */
  turn(): Promise<void> {
    this.begin(this.now());
    return new Promise((resolve) => {
      this.waiting.push(resolve);
    });
  }

  /** Runs a computation, and pauses before its steps. Rejects with what it throws. */
  async run<Result>(steps: Steps<Result>): Promise<Result> {
    for (;;) {
      const paused = this.pause();
      if (paused !== undefined) await paused;
      const step = steps.next();
      if (step.done === true) return step.value;
    }
  }

  private begin(now: number): void {
    if (this.since !== null) return;
    this.since = now;
    this.defer(this.next);
  }

  private readonly next = (): void => {
    const first = this.waiting.shift();
    this.since = first === undefined ? null : this.now();
    if (first === undefined) return;
    this.defer(this.next);
    first();
  };
}

/** The slices of this process. */
export const slices = new Slices();
