import type { Clock } from '../../../platform/time/clock.ts';

/** The most values of a cache. Clients choose their keys, such as the name of a log. */
const MAX_VALUES = 100;

/**
 * Caches values for some time, so that what a page costs does not grow with the number of its readers.
 * Requests that arrive while a value is made wait for it.
 */
export class TimedCache<Key, Value> {
  private readonly values = new Map<Key, { value: Promise<Value>; at: number }>();

  /** @param ms how long a value is valid */
  constructor(
    private readonly clock: Clock,
    private readonly ms: number,
  ) {}

  /** Returns the value of a key, or makes it. One that fails is made again. */
  get(key: Key, make: () => Promise<Value>): Promise<Value> {
    const now = this.clock.now();
    const known = this.values.get(key);
    // A clock that was set back must not keep a value for longer.
    if (known !== undefined && now >= known.at && now - known.at < this.ms) return known.value;
    const made = { value: make(), at: now };
    this.values.delete(key);
    const [oldest] = this.values.keys();
    if (this.values.size >= MAX_VALUES && oldest !== undefined) this.values.delete(oldest);
    this.values.set(key, made);
    made.value.catch(() => this.values.get(key) === made && this.values.delete(key));
    return made.value;
  }
}
