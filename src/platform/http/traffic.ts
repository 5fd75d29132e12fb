/** The factor of the recent peak after each request: a peak fades within some hundred requests. */
const DECAY = 0.99;

/** The number of requests in progress, which distinguishes many concurrent clients from a single one. */
export class Traffic {
  /** The number of requests without a response. */
  open = 0;
  /** The recent peak of concurrent requests. */
  load = 0;

  begin(): void {
    this.open += 1;
    this.load = Math.max(this.open, this.load);
  }

  end(): void {
    this.open -= 1;
    this.load *= DECAY;
  }
}
