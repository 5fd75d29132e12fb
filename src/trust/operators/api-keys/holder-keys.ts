import type { Transaction } from '../../../platform/store/transaction.ts';
import { parseTimestamp } from '../../../proof/encoding/timestamp.ts';
import type { CommandContext } from '../../context.ts';
import { trustError } from '../../http/dialect.ts';
import type { Principals } from '../auth/principals.ts';
import { deleteKeys, holderKeysFor, type OperatorRow, type Scope } from '../store.ts';
import { createKeyIn } from './api-keys.ts';

/** Holder keys of one agent, in the name of one operator, beyond which the agent makes no further one. */
const MAX_HOLDER_KEYS = 5;
/** Keys that one call deletes at most, so that its transaction is over within milliseconds (1,000 took 15 ms). */
const MAX_DELETED = 200;

/**
 * Makes a holder key of an agent's operator for the agent, which asks for it itself. It may spend no more than each of the agent's
 * holder keys may, also of those that it replaces. Where there is none, only the operator that was made for this agent gives one: any
 * other has given none yet, or has deleted them all to withdraw them.
 * @param revokeOthers deletes the operator's other holder keys for the agent
 * @returns the key, and how many were deleted @throws ApiError forbidden, conflict beyond five keys; as createKeyIn
 */
export async function createHolderKeyIn(
  tx: Transaction,
  context: Pick<CommandContext, 'clock' | 'ids'> & { principals: Pick<Principals, 'changedIn'> },
  { operatorSeq, provisionedFor }: Pick<OperatorRow, 'operatorSeq' | 'provisionedFor'>,
  subjectCommitment: string,
  revokeOthers: boolean,
) {
  const others = await holderKeysFor(tx, operatorSeq, subjectCommitment, MAX_DELETED + 1);
  // A key that the agent made was made beside one of its sponsor's, so one key is enough to show that the sponsor wants it.
  if (others.length === 0 && provisionedFor !== subjectCommitment) {
    throw trustError('forbidden', {
      message:
        'The agent has no holder key of its sponsor. Ask the sponsor to create the first one with POST /api/v1/operator/api-keys.',
    });
  }
  if (!revokeOthers && others.length >= MAX_HOLDER_KEYS) {
    throw trustError('conflict', {
      message: `The agent already has ${MAX_HOLDER_KEYS} holder keys or more. Send revoke_others, or ask its sponsor to delete some.`,
    });
  }
  if (others.length > MAX_DELETED) {
    throw trustError('conflict', {
      message: `The agent has more than ${MAX_DELETED} holder keys. Ask its sponsor to delete some.`,
    });
  }
  const key = await createKeyIn(tx, context, operatorSeq, {
    name: 'made by the agent',
    role: 'holder',
    admin: false,
    subjectCommitment,
    scope: commonScope(others.map(({ scope }) => scope)),
  });
  const revoked = revokeOthers ? others : [];
  if (revoked.length > 0) {
    await deleteKeys(
      tx,
      revoked.map(({ keyHash }) => keyHash),
    );
    context.principals.changedIn(tx);
  }
  return { ...key, revoked_keys: revoked.length };
}

/** What all of some scopes allow; null for no limit. */
export function commonScope(scopes: readonly (Scope | null)[]): Scope | null {
  const limited = scopes.filter((scope) => scope !== null);
  if (limited.length === 0) return null;
  const most = limited.flatMap(({ max_credits }) => (max_credits === undefined ? [] : [max_credits]));
  const products = limited.flatMap(({ products: some }) => (some === undefined ? [] : [new Set(some)]));
  const ends = limited
    .flatMap(({ expires_at }) => (expires_at === undefined ? [] : [expires_at]))
    .sort((a, b) => timeOf(a) - timeOf(b));
  const [first, ...rest] = products;
  const [end] = ends;
  return {
    ...(most.length === 0 ? {} : { max_credits: Math.min(...most) }),
    ...(first === undefined
      ? {}
      : { products: [...rest.reduce((common, some) => common.intersection(some), first)] }),
    ...(end === undefined ? {} : { expires_at: end }),
  };
}

/** A time that cannot be read has passed. */
function timeOf(text: string): number {
  return parseTimestamp(text) ?? Number.NEGATIVE_INFINITY;
}
