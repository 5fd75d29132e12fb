import { DocumentReader, type TextForm } from '../document/document-reader.ts';
import { hex, thumbprint, time } from '../document/forms.ts';
import {
  isJsonObject,
  JsonError,
  type JsonObject,
  type JsonValue,
  parseJsonBytes,
} from '../encoding/json.ts';
import { issuerInKeys } from '../keys/trusted-issuer.ts';
import { KEY_STATUSES, type KeyStatus, readTrustedKeys, TrustedKeysError } from '../keys/trusted-keys.ts';
import type { PublishedClosedLog } from '../log/log-chain.ts';
import { readLogKeys } from '../log/log-keys.ts';
import { LOG_NAMES } from '../log/log-names.ts';
import type { Primitives } from '../primitives.ts';

/** A key in a saved response of `GET /api/v1/transparency/keys`. */
export interface PublishedKey {
  kid: string;
  algorithm: string;
  public_key: string;
  purpose: string;
  status: KeyStatus;
  valid_from: string;
  valid_until: string | null;
  /** The index of the entry of the key log that added the key. */
  log_index: number | null;
  receipts_logs: string[];
  receipts_tree_size: number | null;
}

/** A saved response of `GET /api/v1/transparency/keys`, with what it states of the key log. */
export interface KeyDocument {
  keys: PublishedKey[];
  /** Empty for a response of an earlier version, which does not have it. */
  closed_logs: PublishedClosedLog[];
  log: { origin: string; tree_size: number; root_hash: string; checkpoint: string };
}

/** More than any service has, to limit what a hostile document costs. */
const MAX = { keys: 10_000, logs: 1024 };

const anyText: TextForm = { fits: (text) => text !== '' && text.isWellFormed(), words: 'a text' };

/** Returns whether a document is one of public keys: it has no `type`, and has `keys` and `log`. */
export function isKeyDocument(document: JsonValue): document is JsonObject {
  if (!isJsonObject(document) || Object.hasOwn(document, 'type')) return false;
  return Object.hasOwn(document, 'keys') && Object.hasOwn(document, 'log');
}

/**
 * Reads a key document. Unlike `readTrustedKeys` it refuses members that it does not know, of which the key
 * log says nothing.
 * @returns the document, or the problems, one sentence each
 */
export function readKeyDocument(
  primitives: Primitives,
  bytes: Uint8Array,
): { read: KeyDocument } | { problems: string[] } {
  const problems: string[] = [];
  try {
    const document = parseJsonBytes(bytes);
    const value = new DocumentReader(document, '', problems).object();
    const log = value.member('log').object();
    const read = {
      keys: value.member('keys').items(MAX.keys).map(readKey),
      closed_logs: readClosedLogs(value.member('closed_logs')),
      log: {
        origin: log.member('origin').text(anyText),
        tree_size: log.member('tree_size').count(),
        root_hash: log.member('root_hash').text(hex(32)),
        checkpoint: log.member('checkpoint').text(anyText),
      },
    };
    problems.push(...unknownMembers(document));
    if (problems.length > 0) return { problems };
    // What a verifier of other documents would do with it must work too.
    readTrustedKeys(primitives, document);
    readLogKeys(primitives, document);
    issuerInKeys(document);
    return { read };
  } catch (error) {
    if (!(error instanceof JsonError || error instanceof TrustedKeysError)) throw error;
    return { problems: [error.message] };
  }
}

const KEY_MEMBERS = [
  'kid',
  'public_key',
  'algorithm',
  'purpose',
  'status',
  'valid_from',
  'valid_until',
  'log_index',
  'receipts_logs',
  'receipts_tree_size',
];
const CLOSED_LOG_MEMBERS = ['log', 'origin', 'tree_size', 'root_hash', 'certain', 'at', 'log_index'];
const LOG_MEMBERS = ['origin', 'tree_size', 'root_hash', 'checkpoint'];

function unknownMembers(document: JsonValue): string[] {
  const unknownIn = (value: JsonValue | undefined, path: string, known: readonly string[]): string[] =>
    Object.keys(isJsonObject(value) ? value : {})
      .filter((name) => !known.includes(name))
      .map((name) => `${path}${name} is unknown`);
  if (!isJsonObject(document)) return [];
  const { keys, log, closed_logs: closed } = document;
  const rows = Array.isArray(keys) ? keys : [];
  const closedLogs = Array.isArray(closed) ? closed : [];
  return [
    ...unknownIn(document, '', ['issuer', 'keys', 'closed_logs', 'log']),
    ...unknownIn(log, 'log.', LOG_MEMBERS),
    ...rows.flatMap((row, index) => unknownIn(row, `keys[${index}].`, KEY_MEMBERS)),
    ...closedLogs.flatMap((row, index) => unknownIn(row, `closed_logs[${index}].`, CLOSED_LOG_MEMBERS)),
  ].slice(0, 1);
}

function readClosedLogs(value: DocumentReader): PublishedClosedLog[] {
  if (!value.isPresent()) return [];
  return value.items(MAX.logs * LOG_NAMES.length).map((row) => {
    row.object();
    return {
      log: row.member('log').oneOf(LOG_NAMES),
      origin: row.member('origin').text(anyText),
      tree_size: row.member('tree_size').count(),
      root_hash: row.member('root_hash').text(hex(32)),
      certain: row.member('certain').flag(),
      at: row.member('at').text(time),
      log_index: row.member('log_index').count(),
    };
  });
}

function readKey(value: DocumentReader): PublishedKey {
  value.object();
  return {
    kid: value.member('kid').text(thumbprint),
    algorithm: value.member('algorithm').text(anyText),
    public_key: value.member('public_key').text(anyText),
    purpose: value.member('purpose').text(anyText),
    status: value.member('status').oneOf(KEY_STATUSES),
    valid_from: value.member('valid_from').text(time),
    valid_until: value.member('valid_until').nullable((end) => end.text(time)),
    log_index: value.member('log_index').nullable((index) => index.count()),
    receipts_logs: value
      .member('receipts_logs')
      .items(MAX.logs)
      .map((name) => name.text(anyText)),
    receipts_tree_size: value.member('receipts_tree_size').nullable((size) => size.count()),
  };
}
