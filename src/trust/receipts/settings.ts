import type { Config } from '../../platform/config/setting.ts';
import { integer } from '../../platform/config/setting.ts';

/** Settings for receipts. */
export const receiptsSettings = {
  price: integer('receipts.price', 0, Number.MAX_SAFE_INTEGER, {
    description: 'credits of the operator that issuing a receipt costs',
    fallback: 0,
  }),
};

/** The settings of receipts in the units of the code. */
export interface ReceiptsPolicy {
  /** The credits of the operator's pool that issuing a receipt costs. */
  receiptPrice: number;
}

/** Returns the policy of receipts from the settings. */
export const receiptsPolicy = (config: Config): ReceiptsPolicy => ({
  receiptPrice: receiptsSettings.price.in(config),
});
