import { text } from '../../../platform/config/setting.ts';

/** Settings for witnesses. */
export const witnessesSettings = {
  witnessPolicy: text<null>('log.witness_policy', {
    argument: '<file>',
    description:
      'file with the witnesses that cosign checkpoints: a C2SP tlog-policy, each witness with its URL',
    fallback: null,
  }),
};
