import { freeNetwork, payerNetwork } from '../../../../db/trust/quotas.ts';
import { sqlOf } from '../../../platform/store/sql.ts';

const sql = sqlOf({ freeNetwork, payerNetwork });

/** Returns the number of a network; null for a new one. */
export const networkByHash = sql.value(freeNetwork.networkSeq)`WHERE network_hash = ${'networkHash'}`;

/** Stores a network. @returns it */
export const insertNetwork = sql.insertRow(freeNetwork, { without: ['networkSeq'] });

/** Returns the network of a payer; null for none. */
export const networkOfPayer = sql.value(payerNetwork.networkSeq)`
  WHERE payer = ${'payer'} AND payer_seq = ${'payerSeq'}`;

/** Stores the network of a payer. */
export const insertPayerNetwork = sql.insert(payerNetwork);
