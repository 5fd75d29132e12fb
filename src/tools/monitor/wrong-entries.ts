import { LOG_NAMES, originOf } from '../../proof/log/log-names.ts';
import type { EntryProblem } from './history/history.ts';
import type { LogProblem } from './history/missing.ts';

/** The number of problems of entries that are reported one by one. */
export const PROBLEMS_MAX = 100;

/** The maximum length of a reported problem, in characters. */
const PROBLEM_CHARACTERS = 500;

/** Collects the problems of a log's new entries, one sentence each, and counts those over the limit. */
export class WrongEntries {
  private readonly reported: string[] = [];
  private count = 0;

  constructor(private readonly origin: string) {}

  add(index: number, problem: string): void {
    this.count++;
    if (this.reported.length >= PROBLEMS_MAX) return;
    // The text can quote data from the log, which may be long.
    const shortened =
      problem.length > PROBLEM_CHARACTERS ? `${problem.slice(0, PROBLEM_CHARACTERS)}…` : problem;
    this.reported.push(`entry ${index} of ${this.origin}: ${shortened}`);
  }

  addAll(problems: Iterable<EntryProblem>): void {
    for (const { index, what: problem } of problems) this.add(index, problem);
  }

  sentences(): string[] {
    const more = this.count - this.reported.length;
    return more === 0
      ? this.reported
      : [...this.reported, `${more} more entries of ${this.origin} are wrong`];
  }
}

/** Returns the sentences about the problems of several logs. @param common the origin of the installation */
export function sentencesOf(common: string, problems: readonly LogProblem[]): string[] {
  return LOG_NAMES.flatMap((name) => {
    const wrong = new WrongEntries(originOf(common, name));
    wrong.addAll(problems.filter(({ log }) => log === name));
    return wrong.sentences();
  });
}
