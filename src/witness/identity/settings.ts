import { formed } from '../../platform/config/setting.ts';

/** The settings of who the witness is. */
export const identitySettings = {
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
};
