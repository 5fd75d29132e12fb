import { Failure } from '../../../platform/failure.ts';
import { bytesOf, gathered } from '../../../platform/files/read.ts';
import { fetchAll, isUrl } from '../../../platform/network/fetch.ts';
import {
  isJsonObject,
  JsonError,
  type JsonValue,
  parseJson,
  parseJsonBytes,
} from '../../../proof/encoding/json.ts';

const MAX_BYTES = 16 * 2 ** 20;
const FETCHING = {
  maxBytes: MAX_BYTES,
  timeoutMs: 10_000,
  failed: 'cannot be read',
  hint: 'check that the service runs and that this machine can reach it, or specify a saved file',
};

/**
 * Reads the JSON of a signed response from a file, its URL, or the service at a URL. It is not verified.
 * @param path to request when the URL is a service's URL
 * @param response the response and its operation, for messages
 * @throws Failure
 */
export async function jsonFrom(
  source: string,
  path: string,
  response: { name: string; operation: string },
): Promise<JsonValue> {
  const bytes = await bytesAt(source, path);
  try {
    return parseJsonBytes(bytes);
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    throw new Failure(
      `${source} contains no ${response.name}: ${error.message}`,
      `save the response of ${response.operation} and specify the file`,
    );
  }
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
    'pass the URL of the service that issued the document, or a saved file',
  );
}

/** Returns the reason in an error response, with ": " before it; empty for none. */
function reasonIn(bytes: Uint8Array): string {
  try {
    const response = parseJson(new TextDecoder().decode(bytes));
    return isJsonObject(response) && typeof response.error === 'string' ? `: ${response.error}` : '';
  } catch {
    return '';
  }
}
