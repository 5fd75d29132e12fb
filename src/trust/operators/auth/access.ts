import { commonErrors } from '../../http/errors.ts';
import { requireRunning } from '../scope.ts';
import type { KeyFacts } from '../store.ts';

/**
 * The key that a route requires.
 * - `issuer`: an issuer key.
 * - `any`: any key, including a holder key, for the data of its agent.
 * - `gated`: any key, even of a suspended operator, because the gate refuses it with its own error.
 * - `session`: any key, even of a suspended operator, to read its data in a browser.
 * - `logout`: the same, even after its scope ended, to end the session.
 * - `reading`: any key, even of a suspended operator, for a POST that only reads. It writes like `any`.
 * - `finalization`: any key, even after its scope ended. The logic then allows only the receipts that the
 *   key issued.
 * - `revocation`: the same, including issuer keys of a suspended or closed operator, for writes that only
 *   delete or revoke. The logic then allows only what belongs to the key.
 * - `payment`: any key, including issuer keys of a suspended or closed operator.
 */
export type Access =
  | 'issuer'
  | 'any'
  | 'gated'
  | 'session'
  | 'logout'
  | 'reading'
  | 'finalization'
  | 'revocation'
  | 'payment';

/** What decides whether a caller has an access. */
type Rights = Pick<KeyFacts, 'role' | 'accountStatus' | 'agentState' | 'scope'>;

/** @param now milliseconds since 1970 @throws ApiError scope_ended, forbidden, agent_not_enrolled */
export function requireAccess(facts: Rights, access: Access, isWrite: boolean, now: number): void {
  if (isWrite && !mayOutliveScope(access)) requireRunning(facts, now);
  if (access === 'issuer' && facts.role === 'holder') {
    throw forbidden('A holder key does not have permission for this operation. Use an issuer key.');
  }
  if (isWrite && facts.accountStatus !== 'ACTIVE' && !mayWriteSuspended(facts, access)) {
    throw forbidden(
      `The account is ${facts.accountStatus.toLowerCase()}, so it can only read. Its issuer keys can still delete keys, revoke receipts and ` +
        `end sessions${facts.accountStatus === 'SUSPENDED' ? ', and pay what GET /api/v1/operator/status says that it owes' : ''}.`,
    );
  }
  if (isWrite && facts.agentState === 'REVOKED' && access !== 'session' && access !== 'logout') {
    throw commonErrors.agent_not_enrolled({
      message: 'The agent of this key was revoked, so the key can only read. Use the key of another agent.',
    });
  }
}

/**
 * Returns whether a key whose scope has ended may write on a route with this access. The logic then limits it
 * to what belongs to the key.
 */
export function mayOutliveScope(access: Access): boolean {
  return access === 'finalization' || access === 'revocation' || access === 'logout';
}

/** Returns whether a key of a suspended or closed operator may write on a route with this access. */
function mayWriteSuspended({ role }: Pick<Rights, 'role'>, access: Access): boolean {
  if (access === 'revocation' || access === 'payment') return role === 'issuer';
  return access === 'gated' || access === 'session' || access === 'logout';
}

function forbidden(message: string) {
  return commonErrors.forbidden({ message });
}
