import { groupDigits } from '../../../platform/terminal/progress.ts';
import { type RevocationVerdict, VERDICTS } from '../../../proof/receipt/verdict.ts';
import type { LineProblem, Report } from './chunk.ts';

/** The result for all lines. */
export interface Summary {
  checked: number;
  valid: number;
  /** The number of receipts per verdict, in the order of `VERDICTS`; verdicts with none are omitted. */
  verdicts: Record<string, number>;
  /** The worst of all receipts: `revoked`, else `not_checked`, else `ok`. */
  revocation: RevocationVerdict;
  /** The number of bundles whose status was no longer valid; absent if no line is a bundle. */
  old_statuses?: number;
  /** The checks that were not made of all receipts, each with what would make it. */
  not_checked: { check: string; option: string }[];
}

/** The checks that lists can lack, with what would make them and what is open without. */
const ADDITIONAL = [
  { check: 'proof', option: 'a bundle a line', open: 'whether the log has them' },
  { check: 'quorum', option: '--policy', open: 'whether others see the same log' },
  { check: 'revocation', option: '--revocations', open: 'whether any is revoked' },
  { check: 'now', option: '--fresh', open: 'whether any was revoked since its status' },
];

/** Adds up the reports of the chunks, in their order. */
export class Tally {
  checked = 0;
  private valid = 0;
  private lineCount = 0;
  private bundles = 0;
  private oldStatuses = 0;
  private readonly verdicts = new Map<string, number>();
  private readonly open = new Set<string>();

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
    const revocation = this.verdicts.has('revoked') ? 'revoked' : unrevoked;
    const old = this.bundles > 0 ? { old_statuses: this.oldStatuses } : {};
    const open = ADDITIONAL.filter(({ check }) => this.open.has(check));
    const not_checked = open.map(({ check, option }) => ({ check, option }));
    return { checked: this.checked, valid: this.valid, verdicts, revocation, ...old, not_checked };
  }
}

/** Describes the summary in words. */
export function inWords({
  checked,
  valid,
  verdicts,
  revocation,
  old_statuses,
  not_checked,
}: Summary): string {
  if (checked === 0) return 'no receipts: the input is empty.';
  if (valid === checked) {
    const all = checked === 1 ? 'valid: 1 receipt' : `valid: all ${groupDigits(checked)} receipts`;
    const unrevoked = revocation === 'ok' ? `, and ${checked === 1 ? 'it is not' : 'none is'} revoked` : '';
    const old = old_statuses ? `, of ${groupDigits(old_statuses)} as of an old status` : '';
    const open = ADDITIONAL.filter(({ check }) => not_checked.some((one) => one.check === check));
    const unsaid = open.map((one) => `${one.open} (${one.option})`).join('; ');
    return `${all}${unrevoked}${unrevoked === '' ? '' : old}.${unsaid === '' ? '' : ` Not checked: ${unsaid}.`}`;
  }
  const causes = Object.entries(verdicts)
    .filter(([verdict]) => verdict !== 'valid')
    .map(([verdict, count]) => `${groupDigits(count)} ${verdict}`);
  const unproven = (verdicts.valid ?? 0) - valid;
  const why =
    old_statuses === undefined
      ? 'whose domain differs from --domain or cannot be checked'
      : 'of which other checks failed';
  if (unproven > 0) causes.push(`${groupDigits(unproven)} ${why}`);
  const of = checked === 1 ? '1 receipt' : `${groupDigits(checked)} receipts`;
  return `not valid: ${groupDigits(checked - valid)} of ${of} (${causes.join(', ')}).`;
}
