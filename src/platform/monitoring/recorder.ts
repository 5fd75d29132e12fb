/** Records measurements. Times are in seconds. */
export interface MetricsRecorder {
  /** Records a response. `route` is the pattern of the route, or null for none. */
  request(method: string, route: string | null, status: number, seconds: number): void;
  /** Records a group of writes that was committed together or failed. */
  commitGroup(units: number, seconds: number): void;
  /** Records the end of a scheduled task. */
  task(name: string, isOk: boolean, seconds: number): void;
  /**
   * Records the publication of a log's checkpoint. `mergeDelay`: the time since its first new leaf; null if
   * it has none.
   */
  checkpoint(log: string, signing: number, mergeDelay: number | null): void;
  /**
   * Records `count` cosignature requests to a witness that failed; with 0, the counter only starts to exist.
   */
  witnessFailure(witness: string, reason: string, count: number): void;
  /** Records `count` deliveries of an event by result: delivered, failed, interrupted, dropped. */
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
