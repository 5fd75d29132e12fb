import { textMatching } from '../../platform/config/setting.ts';

/** The settings for administration. */
export const adminSettings = {
  adminToken: textMatching<null>(
    'admin_token',
    /^adm_[0-9a-f]{64}$/,
    'is not adm_ and 64 lower-case hexadecimal characters',
    {
      description: 'the token of the admin endpoints, stored at every start',
      fallback: null,
      secret: true,
    },
  ),
};
