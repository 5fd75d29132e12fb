/** What packages count of receipts that are not finalized. */
export { unfinishedReceipts } from './unfinished-store.ts';
