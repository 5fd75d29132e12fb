/** Who is told how long things took. Times are in seconds. */
export interface MetricsRecorder {
  /** An answer has been made. `route` is the pattern that matched, or null for none. */
  request(method: string, route: string | null, status: number, seconds: number): void;
  /** A group of units was committed together, or refused. */
  commitGroup(units: number, seconds: number): void;
  /** A job ended, well or not. */
  task(name: string, isOk: boolean, seconds: number): void;
  /** A log's checkpoint was published. `mergeDelay`: since the first leaf that it newly covers; null when it covers none. */
  checkpoint(log: string, signing: number, mergeDelay: number | null): void;
  /** A witness was asked to cosign a checkpoint, and did not. */
  witnessFailure(witness: string, reason: string): void;
  /** Of what a webhook was to be told of an event, so many became of it: delivered, failed, interrupted, dropped. */
  webhook(event: string, result: string, count: number): void;
}

export const noopRecorder: MetricsRecorder = {
  request: () => undefined,
  commitGroup: () => undefined,
  task: () => undefined,
  checkpoint: () => undefined,
  witnessFailure: () => undefined,
  webhook: () => undefined,
};
