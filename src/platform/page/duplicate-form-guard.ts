/** How long a repeated form gets the first response. */
const REPEAT_MS = 30_000;
const MAX_RESPONSES = 1000;

/**
 * Gives a form that is sent twice within half a minute the first response. A second click on a button
 * replaces the first response in the browser before anybody saw it: of a key that is shown once, the second
 * response must show the same. Responses are in memory only.
 */
export class DuplicateFormGuard<PageResponse> {
  private readonly responses = new Map<string, { response: Promise<PageResponse>; at: number }>();

  /** @param now returns milliseconds since 1970 */
  constructor(private readonly now: () => number) {}

  /**
   * Returns the first response to the form with this name, or makes it. A response that fails is made again.
   */
  once(name: string, makeResponse: () => Promise<PageResponse>): Promise<PageResponse> {
    const now = this.now();
    // The oldest are the first.
    for (const [oldName, { at }] of this.responses) {
      if (now - at < REPEAT_MS && this.responses.size < MAX_RESPONSES) break;
      this.responses.delete(oldName);
    }
    const known = this.responses.get(name);
    if (known !== undefined) return known.response;
    const response = makeResponse();
    this.responses.set(name, { response, at: now });
    response.catch(() => this.responses.delete(name));
    return response;
  }
}
