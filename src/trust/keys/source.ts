import { nativePrimitives } from '../../platform/crypto.ts';
import { Failure } from '../../platform/failure.ts';
import { bytesOf, gathered } from '../../platform/input.ts';
import { JsonError, parseJsonBytes } from '../../proof/json.ts';
import { type LogKey, readLogKeys } from '../../proof/log-keys.ts';
import { readTrustedKeys, type TrustedKey, TrustedKeysError } from '../../proof/trusted-keys.ts';

const MAX_BYTES = 16 * 2 ** 20;

/** What a reader trusts: keys that sign receipts and statuses, and keys that sign logs. */
export interface ReadersKeys {
  keys: TrustedKey[];
  logKeys: LogKey[];
  /** Public keys of logs that nobody should trust, whoever names them. */
  compromisedLogKeys: Uint8Array[];
}

/**
 * The keys that a reader trusts: a saved answer of /api/v1/transparency/keys, or its URL (a service's own URL will do).
 * Over plain http only from this machine. @throws Failure
 */
export async function keysFrom(source: string): Promise<ReadersKeys> {
  const bytes = await gathered(
    source,
    /^https?:\/\//.test(source) ? fetched(source) : bytesOf(source),
    MAX_BYTES,
  );
  try {
    const document = parseJsonBytes(bytes);
    const { trusted, compromised } = readLogKeys(nativePrimitives, document);
    return {
      keys: readTrustedKeys(nativePrimitives, document),
      logKeys: trusted,
      compromisedLogKeys: compromised,
    };
  } catch (error) {
    if (error instanceof TrustedKeysError || error instanceof JsonError) {
      throw new Failure(
        `${source}: ${error.message}`,
        'save the answer of GET /api/v1/transparency/keys and name the file',
      );
    }
    throw error;
  }
}

async function* fetched(source: string): AsyncGenerator<Uint8Array> {
  const url = new URL(source);
  if (url.pathname === '/') url.pathname = '/api/v1/transparency/keys';
  const isLocal = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(url.hostname);
  if (url.protocol === 'http:' && !isLocal) {
    throw new Failure(
      `keys from ${url.host} could be anybody's over http`,
      'use https, or a file that you trust',
    );
  }
  try {
    const response = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(10_000) });
    if (!response.ok) throw new Error(`status ${response.status}`);
    if (response.body !== null) yield* response.body;
  } catch (error) {
    throw new Failure(
      `${url} gives no keys: ${error instanceof Error ? error.message : String(error)}`,
      'see that the service runs, or name a saved file',
    );
  }
}
