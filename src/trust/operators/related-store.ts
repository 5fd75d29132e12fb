import { agent } from '../../../db/trust/agents.ts';
import { receiptCount } from '../../../db/trust/receipts.ts';
import { sqlOf } from '../../platform/store/sql.ts';
import type { Snapshot } from '../../platform/store/transaction.ts';

/** The SQL of operators on tables of other modules. */
const sql = sqlOf({ agent, receiptCount });

const receiptsOf = sql.value(sql.number`sum(receipts)`)`FROM receipt_count
  WHERE operator_seq = ${'operatorSeq'}`;

/** Counts the receipts that an operator has issued. */
export async function countReceipts(snapshot: Snapshot, operatorSeq: number): Promise<number> {
  return (await receiptsOf(snapshot, operatorSeq)) ?? 0;
}

/** Returns the state and the sponsor of an agent; null for one that never enrolled. */
export const sponsorOf = sql.joined({ state: agent.state, sponsorSeq: agent.sponsorSeq }).row`FROM agent
  WHERE subject_commitment = ${'subjectCommitment'}`;
