import { integer } from '../../../platform/config/setting.ts';

/** The settings of signing keys. */
export const keysSettings = {
  publishKeysAhead: integer('keys.publish_ahead_seconds', 0, 30 * 24 * 3600, {
    description: 'seconds between the publication of the next signing key and its first signature',
    fallback: 7200,
  }),
};
