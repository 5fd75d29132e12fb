/** How many requests this process is answering now: what tells a crowd from a lone caller. */
export class Traffic {
  /** Requests that were read and not answered yet. */
  open = 0;
}
