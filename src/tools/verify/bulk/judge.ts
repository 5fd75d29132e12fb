import { nativePrimitives } from '../../../platform/crypto/crypto.ts';
import {
  judgeBytes,
  type Verdict,
  type VerdictOptions,
  type VerdictResult,
} from '../../../proof/receipt/verdict.ts';
import { isBlank, LINE_BYTES_MAX, linesOf } from './lines.ts';

/** A line that is no valid receipt, or not of the domain that was asked for. */
export interface LineProblem {
  /** Counted from 1, blank lines too. */
  line: number;
  /** Null unless the line holds an id of a receipt's form. */
  receipt_id: string | null;
  verdict: Verdict;
  authentic: boolean;
  problems: string[];
}

/** What became of a chunk of lines. */
export interface Report {
  /** All lines, blank ones too. */
  lines: number;
  checked: number;
  /** Those that are valid and of the domain that was asked for, if one was. */
  valid: number;
  /** How many got which; none for a verdict that nothing got. */
  verdicts: Record<string, number>;
  /** In the order of the lines, which are counted from the chunk's first, 1. */
  problems: LineProblem[];
}

/** Judges every line of a chunk that is not blank, each by the same function and rules as a receipt by itself. */
export function judgeLines(chunk: Uint8Array, options: VerdictOptions): Report {
  const report: Report = { lines: 0, checked: 0, valid: 0, verdicts: {}, problems: [] };
  for (const line of linesOf(chunk)) {
    report.lines++;
    if (isBlank(line)) continue;
    const result = line.length > LINE_BYTES_MAX ? TOO_LONG : judgeBytes(nativePrimitives, line, options);
    const { verdict, authentic } = result;
    const problems = [...result.problems, ...domainProblems(result, options.domain)];
    report.checked++;
    report.verdicts[verdict] = (report.verdicts[verdict] ?? 0) + 1;
    if (verdict === 'valid' && problems.length === 0) report.valid++;
    else report.problems.push({ line: report.lines, receipt_id: idIn(line), verdict, authentic, problems });
  }
  return report;
}

const TOO_LONG: VerdictResult = {
  verdict: 'malformed',
  authentic: false,
  checks: { hash: 'unchecked', signature: 'unchecked', key: 'unchecked' },
  problems: ['a line is at most 1 MiB long'],
  kid: null,
};

/** What to say of the domain that was asked for: nothing when the receipt is of it, or is none. */
export function domainProblems({ verdict, checks }: VerdictResult, domain: string | undefined): string[] {
  if (domain === undefined || checks.domain === 'ok' || verdict === 'malformed') return [];
  return [
    checks.domain === 'unchecked'
      ? 'domain: cannot be checked without the blind_salt.'
      : `domain: not ${domain}.`,
  ];
}

/** For people to find the line by; what is judged is read by `judgeBytes` alone. */
function idIn(line: Uint8Array): string | null {
  const [, id] =
    /"receipt_id"\s*:\s*"(rcpt_[0-9a-f]{32})"/.exec(
      new TextDecoder().decode(line.subarray(0, LINE_BYTES_MAX)),
    ) ?? [];
  return id ?? null;
}
