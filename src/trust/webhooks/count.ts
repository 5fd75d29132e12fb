export { countWebhooks } from './store.ts';
