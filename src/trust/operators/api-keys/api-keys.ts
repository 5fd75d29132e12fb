import { Type } from '@sinclair/typebox';
import { sha256Hex } from '../../../platform/crypto/crypto.ts';
import type { Once } from '../../../platform/http/idempotency/once.ts';
import type { Cursors } from '../../../platform/http/pagination/cursor.ts';
import { positionTime } from '../../../platform/http/pagination/cursor.ts';
import type { Ids } from '../../../platform/ids.ts';
import type { Store } from '../../../platform/store/store.ts';
import type { Snapshot, Transaction } from '../../../platform/store/transaction.ts';
import type { Clock } from '../../../platform/time/clock.ts';
import { timestamp } from '../../../platform/time/clock.ts';
import { commonErrors } from '../../http/errors.ts';
import { pageRequest } from '../../http/paging.ts';
import type { Principal, Principals } from '../auth/principals.ts';
import { sponsorOf } from '../related-store.ts';
import type { NewApiKey } from '../schema.ts';
import { hasEnded, isWithin, requireRunning } from '../scope.ts';
import { type ApiKeyRow, countOtherIssuers, deleteKeys, insertKey, keyOfOperator, keysOf } from '../store.ts';

/** The list of an operator's keys, ordered by creation time and hash. */
const API_KEYS = {
  name: 'api-keys',
  position: Type.Tuple([positionTime, Type.String({ pattern: '^[0-9a-f]{64}$' })]),
};

/** The columns of a new key, with defaults applied. */
export type NewKeyFields = Pick<ApiKeyRow, 'role' | 'admin' | 'name' | 'subjectCommitment' | 'scope'>;

/**
 * Creates a key. @returns the public view and the key in full, which is not stored
 * @throws ApiError forbidden for a holder key of an agent that the operator does not sponsor; agent_not_enrolled for a holder key of
 * a revoked agent
 */
export async function createKeyIn(
  tx: Transaction,
  { clock, ids }: { clock: Clock; ids: Ids },
  operatorSeq: number,
  request: NewKeyFields,
): Promise<KeyView & { api_key: string }> {
  await requireSponsorIn(tx, operatorSeq, request);
  const apiKey = ids.newSecret('pp_');
  const row = { ...request, keyHash: sha256Hex(apiKey), operatorSeq, createdAt: timestamp(clock) };
  await insertKey(tx, row);
  return { ...keyView({ ...row, lastUsedAt: null }), api_key: apiKey };
}

/**
 * Creates a key for the caller's operator. It cannot have more rights than the caller's key.
 * @throws ApiError forbidden, validation_error
 */
export async function createApiKey(
  { store, clock, ids }: { store: Store; clock: Clock; ids: Ids },
  principal: Principal,
  request: NewApiKey,
  once: Once,
) {
  const fields = newKeyFields(request);
  const excess = excessRights(principal, fields);
  if (excess !== null)
    throw commonErrors.forbidden({
      message: `A key cannot create a key with more rights than its own: ${excess}. Request fewer rights.`,
    });
  return store.write(principal.authority, (tx) => {
    const act = (): Promise<KeyView & { api_key: string | null }> =>
      createKeyIn(tx, { clock, ids }, principal.operatorSeq, fields);
    return once(tx, act, (response) => ({ ...response, api_key: null }));
  });
}

/** Returns a page of the operator's keys, newest first. @throws ApiError validation_error for an invalid cursor */
export async function listApiKeys(
  { store, cursors }: { store: Store; cursors: Cursors },
  { operatorSeq }: Pick<Principal, 'operatorSeq'>,
  query: { limit?: string; cursor?: string },
) {
  const { limit, after, takePage } = pageRequest(query, cursors.of(API_KEYS, [operatorSeq]));
  const position = after === undefined ? undefined : { createdAt: after[0], keyHash: after[1] };
  const found = await store.read((snapshot) => keysOf(snapshot, operatorSeq, position, limit + 1));
  const { page, next_cursor } = takePage(found, (last) => [last.createdAt, last.keyHash]);
  return { api_keys: page.map(keyView), next_cursor };
}

/** Returns one of the operator's keys by its hash. @throws ApiError not_found */
export async function getApiKey(
  { store }: { store: Store },
  { operatorSeq }: Pick<Principal, 'operatorSeq'>,
  keyHash: string,
): Promise<KeyView> {
  return keyView(await store.read((snapshot) => requireKey(snapshot, operatorSeq, keyHash)));
}

async function requireKey(snapshot: Snapshot, operatorSeq: number, keyHash: string): Promise<ApiKeyRow> {
  const key = /^[0-9a-f]{64}$/.test(keyHash)
    ? await keyOfOperator(snapshot, operatorSeq, keyHash)
    : undefined;
  if (key === undefined) {
    throw commonErrors.not_found({
      message: 'You have no key with this hash. List your keys with GET /api/v1/operator/api-keys.',
    });
  }
  return key;
}

/**
 * Deletes a key; the key and its sessions end at once. A key can delete itself, and keys that have no rights beyond its own.
 * @throws ApiError not_found; forbidden for a key with more rights than the caller's, and for every other key if the caller is a holder
 * key; scope_ended for every other key if the caller's scope has ended; conflict for the last issuer key whose scope has not ended
 */
export async function deleteApiKey(
  { store, clock, principals }: { store: Store; clock: Clock; principals: Principals },
  principal: Principal,
  keyHash: string,
) {
  const isOwn = keyHash === principal.keyHash;
  return store.write(principal.authority.neverRefused, async (tx) => {
    const { operatorSeq } = principal;
    const now = clock.now();
    if (!isOwn) requireRunning(principal, now);
    if (!isOwn && principal.role === 'holder') {
      throw commonErrors.forbidden({
        message: 'A holder key can delete only itself. Use an issuer key for other keys.',
      });
    }
    const key = await requireKey(tx, operatorSeq, keyHash);
    const excess = isOwn ? null : excessRights(principal, key);
    if (excess !== null) {
      throw commonErrors.forbidden({
        message: `A key cannot delete a key with more rights than its own: ${excess}. Use a key with these rights.`,
      });
    }
    // Keys whose scope has ended can make no other key, so they do not replace one that can.
    const from = hasEnded(key.scope, now) ? 0 : now;
    if (key.role === 'issuer' && (await countOtherIssuers(tx, operatorSeq, keyHash, from)) === 0) {
      throw commonErrors.conflict({
        message:
          'The last issuer key cannot be deleted. Create another issuer key first; keys whose scope has ended do not count.',
      });
    }
    await deleteKeys(tx, [keyHash]);
    principals.changedIn(tx);
    return { keyHash, deleted: true as const };
  });
}

/** A key, as the API shows it. */
export type KeyView = ReturnType<typeof keyView>;

function keyView({ keyHash, name, role, admin, subjectCommitment, scope, createdAt, lastUsedAt }: ApiKeyRow) {
  return {
    keyHash,
    name,
    role,
    admin,
    subject_commitment: subjectCommitment,
    scope,
    created_at: createdAt,
    last_used_at: lastUsedAt,
  };
}

/** Applies the defaults of a new key. @throws ApiError validation_error when role, agent and admin flag contradict each other */
export function newKeyFields(request: NewApiKey): NewKeyFields {
  const { name = null, role = 'issuer', subject_commitment = null, scope = null, admin = false } = request;
  const issues: Record<string, string[]> = {};
  if (role === 'holder' && subject_commitment === null) {
    issues.subject_commitment = ['is required for a holder key: the agent that it acts for'];
  }
  if (role === 'issuer' && subject_commitment !== null)
    issues.subject_commitment = ['is only allowed for holder keys'];
  if (role === 'holder' && admin) issues.admin = ['is only allowed for issuer keys'];
  if (Object.keys(issues).length > 0) throw commonErrors.validation_error({ issues });
  return { name, role, subjectCommitment: subject_commitment, scope, admin };
}

/**
 * Checks that the operator may create a holder key for an agent. An agent that has not enrolled is allowed: the key acts for it only if
 * the operator becomes its sponsor.
 */
async function requireSponsorIn(
  tx: Transaction,
  operatorSeq: number,
  { subjectCommitment }: NewKeyFields,
): Promise<void> {
  const agent = subjectCommitment === null ? undefined : await sponsorOf(tx, subjectCommitment);
  if (agent?.state === 'REVOKED') {
    throw commonErrors.agent_not_enrolled({
      message: 'The agent was revoked, so it gets no new keys. Name another agent.',
    });
  }
  if (agent === undefined || agent.sponsorSeq === operatorSeq) return;
  throw commonErrors.forbidden({
    message: "Only the agent's sponsor can create holder keys for it. Use a key of the sponsor.",
  });
}

/** Describes the rights that a key has beyond those of an issuer key that creates or deletes it; null if there are none. */
function excessRights(
  principal: Pick<Principal, 'admin' | 'scope'>,
  fields: Pick<NewKeyFields, 'admin' | 'scope'>,
): string | null {
  if (fields.admin && !principal.admin) return 'this key is not an admin key';
  return isWithin(fields.scope, principal.scope) ? null : "the scope is wider than this key's own";
}
