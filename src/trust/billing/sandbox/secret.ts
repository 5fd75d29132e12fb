import type { MasterKey } from '../../../platform/crypto/master-key.ts';

/**
 * Returns the secret of the signatures of events. It follows from the master key, so nobody has to configure
 * it.
 */
export function webhookSecret(masterKey: MasterKey): string {
  return `whsec_${masterKey.derive('sandbox webhook secret')}`;
}
