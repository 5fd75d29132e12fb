import { CanonicalJsonError, canonicalJson } from '../../../proof/encoding/canonical-json.ts';
import { canonicalJsonSteps } from '../../../proof/encoding/canonical-steps.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../proof/encoding/json.ts';
import { sha256Hex } from '../../crypto/crypto.ts';
import type { Transaction } from '../../store/transaction.ts';
import { slices } from '../../turns/slices.ts';
import { Refusal } from '../errors/errors.ts';

/** The first response to a request, stored for its repetitions. */
export interface StoredResponse {
  /** Lower-case hexadecimal SHA-256 of the canonical JSON of the body. */
  bodyDigest: string;
  /** JSON. */
  response: string;
}

/** What a key is valid for. */
export interface Scope {
  /** Lower-case hexadecimal SHA-256 of owner, method, path and key. */
  digest: string;
  /** Whether the key is a capture id, whose response is kept for 30 days instead of one. */
  isCapture: boolean;
}

/** A service's first responses. `find` returns none that is older than they are kept. */
export interface IdempotencyStore {
  find(tx: Transaction, scope: Scope): Promise<StoredResponse | null>;
  save(tx: Transaction, scope: Scope, response: StoredResponse): Promise<void>;
}

/**
 * Runs `act` in the transaction. If the request's Idempotency-Key has a stored response, returns that instead
 * (IETF draft-ietf-httpapi-idempotency-key-header). Stores the response in the transaction of the change. A
 * concurrent repetition waits, because transactions run one after the other. `withoutSecrets` returns the
 * response to store.
 *
 * @throws Refusal idempotency when the key was used with another body
 */
export type Once = <T extends object>(
  tx: Transaction,
  act: () => T | Promise<T>,
  withoutSecrets?: (response: T) => T,
) => T | Promise<T>;

const KEY = /^[\x21-\x7e]{1,255}$/;
/** A capture id: `cap_` and a UUIDv7 without dashes. */
const CAPTURE_ID = /^cap_[0-9a-f]{12}7[0-9a-f]{3}[89ab][0-9a-f]{15}$/;

/**
 * Returns `Once` for one request. A key is valid for one owner, method and path; without an owner it is
 * ignored.
 * @throws Refusal invalid for a malformed key
 */
export function onceFor(
  store: IdempotencyStore,
  request: Request,
  ownerOf: (isCapture: boolean) => string | null,
  body: JsonValue,
  replayed: () => void,
): Once {
  const key = request.headers.get('idempotency-key');
  const isCapture = key !== null && CAPTURE_ID.test(key);
  const owner = ownerOf(isCapture);
  if (key === null || owner === null || request.method !== 'POST') return (_tx, act) => act();
  if (!KEY.test(key)) {
    throw new Refusal('invalid', {
      issues: { 'Idempotency-Key': ['must be 1 to 255 visible ASCII characters'] },
    });
  }
  const { pathname } = new URL(request.url);
  const scope: Scope = {
    digest: sha256Hex(JSON.stringify([owner, request.method, pathname, key])),
    isCapture,
  };
  // Computed on first use: a request that is refused before it writes needs none.
  let bodyDigest: string | undefined;
  return async (tx, act, withoutSecrets) => {
    bodyDigest ??= digestOf(body);
    const kept = await store.find(tx, scope);
    if (kept === null) {
      const response = await act();
      await store.save(tx, scope, {
        bodyDigest,
        response: JSON.stringify(withoutSecrets?.(response) ?? response),
      });
      return response;
    }
    if (kept.bodyDigest !== bodyDigest) throw new Refusal('idempotency');
    tx.afterCommit(replayed);
    return JSON.parse(kept.response);
  };
}

/** The canonical JSON of objects in request bodies, so that it is computed only once per request. */
const written = new WeakMap<object, string>();

/** Caches the canonical JSON of a member of a body, since the digest of the body needs it too. */
export function cacheCanonical(member: object, canonical: string): void {
  written.set(member, canonical);
}

/**
 * Writes the canonical JSON of the members of a large body in slices, since a transaction, which computes its
 * digest, cannot pause.
 */
export async function cacheCanonicalMembers(body: JsonObject): Promise<void> {
  for (const member of Object.values(body)) {
    if (typeof member !== 'object' || member === null) continue;
    try {
      cacheCanonical(member, await slices.run(canonicalJsonSteps(member)));
    } catch (error) {
      // The digest reports it.
      if (!(error instanceof CanonicalJsonError)) throw error;
    }
  }
}

/**
 * Returns the SHA-256 of the canonical JSON of a body. No body and an empty object are equal. @throws Refusal
 * invalid_json
 */
function digestOf(body: JsonValue): string {
  try {
    return sha256Hex(isJsonObject(body) ? canonicalBody(body) : canonicalJson(body ?? {}));
  } catch (error) {
    if (!(error instanceof CanonicalJsonError)) throw error;
    throw new Refusal('invalid_json', { message: `The body has no canonical form: ${error.message}.` });
  }
}

function canonicalBody(body: JsonObject): string {
  const members = Object.entries(body)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${canonicalJson(name)}:${canonicalMember(value)}`);
  return `{${members.join(',')}}`;
}

function canonicalMember(value: JsonValue): string {
  const known = typeof value === 'object' && value !== null ? written.get(value) : undefined;
  return known ?? canonicalJson(value);
}
