import { limitSettings, platformSettings, tableOf } from '../platform/config/platform-settings.ts';
import { formed, integer, text } from '../platform/config/setting.ts';

/** It has no keys for callers, and is no service that others are chosen from. */
const {
  service: _service,
  keysPassphrase: _keysPassphrase,
  ...platform
} = platformSettings({
  port: 3002,
  data: 'data/witness',
});

/** The settings of a witness. */
export const witnessSettings = {
  ...platform,
  name: formed<null>(
    'name',
    /^[!-*,-~]{1,200}$/,
    'is not 1 to 200 printable ASCII characters without space and plus',
    {
      description:
        "the witness's name in its signatures, such as witness.example/w1; fixed at the first start",
      fallback: null,
    },
  ),
  logs: text<null>('logs', {
    argument: '<file>',
    description: 'the logs that it witnesses: a C2SP tlog-policy with their log lines',
    fallback: null,
  }),
  submissions: integer('limits.submissions', 1, 1_000_000, {
    description: 'checkpoints that one client address may submit to a witness a minute',
    fallback: 600,
  }),
  publicReads: limitSettings().publicReads,
};

export const witnessSettingsTable = tableOf(witnessSettings);
