import { integer } from '../../platform/config/setting.ts';

/** The settings of signing keys. */
export const keysSettings = {
  publishKeysAhead: integer('keys.publish_ahead_seconds', 0, 30 * 24 * 3600, {
    description: 'how long the next signing key is published before it signs',
    fallback: 7200,
  }),
};
