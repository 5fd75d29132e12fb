import { choice } from '../../../platform/config/setting.ts';

/** Settings for the explorer. */
export const explorerSettings = {
  explorer: choice('explorer', ['public', 'session', 'off'], {
    description:
      'who sees the pages of receipts, agents and logs: public (everybody), session (who has logged in at /account) or off (nobody: 404)',
    fallback: 'public',
  }),
};
