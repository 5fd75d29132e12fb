import type { LogName } from '../../proof/log/log-names.ts';

/** What the database holds of a log is not what was published. */
export class LogDamage extends Error {
  override readonly name = 'LogDamage';
  constructor(
    readonly log: LogName,
    reason: string,
  ) {
    super(`${reason}: countersign fsck says more`);
  }
}

/**
 * The damage that was come upon since the start, the first of each log. Most of a log is read only when somebody asks for it, so
 * that whoever watches the service would not hear of what a caller has met; and it is remembered until the end of the process,
 * since the next caller may ask for something that is whole.
 */
export class DamageTracker {
  private readonly first = new Map<LogName, string>();

  /** Passes on what a read gives or throws, and remembers damage that it met. */
  async tracked<T>(read: Promise<T>): Promise<T> {
    try {
      return await read;
    } catch (error) {
      if (error instanceof LogDamage && !this.first.has(error.log)) this.first.set(error.log, error.message);
      throw error;
    }
  }

  /** Whether damage of a log was met. */
  has(name: LogName): boolean {
    return this.first.has(name);
  }

  /** One sentence for each log that is damaged. */
  get problems(): string[] {
    return [...this.first].map(([name, message]) => `The log of ${name} is damaged: ${message}.`);
  }
}
