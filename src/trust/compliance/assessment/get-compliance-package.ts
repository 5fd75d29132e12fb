import type { Store } from '../../../platform/store/store.ts';
import type { Clock } from '../../../platform/time/clock.ts';
import { isHex } from '../../../proof/encoding/hex.ts';
import { ASSESSMENT_FRAMEWORKS } from '../../../proof/package/frameworks/framework-ids.ts';
import { noSuchAgent, requireAgentIn, seesAll } from '../../agents/agents.ts';
import { commonErrors } from '../../http/errors.ts';
import type { Principal, Principals } from '../../operators/auth/authenticate.ts';
import { newestAssessmentLeaf } from '../assessors/counted-assessments.ts';
import { requestedPeriod } from '../packages/period.ts';
import type { PackageSource, PackageText } from '../packages/request.ts';
import type { PackageQuery } from './schema.ts';
import { agentFacts, agentSizesNeeded } from './store.ts';

export type AgentPackageContext = {
  store: Store;
  clock: Clock;
  packages: PackageSource;
  principals: Principals;
};

/** The request of a route. */
export interface AgentPackageRequest {
  /** The commitment of the agent. */
  commitment: string;
  query: PackageQuery;
  /** Null for a caller without a key. */
  principal: Principal | null;
  request: Request;
  /** Counts a build against the limit of the caller. @throws Refusal rate */
  countBuild(): Promise<void>;
}

/**
 * Returns the package about an agent by its receipts and evidence. Keys that may act for the agent, and admin
 * keys, get the view `sponsor`.
 * @returns null for an agent that does not exist
 * @throws ApiError not_found for an agent that never enrolled, validation_error for a wrong period,
 * overloaded if the caller stops being the sponsor meanwhile; and as `PackageSource.get`
 */
export async function agentPackage(
  { store, clock, packages, principals }: AgentPackageContext,
  { commitment, query, principal, request, countBuild }: AgentPackageRequest,
): Promise<PackageText | null> {
  const { framework = ASSESSMENT_FRAMEWORKS[0], ...bounds } = query;
  const period = requestedPeriod(clock, bounds);
  const mayActFor = (sponsorSeq: number | null): boolean =>
    seesAll(principal, { sponsorSeq, subjectCommitment: commitment });
  const agent = await store.read((snapshot) => requireAgentIn(snapshot, commitment));
  const isInsider = mayActFor(agent.sponsorSeq);
  return packages.get({
    kind: 'assessment',
    subject: commitment,
    framework,
    period,
    view: isInsider ? 'sponsor' : 'public',
    async subjectIn(snapshot, sizes, assessors) {
      const facts = isHex(commitment, 32) ? await agentFacts(snapshot, commitment) : null;
      if (facts === null) throw noSuchAgent();
      const { agentSeq, state, sponsorSeq, evidenceCount, receiptCount, failureCount } = facts;
      // With another sponsor the package is built again, and this view is no longer the caller's.
      if (isInsider && !mayActFor(sponsorSeq)) throw sponsorReplaced();
      const assessed = await newestAssessmentLeaf(snapshot, agentSeq, assessors);
      const needed = await agentSizesNeeded(snapshot, agentSeq, sizes);
      const counted = [evidenceCount, receiptCount, failureCount, facts.lastObservedAt];
      return {
        state: JSON.stringify([state, sponsorSeq]),
        version: JSON.stringify([...counted, assessed?.leafIndex]),
        changedAt: later(later(facts.lastObservedAt, facts.revokedAt), assessed?.anchoredAt ?? null),
        sizesNeeded: { ...needed, evidence: Math.max(needed.evidence, (assessed?.leafIndex ?? -1) + 1) },
      };
    },
    // A key that was deleted meanwhile is refused.
    async authorize() {
      if (principal !== null) await principals.authenticate(request, 'any');
    },
    countBuild,
  });
}

function sponsorReplaced() {
  return commonErrors.overloaded({
    message: 'The sponsor of the agent was replaced while its package was built. Repeat the request.',
    headers: { 'retry-after': '1' },
  });
}

function later(one: string | null, other: string | null): string | null {
  if (one === null || other === null) return one ?? other;
  return one > other ? one : other;
}
