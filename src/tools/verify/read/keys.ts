import { nativePrimitives } from '../../../platform/crypto/crypto.ts';
import { Failure } from '../../../platform/failure.ts';
import { bytesOf, gathered } from '../../../platform/files/read.ts';
import { fetchOk, isUrl, requireHttps } from '../../../platform/network/fetch.ts';
import { JsonError, parseJsonBytes } from '../../../proof/encoding/json.ts';
import { TrustedKeysError } from '../../../proof/keys/trusted-keys.ts';
import { receiptShape } from '../../../proof/receipt/receipt-shape.ts';
import { documentKind } from '../../../proof/verifier/kinds/kinds.ts';
import { type VerifierKeys, verifierKeysIn } from '../../../proof/verifier/trust.ts';
import { withArticle } from '../options/by-document.ts';
import type { TrustSources } from '../options/combinations.ts';

const MAX_BYTES = 16 * 2 ** 20;
const FETCHING = {
  maxBytes: MAX_BYTES,
  timeoutMs: 10_000,
  failed: 'does not return keys',
  hint: 'check that the service runs, or specify a saved file',
};

/**
 * Reads the trusted keys from a saved response of /api/v1/transparency/keys, from its URL, or from the
 * service at a URL. Plain http is allowed only on this machine.
 * @param sources.anyLog accepts any log of the keys if the list names none
 * @throws Failure
 */
export async function keysFrom(
  source: string,
  { anyLog }: Pick<TrustSources, 'anyLog'>,
): Promise<VerifierKeys> {
  const bytes = await keyBytes(source);
  try {
    return verifierKeysIn(nativePrimitives, parseJsonBytes(bytes), anyLog);
  } catch (error) {
    if (error instanceof TrustedKeysError || error instanceof JsonError) {
      const kind = kindOf(bytes);
      throw new Failure(
        `${source}: ${error.message}${kind === null ? '' : `; it is ${kind}`}`,
        'save the response of GET /api/v1/transparency/keys and specify the file',
      );
    }
    throw error;
  }
}

/** Returns what a document is that is no list of keys, with its article; null if nothing tells. */
function kindOf(bytes: Uint8Array): string | null {
  const kind = documentKind(bytes);
  if (kind !== null) return kind.inputs === 'keyList' ? null : withArticle(kind.name);
  try {
    return 'receipt' in receiptShape(parseJsonBytes(bytes)) ? 'a receipt' : null;
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    return null;
  }
}

/** Reads a list of keys, which may be something else, from a file or a URL. @throws Failure */
export async function keyBytes(source: string): Promise<Uint8Array> {
  return isUrl(source) ? fetched(source) : gathered(source, bytesOf(source), MAX_BYTES);
}

async function fetched(source: string): Promise<Uint8Array> {
  const url = new URL(source);
  if (url.pathname === '/') url.pathname = '/api/v1/transparency/keys';
  requireHttps(url, 'keys', 'use https, or a file that you trust');
  return fetchOk(url.href, FETCHING);
}
