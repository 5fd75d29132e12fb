import { agentSponsor } from '../../../db/trust/agents.ts';
import { receipt, receiptVersion } from '../../../db/trust/receipts.ts';
import { textList } from '../../platform/store/columns.ts';
import { sqlOf } from '../../platform/store/sql.ts';
import type { Snapshot } from '../../platform/store/transaction.ts';
import { timestampOf } from '../../platform/time/timestamp.ts';
import { DOMAINS } from '../../proof/receipt/receipt.ts';
import { ABANDONED_AFTER_MS } from './gate/verdict.ts';

const sql = sqlOf({ agentSponsor, receipt, receiptVersion });

const EACH_DOMAIN = sql.verbatim(textList(DOMAINS));

/** When a receipt was revoked that was never finalized: its second version. */
const REVOKED_AT = sql.part`(SELECT signed_at FROM receipt_version AS v
  WHERE v.receipt_seq = receipt.receipt_seq AND v.version = 2)`;

/**
 * Whether a pending receipt was abandoned before a time. The row of its version is read last, and only for
 * a revoked receipt that was issued in the 30 days before this time.
 */
const abandonedBefore = (time: 'from' | 'end') => sql.part`(lapses_at < ${`${time}Ms:number`}
  OR (revocation_status = 'revoked' AND ${REVOKED_AT} < ${`${time}:text`}))`;

/** Ranges of an index, one for each domain, blind and open, without the finalized receipts. */
const counts = sql.joined({
  open: sql.number`count(*) FILTER (WHERE revocation_status = 'active')`,
  openPast30Days: sql.number`count(*) FILTER (
    WHERE revocation_status = 'active' AND issued_at < ${'nowLess30:text'})`,
  abandoned: sql.number`count(*) FILTER (WHERE issued_at >= ${'fromLess30:text'}
    AND (issued_at >= ${'from:text'} OR NOT ${abandonedBefore('from')}) AND ${abandonedBefore('end')})`,
}).row`FROM agent_sponsor CROSS JOIN receipt INDEXED BY receipt_by_agent
    ON receipt.operator_seq = agent_sponsor.operator_seq
  WHERE agent_seq = ${'agentSeq'} AND agent_id = ${'agentId'} AND status = 'pending'
    AND domain IN (${EACH_DOMAIN}) AND (domain_commitment IS NOT NULL) IN (0, 1)
    AND issued_at < ${'end:text'} AND issued_at <= coalesce(until, ${'end:text'})`;

/** The receipts of an agent that are not finalized. Finalizing one later takes it out of all counts. */
export interface UnfinishedReceipts {
  /** Issued before the end of the period, still pending and not revoked. */
  open: number;
  /**
   * Those of them that are more than 30 days old at the time of the counts, also of long before the period: a
   * period that ended early hides none that nobody ever ended.
   */
  openPast30Days: number;
  /**
   * Abandoned within the period: revoked while pending, or pending for 30 days or past their expiry, at the
   * first of these times. So each abandoned receipt is in one of the periods that follow one another.
   */
  abandoned: number;
}

/**
 * Counts the receipts of an agent that its sponsor issued and did not finalize, with those that a former
 * sponsor issued until it lost the agent: a new sponsor ends no work of the old one. What a former sponsor
 * issues afterwards, and what strangers issue, is none of the agent's.
 * @param period RFC 3339 in UTC with milliseconds; from inclusive, to exclusive
 * @param now the time of the counts, in the same form: a period that ends later ends then
 */
export async function unfinishedReceipts(
  snapshot: Snapshot,
  agent: { agentSeq: number; subjectCommitment: string },
  period: { from: string; to: string },
  now: string,
): Promise<UnfinishedReceipts> {
  const end = period.to < now ? period.to : now;
  const row = await counts(snapshot, {
    agentSeq: agent.agentSeq,
    agentId: agent.subjectCommitment,
    ...{ from: period.from, fromLess30: less30Days(period.from), fromMs: Date.parse(period.from) },
    ...{ end, endMs: Date.parse(end), nowLess30: less30Days(now) },
  });
  return row ?? { open: 0, openPast30Days: 0, abandoned: 0 };
}

const less30Days = (time: string): string => timestampOf(Date.parse(time) - ABANDONED_AFTER_MS);
