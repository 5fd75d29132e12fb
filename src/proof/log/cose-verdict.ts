import { isJsonObject, JsonError, type JsonValue, parseJsonBytes } from '../encoding/json.ts';
import { parseTimestamp } from '../encoding/timestamp.ts';
import type { Primitives } from '../primitives.ts';
import { LogEntryError } from './entry-members.ts';
import { readReceiptEntry } from './log-entry.ts';
import { isLogVerdict, LOG_VERDICTS, type LogKey, type LogVerdict, type SignedTree } from './log-keys.ts';
import { aheadOf } from './misdated.ts';
import {
  type CoseReceipt,
  CoseReceiptError,
  checkCoseReceipt,
  readCoseReceipt,
} from './read-cose-receipt.ts';

/**
 * The verdicts on a COSE receipt of an entry with their descriptions. The first one that applies is the
 * result.
 */
export const COSE_VERDICTS = {
  malformed: 'This does not have the form of a COSE receipt of a log of receipts.',
  key_unknown: 'No trusted key of its log has its kid.',
  ...LOG_VERDICTS,
  key_retired: 'The key that it names was retired, and it has no time: get it again.',
  bad_proof: 'Its hashes do not lead from a leaf to the root of a tree of its size.',
  bad_signature: 'The key did not sign the root that the entry has by its hashes.',
  bad_entry: 'The log has this line, but the line does not have the form of an entry.',
  future: 'The entry is dated more than 60 s after the clock of this machine.',
  valid: 'The log has the entry: its key signed a tree with it.',
} as const;

type CoseVerdict = keyof typeof COSE_VERDICTS;

export interface CoseResult {
  verdict: CoseVerdict;
  checks: {
    /** `wrong_log`, `log_not_named`: a trusted key has the kid, but its log is not the one that is meant. */
    key: 'trusted' | 'unknown' | 'retired' | LogVerdict | 'unchecked';
    /** Whether the path fits to a tree of the size. */
    path: 'ok' | 'bad' | 'unchecked';
    signature: 'ok' | 'bad' | 'unchecked';
    /** Whether the entry has the form that entries of the log have, and no date after the clock. */
    entry: 'ok' | 'bad' | 'future' | 'unchecked';
  };
  problems: string[];
  /** The log, the key, and the proven entry; null unless a trusted key signed a tree with the entry. */
  proven: { log: string; kid: string; entry: string } | null;
  /** The tree if the key signed it; nothing signs its size or a time. */
  trees: SignedTree[];
}

const fromUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const toUtf8 = new TextEncoder();
const LINE_END = 0x0a;

/**
 * Returns the entry in a file: of a public manifest its `leaf_entry`, of another file its bytes, without a
 * line end after them.
 */
export function entryIn(bytes: Uint8Array): Uint8Array {
  let value: JsonValue = null;
  try {
    value = parseJsonBytes(bytes);
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
  }
  const path = isJsonObject(value) ? value.inclusion_path : null;
  if (isJsonObject(path) && typeof path.leaf_entry === 'string') return toUtf8.encode(path.leaf_entry);
  return bytes.at(-1) === LINE_END ? bytes.subarray(0, -1) : bytes;
}

/**
 * Verifies a COSE receipt (RFC 9942) of an entry of a log of receipts. Its size and its index are not signed.
 * Never throws for any bytes.
 * @param options.entry the entry, which is not in the receipt
 * @param options.now what the clock says, in milliseconds since 1970; without it the date of the entry is not
 * compared
 */
export function judgeCoseReceipt(
  primitives: Primitives,
  bytes: Uint8Array,
  { entry, logKeys, now }: { entry: Uint8Array; logKeys: readonly LogKey[]; now?: number | undefined },
): CoseResult {
  const checks: CoseResult['checks'] = {
    key: 'unchecked',
    path: 'unchecked',
    signature: 'unchecked',
    entry: 'unchecked',
  };
  let receipt: CoseReceipt;
  try {
    receipt = readCoseReceipt(bytes);
  } catch (error) {
    if (!(error instanceof CoseReceiptError)) throw error;
    return { verdict: 'malformed', checks, problems: [error.message], proven: null, trees: [] };
  }
  const { kid, subject } = receipt;
  const found = checkCoseReceipt(primitives, receipt, entry, logKeys);
  if (isLogVerdict(found)) {
    checks.key = found;
    const problem = `${found}: ${subject}: ${LOG_VERDICTS[found]}`;
    return { verdict: found, checks, problems: [problem], proven: null, trees: [] };
  }
  if (found === 'key_unknown' || found === 'key_retired') {
    checks.key = found === 'key_retired' ? 'retired' : 'unknown';
    const problem =
      found === 'key_retired' ? `the key ${kid} was retired` : `no trusted key of ${subject} is ${kid}`;
    return { verdict: found, checks, problems: [problem], proven: null, trees: [] };
  }
  checks.key = 'trusted';
  checks.path = found === 'bad_path' ? 'bad' : 'ok';
  if (found === 'bad_path')
    return {
      verdict: 'bad_proof',
      checks,
      problems: [
        `a tree of ${receipt.size} leaves has a path of another length for the index ${receipt.index}`,
      ],
      proven: null,
      trees: [],
    };
  checks.signature = found === 'ok' ? 'ok' : 'bad';
  if (found === 'bad_signature') {
    const problem = 'the signature is not over the root that follows from the entry';
    return { verdict: found, checks, problems: [problem], proven: null, trees: [] };
  }
  const trees = [{ log: subject, tree_size: null, signed_at: null }];
  const { check, problem } = checkEntry(entry, now);
  checks.entry = check;
  if (check === 'bad')
    return { verdict: 'bad_entry', checks, problems: [`the entry: ${problem}`], proven: null, trees };
  return {
    verdict: check === 'ok' ? 'valid' : check,
    checks,
    problems: problem === null ? [] : [`the entry: ${problem}`],
    proven: { log: subject, kid, entry: fromUtf8.decode(entry) },
    trees,
  };
}

function checkEntry(
  entry: Uint8Array,
  now: number | undefined,
): { check: 'ok' | 'bad' | 'future'; problem: string | null } {
  try {
    const { finalized_at } = readReceiptEntry(fromUtf8.decode(entry));
    const ahead = now === undefined ? null : aheadOf('it is dated', parseTimestamp(finalized_at), now);
    return ahead === null ? { check: 'ok', problem: null } : { check: 'future', problem: `future: ${ahead}` };
  } catch (error) {
    if (error instanceof TypeError) return { check: 'bad', problem: 'it is not UTF-8' };
    if (!(error instanceof LogEntryError)) throw error;
    return { check: 'bad', problem: error.message };
  }
}
