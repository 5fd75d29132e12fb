import type { Problem } from '../sending/problem.ts';

/** The first pause, in milliseconds. Each further one is twice as long. */
const FIRST_MS = 1000;
const LONGEST_MS = 60_000;
/**
 * The longest pause that a service gets. A session can outlive what made it ask, and a timer of more than 24
 * days would end at once.
 */
const LONGEST_ASKED_MS = 60 * 60_000;

/** What is sent after a pause. */
interface Sending {
  /** Sends what was spooled, in order. @returns why nothing more can be sent; null if it can */
  tryAgain(): Promise<Problem | null>;
  /** Returns whether something was spooled meanwhile. */
  isBehind(): boolean;
}

/**
 * The times in which a session sends nothing at once, because the service did not respond, or asked to wait.
 */
export class Pauses {
  private timer: Timer | null = null;
  private running: Promise<void> | null = null;
  private pauses = 0;
  private isPaused = false;

  constructor(private readonly sending: Sending) {}

  /** Returns whether calls are sent as they begin. */
  get isOver(): boolean {
    return !this.isPaused;
  }

  /** Begins a pause, unless there is one. @param retryAfterMs what the service asks for; null for nothing */
  begin(retryAfterMs: number | null): void {
    if (this.isPaused) return;
    this.isPaused = true;
    this.wait(retryAfterMs);
  }

  /** Resolves when nothing is being sent after a pause. */
  async idle(): Promise<void> {
    await this.running;
  }

  /** Ends the waiting. */
  end(): void {
    this.isPaused = true;
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
  }

  private wait(retryAfterMs: number | null): void {
    const ms = pauseMs(retryAfterMs, this.pauses);
    this.pauses += 1;
    this.timer = setTimeout(() => {
      this.running = this.send().finally(() => {
        this.running = null;
      });
    }, ms);
    this.timer.unref();
  }

  private async send(): Promise<void> {
    do {
      const problem = await this.sending.tryAgain();
      if (this.timer === null) return;
      if (problem !== null) return this.wait(problem.retryAfterMs);
    } while (this.sending.isBehind());
    this.isPaused = false;
    this.pauses = 0;
  }
}

/**
 * Returns how long a pause lasts, in milliseconds.
 * @param retryAfterMs what the service asks for; null for nothing
 * @param pauses how many pauses were before it, one after the other
 */
export function pauseMs(retryAfterMs: number | null, pauses: number): number {
  return Math.min(LONGEST_ASKED_MS, retryAfterMs ?? Math.min(LONGEST_MS, FIRST_MS * 2 ** pauses));
}
