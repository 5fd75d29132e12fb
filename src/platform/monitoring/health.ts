import { withTimeout } from '../time/timeout.ts';

/** From the end of one examination to the beginning of the next, so that what is told is at most a second old. */
const EXAMINE_MS = 800;
/** What was found longer ago is not repeated: the examination hangs, or the process does not get to it. */
const STALE_MS = 3000;

/** Whether a process does what it is there for. */
export interface Health {
  isHealthy: boolean;
  /** What is wrong or to be known, one sentence each. A process may be well with some: they concern whoever runs it. */
  problems: string[];
}

/**
 * What an examination found lately, kept in memory, so that asking costs nothing, however often and while the database hangs.
 */
export class HealthMonitor {
  private found: { health: Health; at: number } | null = null;
  private running: Promise<void> | null = null;

  /** @param failed hears of an examination that threw */
  constructor(
    private readonly examine: () => Promise<Health>,
    private readonly failed: (error: unknown) => void,
  ) {}

  /** Examines once, or waits for the examination that is under way, but no longer than until what it finds would be late. */
  async refresh(): Promise<void> {
    this.running ??= this.examined().finally(() => {
      this.running = null;
    });
    await withTimeout(this.running, EXAMINE_MS, () => undefined);
  }

  /** What was found last; degraded while nothing was, or when that is too long ago. */
  get current(): Health {
    if (this.found === null)
      return { isHealthy: false, problems: ['The server has not finished its first health check yet.'] };
    const { health, at } = this.found;
    const age = performance.now() - at;
    if (age <= STALE_MS) return health;
    const late = `The server last checked itself ${Math.floor(age / 1000)} seconds ago: the database or the process hangs.`;
    return { isHealthy: false, problems: [late, ...health.problems] };
  }

  /** The scheduled task that keeps it fresh. */
  get task() {
    return { name: 'check health', everyMs: EXAMINE_MS, run: () => this.refresh() };
  }

  private async examined(): Promise<void> {
    let health: Health;
    try {
      health = await this.examine();
    } catch (error) {
      this.failed(error);
      health = { isHealthy: false, problems: ['The server could not check itself; see the log.'] };
    }
    this.found = { health, at: performance.now() };
  }
}
