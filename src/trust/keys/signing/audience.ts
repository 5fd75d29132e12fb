import type { TrustContext } from '../../context.ts';

/**
 * The name of this installation in what agents sign for it: the origin of its first logs and the kid of the first key that signed
 * the receipts log. Neither a restart of the log nor a rotation changes it, so that a client may keep it.
 */
export function audienceOf({ signer, log }: Pick<TrustContext, 'signer' | 'log'>): string {
  // The signer has the keys in the order in which they were made, and never fewer.
  const key = signer.all().find(({ purpose, algorithm }) => purpose === 'log' && algorithm === 'Ed25519');
  if (key === undefined) throw new Error('there is no key of the log');
  return `${log.firstOrigin}+${key.kid}`;
}
