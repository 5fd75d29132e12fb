import {
  type AuditedTable,
  NOTHING,
  type RangeReport,
  type RowRange,
} from '../../../platform/audit/table.ts';
import type { Snapshot } from '../../../platform/store/transaction.ts';
import type { Problem } from '../../../proof/log/problem.ts';
import { deliveryByHashIn } from '../../evidence/deliverable.ts';
import { type DeliveredRow, deliveredRows, newestEscrow, type TermsRow, termsRows } from '../escrow/audit.ts';
import { CONSENT_TYPE, type Consent, isConsentBy } from '../escrow/consent.ts';
import { digestOfTerms, termsDigestOf } from '../escrow/terms.ts';

/** The last time of ECMAScript, in milliseconds since 1970. */
const LAST_TIME = 8.64e15;

/**
 * Compares escrow with the evidence that the worker signed; the audit of escrow reports missing evidence.
 * Compares the terms of engagements with their digest, which the receipt of the payment has too.
 */
const deliveries: AuditedTable = {
  name: 'escrow deliveries',
  stage: 'rows',
  rows: {
    column: 'escrow_seq',
    counted: 'deliveries',
    inWords: 'deliveries of tasks',
    oneInWords: 'delivery of a task',
    cost: 20,
    examine: deliveriesReport,
  },
  begin: async ({ snapshot }) => ({ reach: await newestEscrow(await snapshot) }),
};

/** The tables of engagements that fsck audits. */
export const audited = [deliveries];

async function deliveriesReport(snapshot: Snapshot, range: RowRange): Promise<RangeReport> {
  const rows = await deliveredRows(snapshot, range);
  const problems: Problem[] = [];
  for (const row of rows) problems.push(...(await deliveryProblems(snapshot, row)));
  for (const row of await termsRows(snapshot, range)) problems.push(...termsProblems(row));
  return { ...NOTHING, problems, rows: rows.length };
}

async function deliveryProblems(snapshot: Snapshot, delivered: DeliveredRow): Promise<Problem[]> {
  const { escrow: row, arbiter } = delivered;
  const problems: Problem[] = [];
  const compare = (what: string, expected: string, found: string): void => {
    if (expected === found) return;
    problems.push({
      table: 'escrow',
      row: { escrow_seq: row.escrowSeq },
      id: row.taskId,
      what,
      expected,
      found,
    });
  };
  if (row.evidenceEventHash !== null) {
    const delivery = await deliveryByHashIn(snapshot, row.workerSeq, row.evidenceEventHash);
    if (delivery !== null) {
      compare('task_id is not the task of its evidence', delivery.taskId, row.taskId);
      const what = 'deliverable_digest is not the digest of its evidence';
      compare(what, delivery.digest, row.deliverableDigest ?? 'null');
      if (row.attestedBy === 'worker' || delivery.termsDigest !== null)
        compare('its evidence is not of its terms', termsDigestOf(delivered), delivery.termsDigest ?? 'null');
      if (row.attestedBy === 'worker') {
        compare(
          'arbiter_seq is not the arbiter of its evidence',
          delivery.arbiter ?? 'null',
          arbiter ?? 'null',
        );
      }
    }
  }
  if (delivered.consent !== null) {
    const { arbiterKey, consent } = delivered;
    const terms_digest = termsDigestOf(delivered);
    const signed: Consent = { type: CONSENT_TYPE, task_id: row.taskId, terms_digest };
    if (arbiterKey === null || !isConsentBy(arbiterKey, signed, consent))
      problems.push({
        table: 'arbiter_consent',
        row: { escrow_seq: row.escrowSeq },
        id: row.taskId,
        what: 'signature is not one of the arbiter for the terms',
      });
  }
  if (row.lastFailureEventHash !== null) {
    const failure = await deliveryByHashIn(snapshot, row.workerSeq, row.lastFailureEventHash);
    if (failure !== null)
      compare('task_id is not the task of its failed evidence', failure.taskId, row.taskId);
  }
  return problems;
}

function termsProblems({ deadline, inputDigest, ...terms }: TermsRow): Problem[] {
  const { escrowSeq, taskId } = terms;
  const location = { table: 'escrow', row: { escrow_seq: escrowSeq }, id: taskId };
  if (deadline !== null && deadline > LAST_TIME)
    return [{ ...location, what: 'deadline is not a time', found: String(deadline) }];
  const expected = digestOfTerms({ ...terms, deadline });
  if (expected === inputDigest) return [];
  return [{ ...location, what: 'input_digest is not the digest of its terms', expected, found: inputDigest }];
}
