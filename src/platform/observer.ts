/** Who is told how long things took. Times are in seconds. */
export interface Observer {
  /** An answer has been made. `route` is the pattern that matched, or null for none. */
  request(method: string, route: string | null, status: number, seconds: number): void;
  /** A group of units was committed together, or refused. */
  group(units: number, seconds: number): void;
}

export const unobserved: Observer = { request: () => undefined, group: () => undefined };
