import { nativePrimitives } from '../../../platform/crypto/crypto.ts';
import { forgeryIn, type ListedReceipt, listedReceipt } from '../../../proof/account/listed-receipt.ts';
import { JsonError, type JsonValue, parseJsonBytes } from '../../../proof/encoding/json.ts';
import { receiptShape } from '../../../proof/receipt/receipt-shape.ts';
import {
  judge,
  judgeBytes,
  type Verdict,
  type VerdictOptions,
  type VerdictResult,
} from '../../../proof/receipt/verdict.ts';
import { isBlank, LINE_BYTES_MAX, linesOf } from './lines.ts';

/** The result for a line that is not a valid receipt, or not of the requested domain. */
export interface LineProblem {
  /** Counted from 1; blank lines count. */
  line: number;
  /** Null unless the line contains a receipt id. */
  receipt_id: string | null;
  verdict: Verdict;
  authentic: boolean;
  problems: string[];
}

/** The result for a chunk of lines. */
export interface Report {
  /** The number of lines, including blank ones. */
  lines: number;
  checked: number;
  /** The number of valid receipts, of the requested domain if there is one. */
  valid: number;
  /** The number of receipts per verdict; verdicts with none are omitted. */
  verdicts: Record<string, number>;
  /** The number of receipts whose revocation was not checked. */
  revocationNotChecked: number;
  /** In the order of the lines; line numbers are relative to the chunk. */
  problems: LineProblem[];
}

/** Verifies every nonblank line of a chunk with the same function as a single receipt. */
export function judgeLines(chunk: Uint8Array, options: VerdictOptions): Report {
  const report: Report = {
    lines: 0,
    checked: 0,
    valid: 0,
    verdicts: {},
    revocationNotChecked: 0,
    problems: [],
  };
  for (const line of linesOf(chunk)) {
    report.lines++;
    if (isBlank(line)) continue;
    const result = line.length > LINE_BYTES_MAX ? TOO_LONG : judgeBytes(nativePrimitives, line, options);
    const { verdict, authentic, revocation } = result;
    const problems = [...result.problems, ...domainProblems(result, options.domain)];
    report.checked++;
    report.verdicts[verdict] = (report.verdicts[verdict] ?? 0) + 1;
    if (revocation === 'not_checked') report.revocationNotChecked++;
    if (verdict === 'valid' && problems.length === 0) report.valid++;
    else report.problems.push({ line: report.lines, receipt_id: idIn(line), verdict, authentic, problems });
  }
  return report;
}

/** What a line of a list that must be complete says: an authentic receipt, or why it is not one. */
export type ListedLine = { line: number } & (
  | { listed: ListedReceipt }
  | {
      /** Null unless the line is a well-formed receipt. */
      receiptId: string | null;
      forgery: string;
    }
);

/** The lines of a chunk, for comparing them with the log. */
export interface ListedChunk {
  /** The number of lines, including blank ones. */
  lines: number;
  receipts: ListedLine[];
}

/**
 * Verifies every nonblank line of a chunk like `judgeLines`, even expired receipts. Returns what they say.
 */
export function listLines(chunk: Uint8Array, options: VerdictOptions): ListedChunk {
  const result: ListedChunk = { lines: 0, receipts: [] };
  for (const bytes of linesOf(chunk)) {
    const line = ++result.lines;
    if (!isBlank(bytes)) result.receipts.push({ line, ...listLine(bytes, options) });
  }
  return result;
}

function listLine(bytes: Uint8Array, options: VerdictOptions) {
  if (bytes.length > LINE_BYTES_MAX)
    return { receiptId: null, forgery: 'malformed: the line is longer than 1 MiB' };
  let document: JsonValue;
  try {
    document = parseJsonBytes(bytes);
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    return { receiptId: null, forgery: `malformed: ${error.message}` };
  }
  const forgery = forgeryIn(judge(nativePrimitives, document, options));
  const shape = receiptShape(document);
  if (forgery === null && 'receipt' in shape)
    return { listed: listedReceipt(nativePrimitives, shape.receipt) };
  return {
    receiptId: 'receipt' in shape ? shape.receipt.receipt_id : null,
    forgery: forgery ?? 'malformed',
  };
}

const TOO_LONG: VerdictResult = {
  verdict: 'malformed',
  authentic: false,
  revocation: 'not_checked',
  checks: { hash: 'unchecked', signature: 'unchecked', key: 'unchecked' },
  problems: ['the line is longer than 1 MiB'],
  kid: null,
};

/**
 * Returns the problem with the requested domain; empty when the domain matches or the receipt is malformed.
 */
export function domainProblems({ verdict, checks }: VerdictResult, domain: string | undefined): string[] {
  if (domain === undefined || checks.domain === 'ok' || verdict === 'malformed') return [];
  return [
    checks.domain === 'unchecked'
      ? 'domain: cannot be checked without the blind_salt.'
      : `domain: not ${domain}.`,
  ];
}

/** Finds a receipt id, only so that users can find the line. Verification uses `judgeBytes`. */
function idIn(line: Uint8Array): string | null {
  const [, id] =
    /"receipt_id"\s*:\s*"(rcpt_[0-9a-f]{32})"/.exec(
      new TextDecoder().decode(line.subarray(0, LINE_BYTES_MAX)),
    ) ?? [];
  return id ?? null;
}
