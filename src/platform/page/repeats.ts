/** How long a repeated form gets the first answer. */
const REPEAT_MS = 30_000;
const MAX_REPEATS = 1000;

/**
 * Gives a form that is sent twice within half a minute the first answer. A second click on a button replaces the first answer in the browser
 * before anybody saw it: of a key that is shown once, the second answer must show the same. Answers are in memory only.
 */
export class Repeats<Answer> {
  private readonly answers = new Map<string, { answer: Promise<Answer>; at: number }>();

  /** @param now returns milliseconds since 1970 */
  constructor(private readonly now: () => number) {}

  /** Returns the first answer to the form with this name, or makes it. An answer that fails is made again. */
  once(name: string, make: () => Promise<Answer>): Promise<Answer> {
    const now = this.now();
    // The oldest are the first.
    for (const [old, { at }] of this.answers) {
      if (now - at < REPEAT_MS && this.answers.size < MAX_REPEATS) break;
      this.answers.delete(old);
    }
    const known = this.answers.get(name);
    if (known !== undefined) return known.answer;
    const answer = make();
    this.answers.set(name, { answer, at: now });
    answer.catch(() => this.answers.delete(name));
    return answer;
  }
}
