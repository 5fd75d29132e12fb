import { nativePrimitives } from '../../platform/crypto/crypto.ts';
import { Failure } from '../../platform/failure.ts';
import { bytesOf, gathered } from '../../platform/files/read.ts';
import { fetchAll, isUrl } from '../../platform/network/fetch.ts';
import {
  isJsonObject,
  JsonError,
  type JsonValue,
  parseJson,
  parseJsonBytes,
} from '../../proof/encoding/json.ts';
import { entryIn } from '../../proof/log/cose-verdict.ts';
import {
  type CoseLogProof,
  type LogProof,
  LogProofError,
  readLogProof,
  type UnreadableProof,
} from '../../proof/receipt/inclusion.ts';
import { isCoseReceipt } from './log-kinds.ts';

const MAX_BYTES = 16 * 2 ** 20;
const FETCHING = {
  maxBytes: MAX_BYTES,
  timeoutMs: 10_000,
  failed: 'cannot be read',
  hint: 'check that the service runs and that this machine can reach it, or specify a saved file',
};

/**
 * Reads the proof that a log contains a receipt from a file with C2SP tlog-proof text, a public manifest or a COSE receipt, from the URL of
 * one of them, or from the service at a URL. A COSE receipt also needs a file with the entry, and has no cosignatures for a policy.
 * @throws Failure
 */
export async function proofFrom(
  source: string,
  receiptId: string,
  { entry, policy }: { entry?: string; policy?: string } = {},
): Promise<LogProof | CoseLogProof | UnreadableProof> {
  const bytes = await bytesAt(source, `/api/v1/receipts/${receiptId}/proof`);
  if (isCoseReceipt(bytes)) {
    if (policy !== undefined)
      throw new Failure(
        'a COSE receipt has no cosignatures, which --policy demands',
        'omit --policy, or specify the proof in text form',
        2,
      );
    if (entry === undefined)
      throw new Failure(
        'a COSE receipt does not have the entry of the log',
        'add --entry with a file that has the entry, or with the public manifest of the receipt',
        2,
      );
    return { cose: bytes, entry: entryIn(await fileBytes(entry)) };
  }
  if (entry !== undefined) throw new Failure('--entry is for COSE receipts', 'omit --entry', 2);
  try {
    return readLogProof(nativePrimitives, bytes);
  } catch (error) {
    if (!(error instanceof LogProofError)) throw error;
    return { unreadable: error.message };
  }
}

/**
 * Reads the JSON of a signed receipt status from a file, its URL, or the service at a URL; null for what is no JSON. It is not verified.
 * @throws Failure
 */
export async function statusFrom(source: string, receiptId: string): Promise<JsonValue> {
  const bytes = await bytesAt(source, `/api/v1/receipts/${receiptId}/status`);
  try {
    return parseJsonBytes(bytes);
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    return null;
  }
}

/**
 * Reads the JSON of a signed response from a file, its URL, or the service at a URL. It is not verified.
 * @param path to request when the URL is a service's URL
 * @param named the response and its operation, for messages
 * @throws Failure
 */
export async function jsonFrom(
  source: string,
  path: string,
  { what, operation }: { what: string; operation: string },
): Promise<JsonValue> {
  const bytes = await bytesAt(source, path);
  try {
    return parseJsonBytes(bytes);
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    throw new Failure(
      `${source} contains no ${what}: ${error.message}`,
      `save the response of ${operation} and specify the file`,
    );
  }
}

/** Reads a public manifest from a file, its URL, or the service at a URL. @throws Failure */
export function manifestFrom(source: string, receiptId: string): Promise<Uint8Array> {
  return bytesAt(source, `/api/v1/receipts/${receiptId}/public-manifest`);
}

/** Reads a file. @throws Failure */
export function fileBytes(path: string): Promise<Uint8Array> {
  return gathered(path, bytesOf(path), MAX_BYTES);
}

/** Reads a file or a URL. @param path to request when the URL is a service's URL. @throws Failure */
export async function bytesAt(source: string, path: string): Promise<Uint8Array> {
  if (!isUrl(source)) return fileBytes(source);
  const url = source.includes('/api/v1/') ? source : source.replace(/\/*$/, path);
  const { ok, status, bytes } = await fetchAll(url, FETCHING);
  if (ok) return bytes;
  throw new Failure(
    `${url} returned status ${status}${reasonIn(bytes)}`,
    'pass the URL of a service, or a saved file',
  );
}

/** Returns the reason in an error response, with ": " before it; empty for none. */
function reasonIn(bytes: Uint8Array): string {
  try {
    const answer = parseJson(new TextDecoder().decode(bytes));
    return isJsonObject(answer) && typeof answer.error === 'string' ? `: ${answer.error}` : '';
  } catch {
    return '';
  }
}
