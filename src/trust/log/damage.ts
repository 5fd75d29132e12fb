import type { LogName } from '../../proof/log/log-names.ts';

/** The database contradicts what was published of a log. */
export class LogDamage extends Error {
  override readonly name = 'LogDamage';
  constructor(
    readonly log: LogName,
    /** What is wrong, without what to do. */
    readonly reason: string,
  ) {
    super(`${reason}: run countersign fsck for more information`);
  }
}

/**
 * Stores the first damage of each log that a read found since the start. Most of a log is read only on
 * request, so without this, health and metrics would not show the damage that a caller found. It is stored
 * until the process ends, since the next request may read an undamaged part.
 */
export class DamageTracker {
  private readonly first = new Map<LogName, string>();

  /** Returns what a read returns, and records damage that it throws. */
  async tracked<T>(read: Promise<T>): Promise<T> {
    try {
      return await read;
    } catch (error) {
      if (error instanceof LogDamage && !this.first.has(error.log)) this.first.set(error.log, error.message);
      throw error;
    }
  }

  /** Returns whether a read found damage in a log. */
  has(name: LogName): boolean {
    return this.first.has(name);
  }

  /** One sentence for each damaged log. */
  get problems(): string[] {
    return [...this.first].map(([name, message]) => `The log of ${name} is damaged: ${message}.`);
  }
}
