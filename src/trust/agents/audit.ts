import { checkedTable } from '../../platform/audit/counts.ts';
import { unloggedRevocations } from './audit/store.ts';

/** What fsck audits of agents: that the log has every revocation. */
export const audited = [checkedTable('agent', [unloggedRevocations])];
