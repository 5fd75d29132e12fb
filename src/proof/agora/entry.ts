import { agentAuthMessage } from '../agent/agent-signature.ts';
import { digest } from '../encoding/digest.ts';
import type { JsonObject } from '../encoding/json.ts';
import type { Primitives } from '../primitives.ts';
import type { AgoraAction } from './negotiation.ts';

/** The request that an agent signs for a step. */
const METHOD = 'POST';
const PATH = '/api/v1/agora/negotiate';

/**
 * A step of a negotiation with its place in the ledger: what the hash of its entry covers, except the
 * proposal's id.
 */
export interface AgoraStep {
  /** The number of the entry in the ledger, from 0. */
  index: number;
  /** The hash of the entry before it in the ledger; null for the first. */
  prev_hash: string | null;
  /** The hash of the step before it in the proposal, which the agent signed; null for the first. */
  proposal_prev_hash: string | null;
  action: AgoraAction;
  /** The commitment of the agent that took the step and signed it. */
  commitment: string;
  /** The commitment of the other party. */
  to_commitment: string;
  /** The terms that are offered; null for a step that offers none. */
  terms: JsonObject | null;
  /** RFC 3339. */
  timestamp: string;
  /** The rest of what the agent signed, and its signature. */
  agent_auth: AgoraSignature;
}

export type AgoraSignature = {
  audience: string;
  nonce: string;
  /** RFC 3339, exactly as signed. */
  expires_at: string;
  /** 128 hexadecimal characters. */
  signature: string;
};

/**
 * Returns the hash of an entry of the ledger: the digest of `{v: 1, proposal_id, …step}`. @throws
 * CanonicalJsonError
 */
export function agoraEntryHash(primitives: Primitives, proposalId: string, step: AgoraStep): string {
  return digest(primitives, { v: 1, proposal_id: proposalId, ...step });
}

/**
 * Returns the message that the agent signed for a step, from what its entry says. @throws CanonicalJsonError
 */
export function agoraStepMessage(primitives: Primitives, proposalId: string, step: AgoraStep): Uint8Array {
  const { action, commitment, to_commitment, terms, proposal_prev_hash, agent_auth } = step;
  const { audience, nonce, expires_at } = agent_auth;
  const body: JsonObject = {
    ...(proposal_prev_hash === null ? {} : { proposal_id: proposalId, prev_hash: proposal_prev_hash }),
    from_commitment: commitment,
    to_commitment,
    action,
    ...(terms === null ? {} : { terms }),
  };
  return agentAuthMessage(primitives, {
    method: METHOD,
    path: PATH,
    body,
    audience,
    commitment,
    nonce,
    expires_at,
  });
}
