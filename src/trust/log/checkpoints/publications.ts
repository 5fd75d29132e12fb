/** Counts rounds that published checkpoints, and wakes those who wait for the next one. */
export class Publications {
  private rounds = 0;
  private readonly waiting = new Set<() => void>();

  /**
   * The number of rounds so far. A caller reads it, looks at a checkpoint, and then waits for a later round.
   */
  get count(): number {
    return this.rounds;
  }

  /** Records a round, after its checkpoints are shown. */
  record(): void {
    this.rounds += 1;
    for (const wake of this.waiting) wake();
  }

  /**
   * Waits for a round after the one with this number; `timeoutMs` milliseconds at most. Returns at once if
   * there was one.
   */
  async after(count: number, timeoutMs: number): Promise<void> {
    if (this.rounds > count || timeoutMs <= 0) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.waiting.add(resolve);
    const timer = setTimeout(resolve, timeoutMs);
    try {
      await promise;
    } finally {
      clearTimeout(timer);
      this.waiting.delete(resolve);
    }
  }
}
