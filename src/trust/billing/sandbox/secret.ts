import type { MasterKey } from '../../../platform/crypto/master-key.ts';

/** Returns the secret that signs events, which is derived from the master key and needs no setting. */
export function webhookSecret(masterKey: MasterKey): string {
  return `whsec_${masterKey.derive('sandbox webhook secret')}`;
}
