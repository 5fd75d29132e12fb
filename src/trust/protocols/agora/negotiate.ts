import { nativePrimitives } from '../../../platform/crypto/crypto.ts';
import { ApiError } from '../../../platform/http/errors/errors.ts';
import type { Ids } from '../../../platform/ids.ts';
import type { Store } from '../../../platform/store/store.ts';
import type { Transaction } from '../../../platform/store/transaction.ts';
import type { ClockWatch } from '../../../platform/time/clock-watch.ts';
import { timestampOf } from '../../../platform/time/timestamp.ts';
import { slices } from '../../../platform/turns/slices.ts';
import { agoraEntryHash } from '../../../proof/agora/entry.ts';
import { isOffer, refusalOf } from '../../../proof/agora/negotiation.ts';
import { CanonicalJsonError } from '../../../proof/encoding/canonical-json.ts';
import { canonicalJsonSteps } from '../../../proof/encoding/canonical-steps.ts';
import { JsonError, type JsonObject, parseJson } from '../../../proof/encoding/json.ts';
import { type AuthorizationContext, type RequestLine, verifyAgentAuthIn } from '../../agents/agent-auth.ts';
import {
  type AgentRow,
  findAgentIn,
  isActiveAgent,
  requireAgentIn,
  requireEnrolledAgentIn,
} from '../../agents/agents.ts';
import { agentsErrors } from '../../agents/errors.ts';
import { agentPayer } from '../../agents/payer.ts';
import { commonErrors } from '../../http/errors.ts';
import { actTime } from '../../log/clock/dates.ts';
import { audienceOf } from '../../log/keys/signing/audience.ts';
import type { Principals } from '../../operators/auth/authenticate.ts';
import { SignerAuthority } from '../../operators/quotas/authorities.ts';
import type { Quotas } from '../../operators/quotas/quotas.ts';
import type { Events } from '../../webhooks/events.ts';
import { agoraEvents } from './events.ts';
import { stepView } from './representation.ts';
import type { NegotiateRequest } from './schema.ts';
import { appendEntry, type EntryRow, lastEntry, lastStepOf, stepByNonce } from './store.ts';

/** The parts of the service that negotiations use. */
export type AgoraContext = AuthorizationContext & {
  store: Store;
  clockWatch: ClockWatch;
  ids: Ids;
  quotas: Quotas;
  principals: Principals;
  events: Pick<Events, 'emitIn'>;
};

/** The most bytes of the canonical JSON of terms. */
const MOST_TERMS_BYTES = 16_384;

/**
 * The most levels of terms. A published proposal has them three levels deeper, and parsers such as that of
 * `countersign verify` read 64.
 */
const MOST_TERMS_DEPTH = 60;

export const PROPOSAL_ID = /^agora_[0-9a-f]{32}$/;

/**
 * Takes a step of a negotiation, as `take`. The refusal of a repeated request has the step that it took
 * first. So an agent that did not get the response to its proposal gets the id without a second proposal.
 * @param line the request's method, path and query string, which the agent signed
 * @throws ApiError validation_error; agent_not_enrolled; invalid_proof; nonce_reused; not_found for an
 * unknown proposal; forbidden for a step of another party or while a sponsor is not ACTIVE; invalid_state;
 * conflict for a prev_hash that is not the newest; quota_exceeded
 */
export async function negotiate(trust: AgoraContext, line: RequestLine, request: NegotiateRequest) {
  try {
    return await take(trust, line, request);
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'nonce_reused') throw error;
    const taken = await stepTakenBy(trust, request);
    throw taken === null
      ? error
      : agentsErrors.nonce_reused({
          message: 'This request was sent before, and took the step in `negotiation`. Do not sign it again.',
          members: { negotiation: taken },
        });
  }
}

/** Returns the step that this request took; null if it took none. */
async function stepTakenBy({ store }: AgoraContext, { from_commitment, agent_auth }: NegotiateRequest) {
  const state = await store.read(async (snapshot) => {
    const agent = await findAgentIn(snapshot, from_commitment);
    return agent === null
      ? null
      : stepByNonce(snapshot, { fromSeq: agent.agentSeq, nonce: agent_auth.nonce });
  });
  return state?.entry.signature === agent_auth.signature ? stepView(state.entry, state.prevHash) : null;
}

/** Appends a step, which the agent signed, to the ledger. @throws ApiError as `negotiate` */
async function take(trust: AgoraContext, line: RequestLine, { agent_auth: auth, ...body }: NegotiateRequest) {
  const terms = await checkedTerms(body);
  const isEnd = !isOffer(body.action);
  const authority = new SignerAuthority(trust.quotas, null);
  return trust.store.write(authority, async (tx) => {
    const from = await verifyAgentAuthIn(tx, trust, body.from_commitment, { ...line, body }, auth);
    // The nonces of authorizations are deleted when they have expired, by a clock that may be set back.
    if ((await stepByNonce(tx, { fromSeq: from.agentSeq, nonce: auth.nonce })) !== null)
      throw agentsErrors.nonce_reused();
    const to = await otherPartyIn(tx, trust, from, body);
    const before = await stepBeforeIn(tx, from, to, body);
    // A quota never refuses the end of a negotiation, so the party that received an offer can always respond.
    await authority.paidByIn(tx, () => agentPayer(tx, from), isEnd ? 'never refused' : 'refusable');
    const last = await lastEntry(tx);
    const row: Omit<EntryRow, 'entryHash'> = {
      entrySeq: (last?.entrySeq ?? 0) + 1,
      proposalId: before?.proposalId ?? trust.ids.newId('agora_'),
      step: (before?.step ?? 0) + 1,
      action: body.action,
      fromSeq: from.agentSeq,
      toSeq: to.agentSeq,
      terms,
      audience: audienceOf(trust),
      nonce: auth.nonce,
      expiresAt: auth.expires_at,
      signature: auth.signature,
      createdAt: actTime(trust, before?.createdAt),
    };
    const prevHash = last?.entryHash ?? null;
    const entryHash = agoraEntryHash(nativePrimitives, row.proposalId, {
      index: row.entrySeq - 1,
      prev_hash: prevHash,
      proposal_prev_hash: before?.entryHash ?? null,
      action: row.action,
      commitment: from.subjectCommitment,
      to_commitment: to.subjectCommitment,
      terms: body.terms ?? null,
      timestamp: timestampOf(row.createdAt),
      agent_auth: {
        audience: row.audience,
        nonce: row.nonce,
        expires_at: row.expiresAt,
        signature: row.signature,
      },
    });
    await appendEntry(tx, { ...row, entryHash });
    trust.events.emitIn(tx, agoraEvents, {
      event: 'agora.proposal',
      data: {
        proposal_id: row.proposalId,
        action: row.action,
        from_commitment: from.subjectCommitment,
        to_commitment: to.subjectCommitment,
      },
      timestamp: timestampOf(row.createdAt),
      operators: [from.sponsorSeq, to.sponsorSeq].filter((sponsor) => sponsor !== null),
    });
    return stepView({ ...row, entryHash }, prevHash);
  });
}

/**
 * Checks which members an action has.
 * @returns the canonical JSON of its terms; null for an action without terms
 * @throws ApiError validation_error
 */
async function checkedTerms({
  action,
  proposal_id,
  prev_hash,
  terms,
  ...body
}: Omit<NegotiateRequest, 'agent_auth'>): Promise<string | null> {
  const issues: Record<string, string[]> = {};
  const expect = (name: string, isThere: boolean, isExpected: boolean): void => {
    if (isThere === isExpected) return;
    issues[name] = [isExpected ? `is required to ${action}` : `must be absent to ${action}`];
  };
  expect('proposal_id', proposal_id !== undefined, action !== 'propose');
  expect('prev_hash', prev_hash !== undefined, action !== 'propose');
  expect('terms', terms !== undefined, isOffer(action));
  if (body.from_commitment === body.to_commitment)
    issues.to_commitment = ['must be another agent than from_commitment'];
  const canonical = terms === undefined ? null : await canonicalTerms(terms, issues);
  if (Object.keys(issues).length > 0) throw commonErrors.validation_error({ issues });
  return canonical;
}

async function canonicalTerms(terms: JsonObject, issues: Record<string, string[]>): Promise<string | null> {
  try {
    const canonical = await slices.run(canonicalJsonSteps(terms));
    const bytes = Buffer.byteLength(canonical);
    if (bytes > MOST_TERMS_BYTES) {
      issues.terms = [`must be at most ${MOST_TERMS_BYTES} bytes of canonical JSON; they have ${bytes}`];
      return null;
    }
    // An integer such as 2^60 has a canonical form that strict parsers of the ledger refuse.
    parseJson(canonical, { maxDepth: MOST_TERMS_DEPTH });
    return canonical;
  } catch (error) {
    if (error instanceof JsonError) {
      issues.terms = [`cannot be read again from their canonical form: ${error.message}`];
      return null;
    }
    if (!(error instanceof CanonicalJsonError)) throw error;
    issues.terms = [`has no canonical form: ${error.message}`];
    return null;
  }
}

/**
 * Returns the other party. An offer and its acceptance bind both agents, so both are enrolled and not frozen,
 * and their sponsors ACTIVE. A negotiation can be rejected or withdrawn even if the other party was revoked.
 */
async function otherPartyIn(
  tx: Transaction,
  { principals }: AgoraContext,
  from: AgentRow,
  { action, to_commitment }: NegotiateRequestBody,
): Promise<AgentRow> {
  if (action === 'reject' || action === 'withdraw') return requireAgentIn(tx, to_commitment);
  const to = await requireEnrolledAgentIn(tx, to_commitment);
  for (const agent of [from, to]) {
    if (await isActiveAgent(agent, (seq) => principals.operatorIn(tx, seq))) continue;
    throw commonErrors.forbidden({
      message: `The agent ${agent.subjectCommitment} is frozen, or the account of its sponsor is not active, so the agent can agree to nothing.`,
    });
  }
  return to;
}

type NegotiateRequestBody = Omit<NegotiateRequest, 'agent_auth'>;

/**
 * Returns the newest step of the proposal, which this one may follow; null if it begins one.
 * @throws ApiError not_found, forbidden, invalid_state, conflict
 */
async function stepBeforeIn(
  tx: Transaction,
  from: AgentRow,
  to: AgentRow,
  { action, proposal_id: proposalId, prev_hash }: NegotiateRequestBody,
): Promise<EntryRow | null> {
  if (proposalId === undefined) return null;
  const last = PROPOSAL_ID.test(proposalId) ? await lastStepOf(tx, proposalId) : null;
  if (last === null) throw noSuchProposal();
  const move = (by: number, other: number) => ({ from: String(by), to: String(other) });
  const refusal = refusalOf({ action: last.action, ...move(last.fromSeq, last.toSeq) }, last.step, {
    action,
    ...move(from.agentSeq, to.agentSeq),
  });
  if (refusal !== null) {
    throw (refusal.reason === 'party' ? commonErrors.forbidden : commonErrors.invalid_state)({
      message: refusal.message,
    });
  }
  if (prev_hash !== last.entryHash) {
    throw commonErrors.conflict({
      message: `prev_hash is not the hash of the newest step of the proposal, ${last.entryHash}. Read the proposal, then sign the request again.`,
    });
  }
  return last;
}

export function noSuchProposal() {
  return commonErrors.not_found({ message: 'No proposal has this id. Check the proposal_id.' });
}
