import { Type } from '@sinclair/typebox';
import type { Cursors } from '../../../platform/http/pagination/cursor.ts';
import { positionNumber } from '../../../platform/http/pagination/cursor.ts';
import type { Store } from '../../../platform/store/store.ts';
import { parseCanonicalJson } from '../../../proof/encoding/json.ts';
import { requireAgentIn } from '../../agents/agents.ts';
import { payloadsIn } from '../../evidence/find-items.ts';
import { pageRequest } from '../../http/paging.ts';
import { readAssessment } from './payload.ts';
import type { AssessmentListQuery } from './schema.ts';
import type { AssessorsPolicy } from './settings.ts';
import { dependenceOf } from './standing.ts';
import { type AssessmentRow, assessmentsBefore } from './store.ts';
import { assessmentId } from './submit-assessment.ts';

export type AssessmentListContext = { store: Store; cursors: Cursors; policy: AssessorsPolicy };

/** The most bytes of payloads on a page, which then has fewer assessments. */
const MAX_PAGE_BYTES = 2 ** 18;
const NEWEST = Number.MAX_SAFE_INTEGER;
/** The assessments of an agent, ordered by their position in the log. */
const ASSESSMENTS = { name: 'assessments', position: Type.Tuple([positionNumber]) };

/**
 * Returns a page of what others assessed of an agent, newest first, with the signatures: neither side can
 * leave one out.
 * @throws ApiError not_found for an agent that never enrolled, validation_error for an invalid cursor
 */
export async function listAssessments(
  { store, cursors, policy }: AssessmentListContext,
  commitment: string,
  query: AssessmentListQuery,
) {
  const pages = cursors.of(ASSESSMENTS, [commitment]);
  const { limit, after = [NEWEST] } = pageRequest(query, pages);
  return store.read(async (snapshot) => {
    const { agentSeq, sponsorSeq } = await requireAgentIn(snapshot, commitment);
    const rows = await assessmentsBefore(snapshot, {
      ...{ subjectSeq: agentSeq, before: after[0], limit: limit + 1 },
    });
    const payloads = await payloadsIn(
      snapshot,
      rows.slice(0, limit).map(({ evidenceSeq }) => evidenceSeq),
      MAX_PAGE_BYTES,
    );
    const page = rows.slice(0, payloads.size);
    const last = rows.length > page.length ? page.at(-1) : undefined;
    const viewOf = (row: AssessmentRow) => ({
      assessment_id: assessmentId(row.eventHash),
      event_commitment_hash: row.eventHash,
      assessor_name: row.assessorName,
      confirms: policy.assessors.includes(row.assessorCommitment) && dependenceOf(row, sponsorSeq) === null,
      created_at: row.createdAt,
      payload: assessmentIn(payloads, row),
      signature: row.signature,
    });
    return {
      assessments: page.map(viewOf),
      next_cursor: last === undefined ? null : pages.write([last.evidenceSeq]),
    };
  });
}

function assessmentIn(payloads: ReadonlyMap<number, string>, { evidenceSeq }: AssessmentRow) {
  const payload = readAssessment(parseCanonicalJson(payloads.get(evidenceSeq) ?? 'null'));
  if (payload === null) throw new Error(`the item of evidence ${evidenceSeq} is no assessment`);
  return payload;
}
