import { timestamp } from '../../platform/clock.ts';
import { nativePrimitives } from '../../platform/crypto.ts';
import type { Transaction } from '../../platform/store/transaction.ts';
import { digest } from '../../proof/digest.ts';
import { verifyStrict } from '../../proof/ed25519.ts';
import { hexToBytes } from '../../proof/hex.ts';
import type { JsonObject } from '../../proof/json.ts';
import { parseTimestamp } from '../../proof/timestamp.ts';
import type { Trust } from '../context.ts';
import { trustError } from '../dialect.ts';
import { enrolledAgentIn } from './agents.ts';
import type { AgentAuth } from './schema.ts';
import { type AgentRow, agentSql } from './store.ts';

/** No authorization holds longer. */
const AHEAD_MS = 600_000;

/** A call that an agent authorizes: the request's method, its path, and its body without `agent_auth`. */
export interface AuthorizedCall {
  method: string;
  path: string;
  body: JsonObject;
}

/**
 * Holds an agent's authorization against the call that it came with, and sees that it is used once: its nonce is kept in this
 * transaction.
 * @returns the agent. @throws ApiError agent_not_enrolled, validation_error, invalid_proof, nonce_reused
 */
export function authorizedIn(
  tx: Transaction,
  { clock }: Pick<Trust, 'clock'>,
  { method, path, body }: AuthorizedCall,
  auth: AgentAuth,
): AgentRow {
  const { commitment, nonce, expires_at, signature } = auth;
  const agent = enrolledAgentIn(tx, commitment);
  const expires = parseTimestamp(expires_at) ?? Number.NEGATIVE_INFINITY;
  if (expires > clock.now() + AHEAD_MS) {
    throw trustError('validation_error', {
      issues: { 'agent_auth.expires_at': ['must be at most 10 minutes ahead'] },
    });
  }
  const said = { type: 'agent-auth', method, path, body, commitment, nonce, expires_at };
  const message = Buffer.from(digest(nativePrimitives, said));
  if (!verifyStrict(nativePrimitives, hexToBytes(signature), message, hexToBytes(agent.publicKey))) {
    throw trustError('invalid_proof');
  }
  if (expires <= clock.now()) {
    throw trustError('invalid_proof', { message: "The agent's authorization has expired." });
  }
  const expiresAt = timestamp({ now: () => expires });
  if (agentSql(tx).insertNonce.get({ agentSeq: agent.agentSeq, nonce, expiresAt }) === undefined) {
    throw trustError('nonce_reused');
  }
  return agent;
}
