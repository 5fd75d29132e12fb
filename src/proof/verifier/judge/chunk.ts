import { forgeryIn, type ListedReceipt, listedReceipt } from '../../account/listed-receipt.ts';
import { KnownParts } from '../../bundle/known-parts.ts';
import { isReceiptBundle } from '../../bundle/receipt-bundle.ts';
import {
  type BundleOptions,
  type BundleResult,
  isBundleAsAsked,
  judgeReceiptBundle,
} from '../../bundle/verdict.ts';
import { isJsonObject, JsonError, type JsonValue, parseJsonBytes } from '../../encoding/json.ts';
import type { TrustedIssuer } from '../../keys/trusted-issuer.ts';
import type { SignedTree } from '../../log/log-keys.ts';
import { eachTreeOnce, TreesOfLogs } from '../../log/signed-trees.ts';
import type { Primitives } from '../../primitives.ts';
import { receiptShape } from '../../receipt/receipt-shape.ts';
import { judge, type Verdict, type VerdictOptions, type VerdictResult } from '../../receipt/verdict.ts';
import { isSigned, type Signer, signerOf } from '../../words/signer.ts';
import { isBlank, LINE_BYTES_MAX, linesOf } from './lines.ts';

/** What the lines of a list are judged with. */
export type LineOptions = VerdictOptions & {
  /** What bundles need besides; absent where a bundle is no receipt. */
  bundles?: Pick<BundleOptions, 'logKeys' | 'policy' | 'isFresh'>;
  /** Whether something was asked that only a bundle can show. */
  demandsBundles?: boolean;
  /** The issuer that the list of keys names, or --issuer. */
  issuer?: TrustedIssuer | null | undefined;
  /** The log of keys that the list of keys names. */
  keyLog?: string | null | undefined;
};

/** What is used for each line, whether it is a receipt or a bundle. */
interface OptionsOfLines {
  ofReceipt: VerdictOptions;
  /** With what was found of the parts of bundles. Null where a bundle is no receipt. */
  ofBundle: (BundleOptions & { known: KnownParts }) | null;
  demandsBundles: boolean;
  trusted: TrustedIssuer | null;
  keyLog: string | null;
}

/** A Worker has the same options for all chunks. */
const prepared = new WeakMap<LineOptions, OptionsOfLines>();

function preparedOptions(options: LineOptions): OptionsOfLines {
  const { bundles, demandsBundles = false, issuer = null, keyLog = null, ...ofReceipt } = options;
  const ofBundle = bundles ? { ...ofReceipt, ...bundles, known: new KnownParts() } : null;
  const found = prepared.get(options) ?? {
    ...{ ofReceipt, ofBundle, demandsBundles },
    ...{ trusted: issuer, keyLog },
  };
  prepared.set(options, found);
  return found;
}

/**
 * The result for a line that is not a valid receipt, not of the requested domain, or a bundle of which a
 * check failed.
 */
export interface LineProblem {
  /** Counted from 1; blank lines count. */
  line: number;
  /** Null unless the line contains a receipt id. */
  receipt_id: string | null;
  verdict: Verdict;
  authentic: boolean;
  problems: string[];
  /** Who signed it; absent for a line that is no object. */
  signer?: Signer;
  /** The trees of its checkpoints that trusted keys signed. */
  trees: SignedTree[];
}

/** The result for a chunk of lines. */
export interface Report {
  /** The number of lines, including blank ones. */
  lines: number;
  checked: number;
  /** How many of them are bundles. */
  bundles: number;
  /** The number of bundles whose status was no longer valid, and said until then that nothing was revoked. */
  oldStatuses: number;
  /** The number of valid receipts, of the requested domain if there is one; of bundles, all is in order. */
  valid: number;
  /** The number of receipts per verdict; verdicts with none are omitted. */
  verdicts: Record<string, number>;
  /** The names of the checks that were not made of all receipts. */
  open: Set<string>;
  /** Who signed the receipts whose signatures count, each once. */
  signers: Signer[];
  /** Of each log the smallest and the largest tree that a line cites. */
  trees: SignedTree[];
  /** In the order of the lines; line numbers are relative to the chunk. */
  problems: LineProblem[];
}

/** Verifies every nonblank line of a chunk with the same function as a single receipt or bundle. */
export function judgeLines(primitives: Primitives, chunk: Uint8Array, options: LineOptions): Report {
  const report: Report = {
    lines: 0,
    checked: 0,
    bundles: 0,
    oldStatuses: 0,
    valid: 0,
    verdicts: {},
    open: new Set(),
    signers: [],
    trees: [],
    problems: [],
  };
  const ofLines = preparedOptions(options);
  const signers = new Signers(ofLines);
  const trees = new TreesOfLogs();
  for (const line of linesOf(chunk)) {
    report.lines++;
    if (isBlank(line)) continue;
    const judged = judgeLine(primitives, line, ofLines);
    const { verdict, authentic, problems, isValid, isBundle, isOld, open, document } = judged;
    report.checked++;
    if (isBundle) report.bundles++;
    if (isOld) report.oldStatuses++;
    report.verdicts[verdict] = (report.verdicts[verdict] ?? 0) + 1;
    for (const check of open) report.open.add(check);
    trees.add(judged.trees);
    signers.add(judged);
    if (isValid) report.valid++;
    else {
      const signer = document === null ? null : signers.of(judged);
      report.problems.push({
        ...{ line: report.lines, receipt_id: idIn(line), verdict, authentic, problems },
        ...(signer !== null && { signer }),
        trees: eachTreeOnce(judged.trees),
      });
    }
  }
  report.signers = signers.all();
  report.trees = trees.trees();
  return report;
}

/** The result for a line. */
type JudgedLine = Pick<LineProblem, 'verdict' | 'authentic' | 'problems'> & {
  isValid: boolean;
  isBundle: boolean;
  isOld: boolean;
  /** The names of the checks that were not made. */
  open: string[];
  /** Null for a line that is not JSON. */
  document: JsonValue;
  checks: object;
  trees: readonly SignedTree[];
};

/** Finds who signed the lines. */
class Signers {
  readonly #counted = new Map<string | null, Signer>();

  constructor(private readonly trust: Pick<OptionsOfLines, 'trusted' | 'keyLog'>) {}

  /** Counts a line, if its signature counts: all with one kid have one signer. */
  add(line: JudgedLine): void {
    const kid = kidOf(line);
    if (this.#counted.has(kid) || !isSigned(line.checks)) return;
    const signer = this.of(line);
    if (signer !== null) this.#counted.set(kid, signer);
  }

  /** Returns who signed a line, as it and the list of keys say; null for one without members. */
  of({ document, isBundle, checks }: JudgedLine): Signer | null {
    const where = isBundle ? 'receipt' : 'document';
    return signerOf({ itself: 'It', signer: where }, document, { ...this.trust, isSigned: isSigned(checks) });
  }

  all(): Signer[] {
    return [...this.#counted.values()];
  }
}

/** Returns the kid that a receipt names; null for none. */
function kidOf({ document, isBundle }: JudgedLine): string | null {
  const receipt = isBundle && isJsonObject(document) ? document.receipt : document;
  return isJsonObject(receipt) && typeof receipt.kid === 'string' ? receipt.kid : null;
}

function judgeLine(
  primitives: Primitives,
  line: Uint8Array,
  { ofReceipt, ofBundle, demandsBundles }: OptionsOfLines,
): JudgedLine {
  const { domain } = ofReceipt;
  if (line.length > LINE_BYTES_MAX) return malformed('the line is longer than 1 MiB');
  let document: JsonValue;
  try {
    document = parseJsonBytes(line, ofBundle?.known.parse);
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    return malformed(error.message);
  }
  if (ofBundle !== null && isJsonObject(document) && isReceiptBundle(document)) {
    const result = judgeReceiptBundle(primitives, document, ofBundle);
    const { verdict, authentic, revocation_as_of, checks, trees } = result;
    return {
      verdict,
      authentic,
      document,
      checks,
      trees,
      isBundle: true,
      isOld: revocation_as_of !== undefined,
      open: result.checks.key_events === 'ok' ? openIn(result) : [...openIn(result), 'key_events'],
      isValid: isBundleAsAsked(result),
      problems: [...result.problems, ...domainProblems(result, domain)],
    };
  }
  const result = judge(primitives, document, ofReceipt);
  const { verdict, authentic, checks, trees } = result;
  const problems = [...result.problems, ...domainProblems(result, domain)];
  if (demandsBundles)
    problems.push('it is no bundle, so that what --policy and --fresh demand cannot be checked');
  const isValid = verdict === 'valid' && problems.length === 0;
  const open = openIn(result);
  // No objects are spread here: it runs for each receipt.
  return {
    verdict,
    authentic,
    isBundle: false,
    isOld: false,
    open,
    isValid,
    problems,
    document,
    checks,
    trees,
  };
}

/** Returns the names of the checks that were not made. */
function openIn({ checks, revocation }: Pick<BundleResult, 'checks' | 'revocation'>): string[] {
  const open: string[] = [];
  if (checks.proof === undefined) open.push('proof');
  if (revocation === 'not_checked') open.push('revocation');
  return open;
}

function malformed(problem: string): JudgedLine {
  return {
    ...{ verdict: 'malformed', authentic: false, open: ['proof', 'revocation'] },
    ...{ isValid: false, isBundle: false, isOld: false, problems: [problem] },
    ...{ document: null, checks: {}, trees: [] },
  };
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
export function listLines(primitives: Primitives, chunk: Uint8Array, options: VerdictOptions): ListedChunk {
  const result: ListedChunk = { lines: 0, receipts: [] };
  for (const bytes of linesOf(chunk)) {
    const line = ++result.lines;
    if (!isBlank(bytes)) result.receipts.push({ line, ...listLine(primitives, bytes, options) });
  }
  return result;
}

function listLine(primitives: Primitives, bytes: Uint8Array, options: VerdictOptions) {
  if (bytes.length > LINE_BYTES_MAX)
    return { receiptId: null, forgery: 'malformed: the line is longer than 1 MiB' };
  let document: JsonValue;
  try {
    document = parseJsonBytes(bytes);
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    return { receiptId: null, forgery: `malformed: ${error.message}` };
  }
  const forgery = forgeryIn(judge(primitives, document, options));
  const shape = receiptShape(document);
  if (forgery === null && 'receipt' in shape) return { listed: listedReceipt(primitives, shape.receipt) };
  return {
    receiptId: 'receipt' in shape ? shape.receipt.receipt_id : null,
    forgery: forgery ?? 'malformed',
  };
}

/**
 * Returns the problem with the requested domain; empty when the domain matches or the receipt is malformed.
 */
export function domainProblems(
  { verdict, checks }: { verdict: Verdict; checks: Pick<VerdictResult['checks'], 'domain'> },
  domain: string | undefined,
): string[] {
  if (domain === undefined || checks.domain === 'ok' || verdict === 'malformed') return [];
  return [
    checks.domain === 'unchecked'
      ? 'domain: cannot be checked without the blind_salt.'
      : `domain: not ${domain}.`,
  ];
}

/** Finds a receipt id, only so that users can find the line. Nothing is verified by it. */
function idIn(line: Uint8Array): string | null {
  const [, id] =
    /"receipt_id"\s*:\s*"(rcpt_[0-9a-f]{32})"/.exec(
      new TextDecoder().decode(line.subarray(0, LINE_BYTES_MAX)),
    ) ?? [];
  return id ?? null;
}
