import type { Steps } from '../../proof/encoding/steps.ts';
import { anotherTurn } from './visits.ts';

/** How long requests compute, in milliseconds, before the event loop serves others. */
const MAX_STRETCH_MS = 1.5;

/**
 * Cuts long computations into slices, so that no request holds up the event loop. All requests of a process
 * share one object: a stretch is the time that they have computed together since the event loop last turned.
 * Each slice but the first waits for a turn of its request's payer.
 */
export class Slices {
  /** When the stretch began; null until somebody asks in this turn of the event loop. */
  private since: number | null = null;

  /**
   * @param now a monotonic clock in milliseconds
   * @param defer calls a function in the next turn of the event loop
   * @param wait resolves in a later turn of the event loop, when the computation may go on
   */
  constructor(
    private readonly now: () => number = () => performance.now(),
    private readonly defer: (turn: () => void) => void = setImmediate,
    private readonly wait: () => Promise<void> = anotherTurn,
  ) {}

  /**
   * Gives the event loop back if the stretch has lasted too long.
   * @returns when to continue; undefined for at once
   */
  pause(): Promise<void> | undefined {
    const now = this.now();
    if (this.since === null) this.begin(now);
    else if (now - this.since >= MAX_STRETCH_MS) return this.turn();
    return undefined;
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

  private async turn(): Promise<void> {
    await this.wait();
    this.begin(this.now());
  }

  private begin(since: number): void {
    this.since = since;
    this.defer(() => {
      // Another stretch may have begun in this turn.
      if (this.since === since) this.since = null;
    });
  }
}

/** The slices of this process. */
export const slices = new Slices();
