import { integer, textMatching } from '../../platform/config/setting.ts';

const HEX_64 = 'and 64 lower-case hexadecimal characters';
const MOST = Number.MAX_SAFE_INTEGER;

/** Settings for operators and their keys. */
export const operatorsSettings = {
  bootstrapApiKey: textMatching<null>('bootstrap_api_key', /^pp_[0-9a-f]{64}$/, `is not pp_ ${HEX_64}`, {
    description: 'an admin API key of the first operator, added at every start; other keys stay valid',
    fallback: null,
    secret: true,
  }),
  serviceToken: textMatching<null>('service_token', /^svc_[0-9a-f]{64}$/, `is not svc_ ${HEX_64}`, {
    description: 'the service token, set at every start',
    fallback: null,
    secret: true,
  }),
  tierFull: integer('tiers.full', 1, MOST, {
    description: 'credits from which the tier is FULL',
    fallback: 50,
  }),
  tierLimited: integer('tiers.limited', 1, MOST, {
    description: 'credits from which the tier is LIMITED',
    fallback: 10,
  }),
  tierSandboxed: integer('tiers.sandboxed', 1, MOST, {
    description: 'credits from which the tier is SANDBOXED; with fewer it is SHELTERED',
    fallback: 1,
  }),
};
