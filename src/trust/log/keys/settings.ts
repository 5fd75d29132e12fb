import type { Config } from '../../../platform/config/setting.ts';
import { integer } from '../../../platform/config/setting.ts';

/** The settings of signing keys. */
export const keysSettings = {
  publishKeysAhead: integer('keys.publish_ahead_seconds', 0, 30 * 24 * 3600, {
    description: 'seconds between the publication of the next signing key and its first signature',
    fallback: 7200,
  }),
};

/** The settings of signing keys in the units of the code. */
export interface KeysPolicy {
  /** The time that the next signing key is published before it signs, in milliseconds. */
  publishKeysAheadMs: number;
}

/** Returns the policy of signing keys from the settings. */
export const keysPolicy = (config: Config): KeysPolicy => ({
  publishKeysAheadMs: keysSettings.publishKeysAhead.in(config) * 1000,
});
