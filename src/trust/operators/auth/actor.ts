import { type Authority, SERVICE } from '../../../platform/store/authority.ts';
import { commonErrors } from '../../http/errors.ts';
import type { Principal } from './authenticate.ts';

/** The authority of an actor. `neverRefused` is the same for writes that no quota refuses. */
interface ActingAuthority extends Authority {
  readonly neverRefused: Authority;
}

/**
 * The caller of a rule: a key, or the local administrator. The administrator has the rights of an admin key,
 * and an operator only if the command names one. A `Principal` is an `Actor` with an operator.
 */
export interface Actor
  extends Pick<
    Principal,
    'role' | 'admin' | 'subjectCommitment' | 'scope' | 'agentState' | 'selfProvisioned'
  > {
  /** null for the local administrator who acts for no operator. */
  operatorSeq: number | null;
  operatorId: string | null;
  /** SHA-256 of the key; null for the local administrator. */
  keyHash: string | null;
  apiKeySeq: number | null;
  authority: ActingAuthority;
}

/** An actor with an operator: a key, or the local administrator who acts for an operator. */
export interface OperatorActor extends Actor, Pick<Principal, 'accountStatus' | 'plan' | 'subscribed'> {
  operatorSeq: number;
  operatorId: string;
}

/**
 * Returns the owner of an Idempotency-Key. One that is a capture id belongs to the operator: when a request
 * is repeated days later, another key may be in use.
 */
export function ownerOfIdempotencyKey(
  { keyHash, operatorId }: Pick<Actor, 'keyHash' | 'operatorId'>,
  isCapture: boolean,
): string | null {
  return isCapture ? operatorId : keyHash;
}

/** Returns whether the local administrator acts, who may read everything. */
export const isLocalAdministrator = ({ keyHash }: Pick<Actor, 'keyHash'>): boolean => keyHash === null;

/**
 * Returns the operator of an actor.
 * @throws ApiError forbidden for the local administrator who acts for no operator
 */
export function requireOperator({ operatorSeq, operatorId }: Actor): {
  operatorSeq: number;
  operatorId: string;
} {
  if (operatorSeq !== null && operatorId !== null) return { operatorSeq, operatorId };
  throw commonErrors.forbidden({
    message: 'The local administrator has no operator. Name the operator that acts, or the agent that pays.',
  });
}

/**
 * The administrator of this machine: the user who can connect to the control socket of a running server, or
 * who opened the data directory. They could change the files themselves, so no quota applies to them.
 */
export const LOCAL_ADMINISTRATOR: Actor = {
  operatorSeq: null,
  operatorId: null,
  keyHash: null,
  apiKeySeq: null,
  role: 'issuer',
  admin: true,
  subjectCommitment: null,
  scope: null,
  agentState: null,
  selfProvisioned: false,
  authority: { ...SERVICE, neverRefused: SERVICE },
};
