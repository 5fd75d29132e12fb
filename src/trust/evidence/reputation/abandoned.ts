export { abandonedReceipts } from './abandoned-store.ts';
