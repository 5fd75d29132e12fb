import { isJsonObject, type JsonObject, jsonOrNull } from '../../../proof/encoding/json.ts';
import { isJournalLine } from '../../../proof/ledger/journal-file.ts';
import { LogEntryError } from '../../../proof/log/entry-members.ts';
import { readReceiptEntry } from '../../../proof/log/log-entry.ts';
import { firstLine, isBlank, isList, LINE_BYTES_MAX } from '../../../proof/verifier/judge/lines.ts';
import { documentKind } from '../../../proof/verifier/kinds/kinds.ts';

/** What a file is used as. */
export type Role =
  | 'document'
  /** Many receipts or bundles, one a line. */
  | 'list'
  /** A whole journal of credits. */
  | 'journal'
  /** The list of trusted keys. */
  | 'keys'
  | 'policy'
  /** Verifier keys of logs, one a line. */
  | 'log keys'
  /** The public manifest of a receipt, which is a proof of it. */
  | 'manifest'
  /** The entry of a COSE receipt. */
  | 'entry'
  /** Files that are only used with the single document, even if they are none of its kind. */
  | 'proof'
  | 'status'
  /** The public manifest of the only receipt, whose leaves in the log of accounts are judged. */
  | 'linked'
  | 'empty';

/** A file with its content. */
export interface PageFile {
  name: string;
  bytes: Uint8Array;
  /** Recognised by the content without it. */
  role?: Role;
}

/** A line of a policy (C2SP tlog-policy). A list of log keys may have `log` lines too. */
const POLICY_LINE = /^[ \t]*(?:witness|group|quorum)[ \t]/m;
const LOG_KEY_LINE = /^(?:log[ \t]+)?[^\s+]+\+[0-9a-f]{8}\+[A-Za-z0-9+/]+=*(?:[ \t]+\S+)?$/;
/** No policy and no list of log keys is longer. */
const TEXT_BYTES_MAX = 2 ** 20;

/** Returns what a file is used as, by its content. */
export function roleOf(bytes: Uint8Array): Role {
  if (isBlank(bytes)) return 'empty';
  if (isJournal(bytes)) return 'journal';
  if (isList(bytes)) return 'list';
  const kind = documentKind(bytes);
  if (kind !== null) return kind.inputs === 'keyList' ? 'keys' : 'document';
  const value = jsonOrNull(bytes);
  if (isJsonObject(value)) {
    // A list of an earlier version has fewer members.
    if (Array.isArray(value.keys) && !Object.hasOwn(value, 'signature')) return 'keys';
    return isManifest(value) ? 'manifest' : isEntry(bytes) ? 'entry' : 'document';
  }
  return textRole(bytes) ?? 'document';
}

/** An empty journal is one line, which may have no end. */
function isJournal(bytes: Uint8Array): boolean {
  const first = bytes.subarray(0, LINE_BYTES_MAX);
  return isJournalLine(firstLine(first)?.line ?? first);
}

function textRole(bytes: Uint8Array): Role | null {
  if (bytes.length > TEXT_BYTES_MAX) return null;
  const text = new TextDecoder().decode(bytes);
  if (POLICY_LINE.test(text)) return 'policy';
  const lines = text.split('\n').map((line) => line.trim());
  const keys = lines.filter((line) => line !== '' && !line.startsWith('#'));
  return keys.length > 0 && keys.every((line) => LOG_KEY_LINE.test(line)) ? 'log keys' : null;
}

const isManifest = (object: JsonObject): boolean =>
  object.inclusion_path !== undefined || object.inclusion_reason !== undefined;

function isEntry(bytes: Uint8Array): boolean {
  try {
    readReceiptEntry(new TextDecoder().decode(bytes).trimEnd());
    return true;
  } catch (error) {
    if (!(error instanceof LogEntryError)) throw error;
    return false;
  }
}
