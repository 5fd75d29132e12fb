import type { MasterKey } from '../../../../platform/crypto/master-key.ts';
import type { PushSecrets } from '../messages/push-config.ts';

interface ConfigName {
  taskId: string;
  configId: string;
}

/** Encrypts the secrets of a configuration. */
export function seal(masterKey: MasterKey, name: ConfigName, secrets: PushSecrets): string {
  return masterKey.encrypt(associatedDataOf(name), JSON.stringify(secrets));
}

/** Decrypts them. @throws Failure for another key, or secrets of another configuration */
export function unseal(masterKey: MasterKey, name: ConfigName, sealed: string): PushSecrets {
  const value: unknown = JSON.parse(masterKey.decrypt(associatedDataOf(name), sealed));
  const { token = null, credentials = null, signingSecret } = Object(value);
  return {
    token: textOrNull(token),
    credentials: textOrNull(credentials),
    signingSecret: String(signingSecret),
  };
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

/** Returns the associated data that binds secrets to their configuration: no other row can have them. */
function associatedDataOf({ taskId, configId }: ConfigName): string {
  return `a2a_push ${taskId} ${configId}`;
}
