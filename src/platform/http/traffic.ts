/** So much of the highest number of open requests is left after each request: a crowd is forgotten within some hundred. */
const DECAY = 0.99;

/** How many requests this process is answering: what tells a crowd from a lone caller. */
export class Traffic {
  /** Requests that were read and not answered yet. */
  open = 0;
  /** How many were open at once lately. */
  crowd = 0;

  begin(): void {
    this.open += 1;
    this.crowd = Math.max(this.open, this.crowd);
  }

  end(): void {
    this.open -= 1;
    this.crowd *= DECAY;
  }
}
