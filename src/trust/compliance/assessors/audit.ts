import { checkedTable } from '../../../platform/audit/counts.ts';
import {
  type AuditedTable,
  NOTHING,
  type RangeReport,
  type RowRange,
} from '../../../platform/audit/table.ts';
import type { Snapshot } from '../../../platform/store/transaction.ts';
import { storedPayload } from '../../evidence/compression.ts';
import {
  type AuditedAssessment,
  assessmentsBetween,
  lastAssessment,
  missingRows,
  strayOutcomes,
} from './audit/store.ts';
import { outcomeOf } from './outcome.ts';
import { ASSESSMENT_TYPE, readAssessment, storedPeriod } from './payload.ts';

/** What is checked of the table as a whole: each item of evidence that is an assessment has a row. */
const checked = checkedTable('assessment', [missingRows, strayOutcomes]);

/** Audits each row by what the assessor signed. Its numbers are those of evidence, so they have gaps. */
const assessments: AuditedTable = {
  name: 'assessment',
  stage: 'rows',
  rows: { column: 'evidence_seq', counted: 'assessments', cost: 5, examine: assessmentsReport },
  begin: async (start) => ({
    ...(await checked.begin(start)),
    reach: await lastAssessment(await start.snapshot),
  }),
};

/** The tables of assessments that fsck audits. */
export const audited = [assessments];

async function assessmentsReport(snapshot: Snapshot, range: RowRange): Promise<RangeReport> {
  const rows = await assessmentsBetween(snapshot, range);
  const problems = rows
    .filter((row) => !isAsSigned(row))
    .map(({ row: { evidenceSeq } }) => ({
      table: 'assessment',
      row: { evidence_seq: evidenceSeq },
      what: 'it is not what the assessor signed',
    }));
  return { ...NOTHING, problems, rows: rows.length };
}

function isAsSigned({ row, payload, subject, assessor, ...stored }: AuditedAssessment): boolean {
  const { sourceType, agentSeq, counted, isCountedSo } = stored;
  if (sourceType !== ASSESSMENT_TYPE || agentSeq !== row.assessorSeq) return false;
  const signed = payload === null ? null : readAssessment(storedPayload(payload));
  if (signed === null) return false;
  const { from, to } = storedPeriod(signed);
  return (
    signed.subject_commitment === subject &&
    signed.assessor_commitment === assessor &&
    signed.framework === row.framework &&
    from === row.periodFrom &&
    to === row.periodTo &&
    isCountedSo &&
    (counted === null || counted === outcomeOf(signed))
  );
}
