import { nativePrimitives } from '../../../platform/crypto/crypto.ts';
import { Failure } from '../../../platform/failure.ts';
import { bytesOf, gathered } from '../../../platform/files/read.ts';
import { fetchOk, isUrl, requireHttps } from '../../../platform/network/fetch.ts';
import { equalBytes } from '../../../proof/encoding/equal-bytes.ts';
import { JsonError, parseJsonBytes } from '../../../proof/encoding/json.ts';
import { issuerInKeys, type TrustedIssuer } from '../../../proof/keys/trusted-issuer.ts';
import { readTrustedKeys, type TrustedKey, TrustedKeysError } from '../../../proof/keys/trusted-keys.ts';
import type { ClosedLog } from '../../../proof/log/closed-log.ts';
import { acceptingAnyLog, type LogKey, logKeyOf, readLogKeys } from '../../../proof/log/log-keys.ts';
import type { VerifierKey } from '../../../proof/log/note.ts';
import { receiptShape } from '../../../proof/receipt/receipt-shape.ts';
import { documentKind } from '../../../proof/verifier/kinds/kinds.ts';
import { withArticle } from '../options/by-document.ts';
import type { TrustSources } from '../options/combinations.ts';

const MAX_BYTES = 16 * 2 ** 20;
const FETCHING = {
  maxBytes: MAX_BYTES,
  timeoutMs: 10_000,
  failed: 'does not return keys',
  hint: 'check that the service runs, or specify a saved file',
};

/** The keys that the verifier trusts: for receipts and statuses, and for logs. */
export interface VerifierKeys {
  keys: TrustedKey[];
  /** The issuer that the list names; null for a list without it. */
  issuer?: TrustedIssuer | null;
  logKeys: LogKey[];
  /** Compromised public keys of logs, which must not be trusted even if the command line names them. */
  compromisedLogKeys: Uint8Array[];
  /** The origin of the log of keys that the list names; null for a list without it. */
  keyLog: string | null;
  /** The closed logs that the list names. */
  closedLogs: readonly ClosedLog[];
}

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
  const bytes = isUrl(source) ? await fetched(source) : await gathered(source, bytesOf(source), MAX_BYTES);
  try {
    const document = parseJsonBytes(bytes);
    const { trusted, compromised, keyLog, closedLogs } = readLogKeys(nativePrimitives, document);
    return {
      keys: readTrustedKeys(nativePrimitives, document),
      issuer: issuerInKeys(document),
      logKeys: anyLog ? acceptingAnyLog(trusted) : trusted,
      compromisedLogKeys: compromised,
      keyLog,
      closedLogs,
    };
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

/** Returns the named log keys. @throws Failure if the service has reported one of them as compromised */
export function uncompromised(
  keys: readonly VerifierKey[],
  { compromisedLogKeys }: Pick<VerifierKeys, 'compromisedLogKeys'>,
  source: string,
): LogKey[] {
  const broken = keys.find(({ publicKey }) =>
    compromisedLogKeys.some((compromised) => equalBytes(compromised, publicKey)),
  );
  if (broken === undefined) return keys.map(logKeyOf);
  throw new Failure(
    `the key of ${source} for ${broken.name} has been reported as compromised`,
    'pass the key that replaced it',
  );
}

async function fetched(source: string): Promise<Uint8Array> {
  const url = new URL(source);
  if (url.pathname === '/') url.pathname = '/api/v1/transparency/keys';
  requireHttps(url, 'keys', 'use https, or a file that you trust');
  return fetchOk(url.href, FETCHING);
}
