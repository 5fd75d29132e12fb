import type { Snapshot } from '../../../platform/store/transaction.ts';
import { parseCanonicalJson } from '../../../proof/encoding/json.ts';
import type { AgentRow } from '../../agents/agents.ts';
import { payloadsIn } from '../../evidence/find-items.ts';
import { FIRST_LEAF } from '../../log/logs.ts';
import type { CountedAssessment } from '../packages/confirmations.ts';
import { readAssessment, storedPeriod } from './payload.ts';
import { dependenceOf } from './standing.ts';
import { assessmentsBy, newestAssessment } from './store.ts';

/** The newest assessments of each assessor that a package reads, and their bytes. */
const MOST_OF_ASSESSOR = 200;
const MOST_BYTES = 2 ** 22;

/** Which assessments a package counts. */
export interface AssessmentQuery {
  subject: Pick<AgentRow, 'agentSeq' | 'sponsorSeq'>;
  framework: string;
  /** RFC 3339 in UTC with milliseconds; from inclusive, to exclusive. */
  period: { from: string; to: string };
  /** The size of the log of evidence: later leaves are left out. */
  treeSize: number;
  /** The commitments of the listed assessors. */
  assessors: readonly string[];
}

/** An assessment, with the index of its leaf in the log of evidence. */
export type LoggedAssessment = CountedAssessment & { leafIndex: number };

/**
 * Returns the assessments of an agent by listed assessors that are of a part of the period, newest first. An
 * assessor that was revoked, or does not stand for itself now, confirms nothing: what it fails counts, unless
 * it undid that while it stood. So a sponsor that takes over an assessor silences no failure. The same holds
 * for an assessor with more assessments than are read.
 */
export async function countedAssessments(
  snapshot: Snapshot,
  { subject, framework, period, treeSize, assessors }: AssessmentQuery,
): Promise<LoggedAssessment[]> {
  const counted: LoggedAssessment[] = [];
  for (const assessor of assessors) {
    const rows = await assessmentsBy(snapshot, {
      ...{ assessor, subjectSeq: subject.agentSeq, framework, from: period.from, to: period.to },
      ...{ leaves: treeSize, limit: MOST_OF_ASSESSOR },
    });
    const seqs = rows.map(({ evidenceSeq }) => evidenceSeq);
    const payloads = await payloadsIn(snapshot, seqs, MOST_BYTES);
    // Older ones may say `fail`, which newer ones must not bury.
    const areAll = rows.length < MOST_OF_ASSESSOR && payloads.size === seqs.length;
    const own = rows.flatMap((row) => {
      const signed = readAssessment(parseCanonicalJson(payloads.get(row.evidenceSeq) ?? 'null'));
      if (signed === null) return [];
      const confirms = areAll && dependenceOf(row, subject.sponsorSeq) === null;
      const leafIndex = row.evidenceSeq - FIRST_LEAF;
      const { controls } = signed;
      return {
        assessor,
        name: row.assessorName,
        confirms,
        period: storedPeriod(signed),
        controls,
        leafIndex,
      };
    });
    const says = own.some(
      ({ confirms, controls }) => confirms || controls.some(({ status }) => status === 'fail'),
    );
    if (says) counted.push(...own);
  }
  return counted.sort((one, other) => other.leafIndex - one.leafIndex);
}

/**
 * Returns the leaf of the newest assessment of an agent by one of the assessors; null for none. Those of
 * others change no package: nobody can have packages of an agent built anew by assessing it.
 */
export async function newestAssessmentLeaf(
  snapshot: Snapshot,
  subjectSeq: number,
  assessors: readonly string[],
): Promise<{ leafIndex: number; anchoredAt: string } | null> {
  let last: { leafIndex: number; anchoredAt: string } | null = null;
  for (const assessor of assessors) {
    const newest = await newestAssessment(snapshot, { assessor, subjectSeq });
    if (newest === null || newest.evidenceSeq - FIRST_LEAF <= (last?.leafIndex ?? -1)) continue;
    last = { leafIndex: newest.evidenceSeq - FIRST_LEAF, anchoredAt: newest.createdAt };
  }
  return last;
}
