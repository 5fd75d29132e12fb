import type { Ids } from '../../platform/ids.ts';
import type { Transaction } from '../../platform/store/transaction.ts';
import type { Clock } from '../../platform/time/clock.ts';
import { commonErrors } from '../http/errors.ts';
import type { Principals } from './auth/authenticate.ts';
import { createKeyIn } from './new-api-key.ts';
import { scopeEnd } from './scope.ts';
import { deleteKeys, holderKeysFor, type OperatorRow, type Scope } from './store.ts';

/** Limit of holder keys of one operator for one agent: at the limit, the agent cannot create another. */
const MAX_HOLDER_KEYS = 5;
/** Most keys that one call deletes, so that its transaction takes milliseconds (1,000 took 15 ms). */
const MAX_DELETED = 200;

/**
 * Creates a holder key for an agent that requests it. Its scope is the intersection of the scopes of the
 * operator's holder keys for the agent, including those that it replaces. Without such keys, only an operator
 * that was created for this agent gets one. Any other operator created none, or deleted all of them.
 * @param revokeOthers whether to delete the operator's other holder keys for the agent
 * @returns the key, and how many keys were deleted
 * @throws ApiError forbidden, conflict beyond five keys; as createKeyIn
 */
export async function createHolderKeyIn(
  tx: Transaction,
  context: { clock: Clock; ids: Ids } & { principals: Pick<Principals, 'changedIn'> },
  { operatorSeq, provisionedFor }: Pick<OperatorRow, 'operatorSeq' | 'provisionedFor'>,
  subjectCommitment: string,
  revokeOthers: boolean,
) {
  const existing = await holderKeysFor(tx, { operatorSeq, subjectCommitment, limit: MAX_DELETED + 1 });
  // The sponsor always creates the first holder key, so an existing one shows that the sponsor allows them.
  if (existing.length === 0 && provisionedFor !== subjectCommitment) {
    throw commonErrors.forbidden({
      message:
        'The agent has no holder key of its sponsor. Ask the sponsor to create the first one with POST /api/v1/operator/api-keys.',
    });
  }
  if (!revokeOthers && existing.length >= MAX_HOLDER_KEYS) {
    throw commonErrors.conflict({
      message: `The agent already has ${MAX_HOLDER_KEYS} holder keys or more. Send revoke_others, or ask its sponsor to delete some.`,
    });
  }
  if (existing.length > MAX_DELETED) {
    throw commonErrors.conflict({
      message: `The agent has more than ${MAX_DELETED} holder keys. Ask its sponsor to delete some.`,
    });
  }
  const key = await createKeyIn(tx, context, operatorSeq, {
    name: 'made by the agent',
    role: 'holder',
    admin: false,
    subjectCommitment,
    scope: commonScope(existing.map(({ scope }) => scope)),
  });
  const revoked = revokeOthers ? existing : [];
  if (revoked.length > 0) {
    await deleteKeys(
      tx,
      revoked.map(({ keyHash }) => keyHash),
    );
    context.principals.changedIn(tx);
  }
  return { ...key, revoked_keys: revoked.length };
}

/** Returns the intersection of scopes; null for no limit. */
export function commonScope(scopes: readonly (Scope | null)[]): Scope | null {
  const limited = scopes.filter((scope) => scope !== null);
  if (limited.length === 0) return null;
  const least = (name: 'max_credits' | 'max_credits_total' | 'max_credits_per_day') => {
    const given = limited.flatMap(({ [name]: most }) => (most === undefined ? [] : [most]));
    return given.length === 0 ? {} : { [name]: Math.min(...given) };
  };
  const products = limited.flatMap(({ products: some }) => (some === undefined ? [] : [new Set(some)]));
  const [first, ...rest] = products;
  const end = limited.toSorted((a, b) => scopeEnd(a) - scopeEnd(b))[0]?.expires_at;
  return {
    ...least('max_credits'),
    ...least('max_credits_total'),
    ...least('max_credits_per_day'),
    ...(first === undefined
      ? {}
      : { products: [...rest.reduce((common, some) => common.intersection(some), first)] }),
    ...(end === undefined ? {} : { expires_at: end }),
  };
}
