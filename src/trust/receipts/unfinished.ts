export { type UnfinishedReceipts, unfinishedReceipts } from './unfinished-store.ts';
