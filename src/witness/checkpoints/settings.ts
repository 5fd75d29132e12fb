import { limitSettings } from '../../platform/config/platform-settings.ts';
import { integer, text } from '../../platform/config/setting.ts';

/** The settings for the witnessed logs and for the rate limits of their requests. */
export const checkpointsSettings = {
  logs: text<null>('logs', {
    argument: '<file>',
    description: 'a file with the logs to cosign: a C2SP tlog-policy with their log lines',
    fallback: null,
  }),
  submissions: integer('limits.submissions', 1, 1_000_000, {
    description: 'checkpoints per minute and client address that a witness accepts',
    fallback: 600,
  }),
  publicReads: limitSettings().publicReads,
};
