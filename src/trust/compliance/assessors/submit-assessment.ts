import type { Store } from '../../../platform/store/store.ts';
import type { Transaction } from '../../../platform/store/transaction.ts';
import { slices } from '../../../platform/turns/slices.ts';
import { canonicalJsonSteps } from '../../../proof/encoding/canonical-steps.ts';
import type { JsonObject } from '../../../proof/encoding/json.ts';
import { AHEAD_MS } from '../../../proof/encoding/timestamp.ts';
import { FRAMEWORKS } from '../../../proof/package/frameworks/catalogue.ts';
import type { AgentRow } from '../../agents/agents.ts';
import { requireAgentIn } from '../../agents/agents.ts';
import { agentsErrors } from '../../agents/errors.ts';
import { agentPayer } from '../../agents/payer.ts';
import { type AnchorContext, anchorIn, verifySigned } from '../../evidence/anchor.ts';
import { countAssessmentIn } from '../../evidence/reputation/count-assessment.ts';
import { commonErrors } from '../../http/errors.ts';
import { SignerAuthority } from '../../operators/quotas/authorities.ts';
import { operatorBySeq } from '../../operators/status.ts';
import { outcomeOf } from './outcome.ts';
import { ASSESSMENT_TYPE, type Assessment, storedPeriod } from './payload.ts';
import type { AssessmentRequest } from './schema.ts';
import type { AssessorsPolicy } from './settings.ts';
import { dependenceOf } from './standing.ts';
import { hasSponsored, insertAssessment } from './store.ts';

export type AssessContext = AnchorContext & { store: Store; policy: AssessorsPolicy };

/** The most bytes of the canonical JSON of an assessment. */
const MOST_BYTES = 16_384;

/**
 * Stores what an assessor signed about another agent, as evidence of the assessor. The signature is the
 * authority, and the assessor's sponsor pays. The same assessment again writes nothing and returns the first.
 * @param subject the agent of the path
 * @throws ApiError validation_error; not_found for an unknown subject; agent_not_enrolled for the assessor;
 * forbidden if the two are not independent; invalid_proof; clock_wrong; rate_limit_exceeded; quota_exceeded
 */
export async function submitAssessment(
  trust: AssessContext,
  subject: string,
  { payload, signature }: AssessmentRequest,
) {
  checkContents(trust, subject, payload);
  await checkSize(payload);
  const assessor = await trust.agentCache.enrolled(payload.assessor_commitment);
  await trust.store.read((snapshot) => requireAgentIn(snapshot, subject));
  // Outside the transaction, so that other requests can write meanwhile.
  const verified = await verifySigned(
    { source_type: ASSESSMENT_TYPE, payload, signature },
    assessor.publicKey,
    null,
  );
  // The other readings are for clients of an older specification, which has no assessments.
  if (verified.reading !== 'digest') throw agentsErrors.invalid_proof();
  const authority = new SignerAuthority(trust.quotas, null);
  return trust.store.write(authority, async (tx) => {
    const [assessorNow, subjectNow] = await partiesIn(tx, trust, payload);
    const pay = (agent: AgentRow) => authority.paidByIn(tx, () => agentPayer(tx, agent));
    const { item, duplicate } = await anchorIn(tx, trust, assessorNow, verified, pay);
    const { eventHash } = item;
    const { from, to } = storedPeriod(payload);
    await insertAssessment(tx, {
      ...{ assessorSeq: assessorNow.agentSeq, subjectSeq: subjectNow.agentSeq, eventHash },
      ...{ framework: payload.framework, periodFrom: from, periodTo: to },
    });
    await countIn(tx, trust, { assessor: assessorNow, subject: subjectNow, payload, item });
    return { assessment_id: assessmentId(eventHash), event_commitment_hash: eventHash, duplicate };
  });
}

type Anchored = Awaited<ReturnType<typeof anchorIn>>['item'];

/** An assessment counts in a score if a part of its period is in so many milliseconds before it. */
const WINDOW_MS = 30 * 24 * 3600_000;

/**
 * Counts what a listed assessor found of an agent, unless the two ever had one sponsor. What a listed one
 * says of an agent without a sponsor counts for nothing: nobody knows whose the agent is.
 */
async function countIn(
  tx: Transaction,
  trust: AssessContext,
  of: { assessor: AgentRow; subject: AgentRow; payload: Assessment; item: Anchored },
): Promise<void> {
  const { assessor, subject, payload, item } = of;
  const outcome = outcomeOf(payload);
  if (outcome === null || !trust.policy.assessors.includes(assessor.subjectCommitment)) return;
  if (subject.state === 'REVOKED' || subject.sponsorSeq === null || assessor.sponsorSeq === null) return;
  if (Date.parse(payload.period.to) <= Date.parse(item.createdAt) - WINDOW_MS) return;
  const { agentSeq } = subject;
  if (await hasSponsored(tx, { agentSeq, operatorSeq: assessor.sponsorSeq })) return;
  const { evidenceSeq, createdAt: at } = item;
  const { framework } = payload;
  const assessed = { evidenceSeq, assessorSeq: assessor.agentSeq, framework, outcome, at };
  await countAssessmentIn(tx, trust, subject, assessed);
}

/** Returns the id of an assessment. @param eventHash of its item of evidence */
export const assessmentId = (eventHash: string): string => `asmt_${eventHash.slice(0, 32)}`;

/** @throws ApiError validation_error */
function checkContents(
  { clock }: Pick<AssessContext, 'clock'>,
  subject: string,
  { subject_commitment, assessor_commitment, framework, period, controls }: Assessment,
): void {
  if (subject_commitment !== subject)
    throw invalid('payload.subject_commitment', 'must be the agent of the path');
  if (assessor_commitment === subject)
    throw invalid('payload.assessor_commitment', 'must be another agent than the assessed one');
  const [from, to] = [Date.parse(period.from), Date.parse(period.to)];
  if (from >= to) throw invalid('payload.period.to', 'must be after from');
  if (to > clock.now() + AHEAD_MS) throw invalid('payload.period.to', 'must not be in the future');
  if (from < 0) throw invalid('payload.period.from', 'must not be before 1970');
  const known = new Set(FRAMEWORKS[framework].controls.map(({ id }) => id));
  const seen = new Set<string>();
  for (const [index, { id }] of controls.entries()) {
    const path = `payload.controls.${index}.id`;
    if (!known.has(id)) throw invalid(path, `must be a control of ${framework}`);
    if (seen.has(id)) throw invalid(path, 'must be there once');
    seen.add(id);
  }
}

/** @throws ApiError validation_error */
async function checkSize(payload: JsonObject): Promise<void> {
  const text = await slices.run(canonicalJsonSteps(payload));
  if (Buffer.byteLength(text) > MOST_BYTES)
    throw invalid('payload', `must have at most ${MOST_BYTES} bytes as canonical JSON`);
}

/**
 * Returns the assessor and the subject as they are now.
 * @throws ApiError agent_not_enrolled, not_found; forbidden if the assessor is not independent
 */
async function partiesIn(
  tx: Transaction,
  { agentCache }: Pick<AssessContext, 'agentCache'>,
  { assessor_commitment, subject_commitment }: Assessment,
): Promise<[assessor: AgentRow, subject: AgentRow]> {
  const assessor = await agentCache.enrolledIn(tx, assessor_commitment);
  const subject = await requireAgentIn(tx, subject_commitment);
  const { state, sponsorSeq } = assessor;
  const sponsor = sponsorSeq === null ? null : await operatorBySeq(tx, sponsorSeq);
  const sponsorStatus = sponsor?.accountStatus ?? null;
  const problem = dependenceOf({ state, sponsorSeq, sponsorStatus }, subject.sponsorSeq);
  if (problem === null) return [assessor, subject];
  throw commonErrors.forbidden({ message: `${problem} An assessor needs an active sponsor of its own.` });
}

function invalid(path: string, problem: string) {
  return commonErrors.validation_error({ issues: { [path]: [problem] } });
}
