import { textMatching } from '../../platform/config/setting.ts';

/** The settings for the identity of the witness. */
export const identitySettings = {
  name: textMatching<null>(
    'name',
    /^[!-*,-~]{1,200}$/,
    'must be 1 to 200 printable ASCII characters, without spaces and plus signs',
    {
      description:
        'the name of the witness in its signatures, such as witness.example/w1; fixed by the first start',
      fallback: null,
    },
  ),
};
