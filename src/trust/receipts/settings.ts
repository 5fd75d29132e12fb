import { integer } from '../../platform/config/setting.ts';

/** Settings for receipts. */
export const receiptsSettings = {
  price: integer('receipts.price', 0, Number.MAX_SAFE_INTEGER, {
    description: 'credits of the operator that issuing a receipt costs',
    fallback: 0,
  }),
};
