import { TreesOfLogs } from '../../log/signed-trees.ts';
import { VERDICTS } from '../../receipt/verdict.ts';
import { type ListCounts, listNotChecked, listSentence } from '../../words/lists.ts';
import type { Signer } from '../../words/signer.ts';
import type { LineProblem, Report } from './chunk.ts';

/** The result for all lines, and what it is worth. */
export type Summary = ListCounts & { sentence: string };

/** Adds up the reports of the chunks, in their order. */
export class Tally {
  checked = 0;
  private valid = 0;
  private lineCount = 0;
  private bundles = 0;
  private oldStatuses = 0;
  private readonly verdicts = new Map<string, number>();
  private readonly open = new Set<string>();
  private readonly signers = new Map<string | null, Signer>();
  private readonly trees = new TreesOfLogs();

  /** @param isWitnessed whether a policy demands cosignatures of what cites a log */
  constructor(isWitnessed = false) {
    if (!isWitnessed) this.open.add('quorum');
  }

  /** @returns the chunk's problems, their lines counted from the first of the input. */
  add(report: Report): LineProblem[] {
    const problems = report.problems.map((problem) => ({ ...problem, line: this.lineCount + problem.line }));
    this.lineCount += report.lines;
    this.checked += report.checked;
    for (const check of report.open) this.open.add(check);
    if (report.oldStatuses > 0) this.open.add('now');
    for (const signer of report.signers) this.signers.set(signer.kid, signer);
    this.trees.add(report.trees);
    this.valid += report.valid;
    this.bundles += report.bundles;
    this.oldStatuses += report.oldStatuses;
    for (const [verdict, count] of Object.entries(report.verdicts)) {
      this.verdicts.set(verdict, (this.verdicts.get(verdict) ?? 0) + count);
    }
    return problems;
  }

  summary(): Summary {
    const names = Object.keys(VERDICTS).filter((verdict) => this.verdicts.has(verdict));
    const verdicts = Object.fromEntries(names.map((verdict) => [verdict, this.verdicts.get(verdict) ?? 0]));
    const unrevoked = this.open.has('revocation') || this.checked === 0 ? 'not_checked' : 'ok';
    const counts: ListCounts = {
      checked: this.checked,
      valid: this.valid,
      verdicts,
      revocation: this.verdicts.has('revoked') ? 'revoked' : unrevoked,
      ...(this.bundles > 0 && { old_statuses: this.oldStatuses }),
      not_checked: listNotChecked(this.open),
      signers: [...this.signers.values()].sort((one, other) =>
        (one.kid ?? '') < (other.kid ?? '') ? -1 : 1,
      ),
      trees: this.trees.trees(),
    };
    return { ...counts, sentence: listSentence(counts) };
  }
}
