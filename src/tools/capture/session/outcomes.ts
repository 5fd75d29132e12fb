/** How long an outcome waits for a call that begins, in milliseconds. */
const LONGEST_MS = 20;

/**
 * Outcomes that wait for the next request for a receipt, to be sent at the same time: the service commits
 * both together then. An outcome that is sent at once makes the next call wait for its commit.
 */
export class Outcomes {
  private waiting: string[] = [];
  private timer: Timer | null = null;

  /** @param send sends the outcome of a call */
  constructor(private readonly send: (id: string) => void) {}

  /** Takes the outcome of a call. It is sent with the next one, or soon. */
  add(id: string): void {
    this.waiting.push(id);
    this.timer ??= setTimeout(() => this.sendAll(), LONGEST_MS);
  }

  /** Sends what waits. */
  sendAll(): void {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
    for (const id of this.waiting.splice(0)) this.send(id);
  }
}
