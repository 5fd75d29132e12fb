import { integer, textMatching } from '../../platform/config/setting.ts';

/** The settings of the transparency log. */
export const logSettings = {
  logOrigin: textMatching<null>(
    'log.origin',
    /^[!-*,-~]{1,200}$/,
    'is not 1 to 200 printable ASCII characters without space and plus',
    {
      description: 'name of the transparency log, fixed when the first receipt is finalized',
      fallback: null,
      fallbackText: 'host[:port] of base_url at the first start',
    },
  ),
  keepCheckpointsDays: integer('log.keep_checkpoints_days', 1, 36_500, {
    description: 'days for which a checkpoint a minute is kept; of older ones, one in 10 minutes is kept',
    fallback: 30,
  }),
};
