/** What happens to the next requests of an operation. */
export interface Fault {
  operation: string;
  /** The requests that are left. */
  count: number;
  /** The milliseconds before the request is performed. */
  delayMs: number;
  /** The status of the error that the request gets instead of being performed; null to perform it. */
  status: number | null;
  /** True to perform the request and close its connection without a response. */
  losesResponse: boolean;
}

/** The most faults at a time. */
export const MOST_FAULTS = 1000;

/**
 * The faults of a test service, by operation. Those of one operation happen in the order in which they came.
 */
export class Faults {
  private readonly byOperation = new Map<string, Fault[]>();

  /** All faults that have requests left. */
  get all(): readonly Fault[] {
    return [...this.byOperation.values()].flat();
  }

  add(fault: Fault): void {
    const queue = this.byOperation.get(fault.operation);
    if (queue === undefined) this.byOperation.set(fault.operation, [fault]);
    else queue.push(fault);
  }

  clear(): void {
    this.byOperation.clear();
  }

  /** True while there is none, so that a request need not be looked up. */
  get isEmpty(): boolean {
    return this.byOperation.size === 0;
  }

  /** Returns the fault of the next request of an operation and counts it; null for none. */
  take(operation: string): Fault | null {
    const queue = this.byOperation.get(operation);
    const fault = queue?.[0];
    if (queue === undefined || fault === undefined) return null;
    fault.count -= 1;
    if (fault.count === 0) queue.shift();
    if (queue.length === 0) this.byOperation.delete(operation);
    return fault;
  }
}
