import { parseTimestamp } from '../encoding/timestamp.ts';
import { LogEntryError } from '../log/entry-members.ts';
import { type AccountEntry, readAccountEntry } from '../log/log-entry.ts';

const ACCOUNT_START = '{"account":"';
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * The canonical text of a leaf of a receipt. Whatever differs is left to `readAccountEntry`, so this only
 * makes reading faster.
 */
const OF_RECEIPT =
  /^\{"account":"([0-9a-f]{64})","agent":"([0-9a-f]{64})","agent_sequence":([1-9]\d{0,14}),"at":"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)","content_hash":"([0-9a-f]{64})","event":"(issued|finalized|revoked)","receipt_id":"(rcpt_[0-9a-f]{32})","sequence":([1-9]\d{0,14}),"v":1\}$/;

/**
 * Returns a reader of the leaves of one account. It returns null for the leaf of another account, of which it
 * reads nothing else: whether the other accounts are in order is the question of those who verify them, and
 * of monitors.
 * @param account `accountOf` an operator
 */
export function accountLeafReader(account: string): (entry: Uint8Array) => AccountEntry | null {
  const start = new TextEncoder().encode(`${ACCOUNT_START}${account}"`);
  return (entry) => (startsWith(entry, start) ? readLeaf(entry) : null);
}

/** Reads a leaf like `readAccountEntry`, the usual ones several times as fast. @throws LogEntryError */
export function readLeaf(entry: Uint8Array): AccountEntry {
  const text = textOf(entry);
  const match = OF_RECEIPT.exec(text);
  if (match === null) return readAccountEntry(text);
  const [, account = '', agent = '', position = '', at = '', hash = '', event = '', id = '', sequence = ''] =
    match;
  if (parseTimestamp(at) === null || !isEvent(event)) return readAccountEntry(text);
  return {
    account,
    sequence: Number(sequence),
    at,
    event,
    receipt_id: id,
    content_hash: hash,
    agent,
    agent_sequence: Number(position),
  };
}

function isEvent(event: string): event is 'issued' | 'finalized' | 'revoked' {
  return event === 'issued' || event === 'finalized' || event === 'revoked';
}

function startsWith(entry: Uint8Array, start: Uint8Array): boolean {
  if (entry.length < start.length) return false;
  for (let at = start.length - 1; at >= 0; at--) if (entry[at] !== start[at]) return false;
  return true;
}

function textOf(entry: Uint8Array): string {
  try {
    return utf8.decode(entry);
  } catch {
    throw new LogEntryError('the entry is not UTF-8');
  }
}
