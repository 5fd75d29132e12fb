import type { Snapshot } from '../../../platform/store/transaction.ts';
import { newestHeadsDate } from './store.ts';

/** Returns the day of the newest leaf of journal heads; null before the first. */
export function newestHeadsDay(snapshot: Snapshot): Promise<string | null> {
  return newestHeadsDate(snapshot);
}
