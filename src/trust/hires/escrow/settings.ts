import { integer } from '../../../platform/config/setting.ts';

/** Settings for escrow. */
export const escrowSettings = {
  acceptHours: integer('engagements.accept_hours', 1, 8760, {
    description:
      'hours after a delivery in which the hirer can accept; after them it is paid without an acceptance',
    fallback: 72,
  }),
};
