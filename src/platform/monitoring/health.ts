import { withTimeout } from '../time/timeout.ts';

/**
 * The time from the end of one check to the start of the next. A result is therefore at most about a second
 * old.
 */
const EXAMINE_MS = 800;
/** The age after which a result is outdated: the check hangs, or the process is too slow to run it. */
const STALE_MS = 3000;

/** The health of a process. */
export interface Health {
  isHealthy: boolean;
  /**
   * The problems, one sentence each. A healthy process may have some, for the administrator of the service.
   */
  problems: string[];
}

/** The result of the last health check, in memory. Reading it is cheap and works while the database hangs. */
export class HealthMonitor {
  private found: { health: Health; at: number } | null = null;
  private running: Promise<void> | null = null;

  /** @param failed is called with the error of a check that threw */
  constructor(
    private readonly examine: () => Promise<Health>,
    private readonly failed: (error: unknown) => void,
  ) {}

  /** Runs a check, or waits for the running one, at most EXAMINE_MS. */
  async refresh(): Promise<void> {
    this.running ??= this.examined().finally(() => {
      this.running = null;
    });
    await withTimeout(this.running, EXAMINE_MS, () => undefined);
  }

  /** The last result; unhealthy before the first one, and when the last one is too old. */
  get current(): Health {
    if (this.found === null)
      return { isHealthy: false, problems: ['The server has not finished its first health check yet.'] };
    const { health, at } = this.found;
    const age = performance.now() - at;
    if (age <= STALE_MS) return health;
    const late = `The server last checked itself ${Math.floor(age / 1000)} seconds ago: the database or the process hangs.`;
    return { isHealthy: false, problems: [late, ...health.problems] };
  }

  /** The scheduled task that refreshes the result. */
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
