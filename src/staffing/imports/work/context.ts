import type { Clock } from '../../../platform/time/clock.ts';
import type { Deactivation, Reactivation } from '../deactivations.ts';
import type { Readers } from '../readers.ts';
import type { Task } from '../task.ts';
import { Cancelled, type Places, type WorkEvent } from '../work.ts';

/** What the steps of an import use, in its Worker. */
export interface WorkContext {
  task: Task;
  places: Places;
  readers: Readers;
  clock: Clock;
  onEvent(event: WorkEvent): void;
  isCancelled(): boolean;
}

/** The number of rows of an event. */
const ROWS = 2000;
/** The interval between two reports of the progress, in milliseconds. */
const EVERY_MS = 100;

/** Reports the progress of an import, and ends it when it was cancelled. */
export class Reporter {
  private reportedAt = Number.NEGATIVE_INFINITY;
  private step = '';
  private highest = 0;

  constructor(private readonly context: Pick<WorkContext, 'onEvent' | 'isCancelled'>) {}

  /**
   *  Reports how far the import is, at most ten times a second and at each new step. `share`: 0 to 1; a
   *  smaller
   * one than before is not reported. @throws Cancelled
   */
  at(step: string, rows: number, share: number): void {
    if (this.context.isCancelled()) throw new Cancelled();
    const now = performance.now();
    if (step === this.step && now - this.reportedAt < EVERY_MS) return;
    this.step = step;
    this.reportedAt = now;
    this.highest = Math.max(this.highest, share);
    this.context.onEvent({ event: 'progress', progress: { step, rows, share: this.highest } });
  }

  /**
   * Sends a list of deactivations in parts; at least one part, so that an empty list replaces the previous
   * one.
   */
  sendDeactivations(asOf: string, all: readonly Deactivation[]): void {
    let at = 0;
    do {
      this.context.onEvent({ event: 'deactivations', asOf, rows: all.slice(at, at + ROWS) });
      at += ROWS;
    } while (at < all.length);
  }

  /** Sends reactivations in parts. */
  sendReactivations(all: readonly Reactivation[]): void {
    for (let at = 0; at < all.length; at += ROWS) {
      this.context.onEvent({ event: 'reactivations', rows: all.slice(at, at + ROWS) });
    }
  }
}
