import type { Snapshot } from '../../platform/store/transaction.ts';
import type { Told } from './disputes/amounts.ts';
import { refundOf } from './payment-store.ts';
import { reportsOf } from './report-store.ts';

/** Returns all that the processor told about a payment. */
export async function toldIn(snapshot: Snapshot, paymentIntent: string): Promise<Told> {
  return {
    refund: await refundOf(snapshot, paymentIntent),
    reports: await reportsOf(snapshot, paymentIntent),
  };
}
