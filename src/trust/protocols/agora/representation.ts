import { timestampOf } from '../../../platform/time/timestamp.ts';
import type { AgoraStep } from '../../../proof/agora/entry.ts';
import { statusAfter } from '../../../proof/agora/negotiation.ts';
import { isJsonObject, type JsonObject, parseJson } from '../../../proof/encoding/json.ts';
import type { EntryRow, EntryState } from './store.ts';

/** The version of the protocol. */
export const AGORA_VERSION = '1.0' as const;

/** Returns the agents of an entry. @throws Error in a damaged database */
export function partiesOf({ from, to }: EntryState) {
  if (from === null || to === null) throw new Error('its agent does not exist');
  return { from, to };
}

/**
 * Returns what the hash of a stored entry covers, except the id of the proposal.
 * @throws JsonError, Error in a damaged database
 */
export function stepOf(state: EntryState): AgoraStep {
  const { terms } = state.entry;
  return { ...withoutTerms(state), terms: terms === null ? null : termsIn(terms) };
}

function termsIn(text: string): JsonObject {
  const terms = parseJson(text);
  if (!isJsonObject(terms)) throw new Error('its terms are not an object');
  return terms;
}

function withoutTerms(state: EntryState): Omit<AgoraStep, 'terms'> {
  const { entry, prevHash, stepBefore } = state;
  const { from, to } = partiesOf(state);
  return {
    index: entry.entrySeq - 1,
    prev_hash: prevHash,
    proposal_prev_hash: stepBefore?.entryHash ?? null,
    action: entry.action,
    commitment: from.subjectCommitment,
    to_commitment: to.subjectCommitment,
    timestamp: timestampOf(entry.createdAt),
    agent_auth: {
      audience: entry.audience,
      nonce: entry.nonce,
      expires_at: entry.expiresAt,
      signature: entry.signature,
    },
  };
}

/** Returns the response to a step: the state that it leads to, and its position in the ledger. */
export function stepView(
  {
    proposalId,
    action,
    entrySeq,
    entryHash,
  }: Pick<EntryRow, 'proposalId' | 'action' | 'entrySeq' | 'entryHash'>,
  prevHash: string | null,
) {
  return {
    agora_version: AGORA_VERSION,
    proposal_id: proposalId,
    status: statusAfter(action),
    action,
    ledger_anchor: { index: entrySeq - 1, entry_hash: entryHash, prev_hash: prevHash },
  };
}

/** A proposal with all that verifying it needs. */
export type ProposalView = ReturnType<typeof proposalView>;

/**
 * Returns a proposal from its steps. The terms of 31 offers can have 200,000 values, so they stay JSON text.
 * @param last its newest step
 * @param steps all of them, oldest first
 */
export function proposalView(last: EntryState, steps: readonly EntryState[]) {
  const { from, to } = partiesOf(steps[0] ?? last);
  return {
    proposal: {
      ...stepView(last.entry, last.prevHash),
      from_commitment: from.subjectCommitment,
      to_commitment: to.subjectCommitment,
      parties: [from, to].map(({ subjectCommitment, publicKey, context }) => ({
        commitment: subjectCommitment,
        public_key: publicKey,
        context,
      })),
    },
    /** The newest terms. */
    terms: steps.findLast(({ entry }) => entry.terms !== null)?.entry.terms ?? null,
    timeline: steps.map((state) => ({
      step: { ...withoutTerms(state), entry_hash: state.entry.entryHash },
      terms: state.entry.terms,
    })),
    /** The names of the parties, as their profiles have them; a proposal does not. */
    names: [from.name, to.name],
  };
}

/** Returns a proposal as JSON text. */
export function proposalJson({ proposal, terms, timeline }: ProposalView): string {
  const steps = timeline.map(({ step, terms: offered }) => withJson(step, 'terms', offered));
  return `${withJson(proposal, 'terms', terms).slice(0, -1)},"timeline":[${steps.join(',')}]}`;
}

/** Returns an object as JSON with one more member, whose value is JSON text already; null for null. */
function withJson(object: object, name: string, json: string | null): string {
  return `${JSON.stringify(object).slice(0, -1)},"${name}":${json ?? 'null'}}`;
}
