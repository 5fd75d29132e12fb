import type { TrustLog } from '../../lifecycle/open.ts';
import type { Signer } from './signer.ts';

/**
 * Returns the audience of what agents sign for this installation: the origin of its first logs, and the kid
 * of the first key of the receipts log. Clients may store it: log restarts and rotations do not change it.
 */
export function audienceOf({ signer, log }: { signer: Signer; log: TrustLog }): string {
  // The signer has all keys, in the order of their creation.
  const key = signer
    .all()
    .find(({ purpose, algorithm }) => purpose === 'receipts-log' && algorithm === 'Ed25519');
  if (key === undefined) throw new Error('there is no key of the receipts log');
  return `${log.firstOrigin}+${key.kid}`;
}
