import { nativePrimitives } from '../../platform/crypto/crypto.ts';
import type { Transaction } from '../../platform/store/transaction.ts';
import type { Clock } from '../../platform/time/clock.ts';
import { timestampOf } from '../../platform/time/timestamp.ts';
import { agentAuthMessage } from '../../proof/agent/agent-signature.ts';
import { hexToBytes } from '../../proof/encoding/hex.ts';
import type { JsonObject } from '../../proof/encoding/json.ts';
import { parseTimestamp } from '../../proof/encoding/timestamp.ts';
import { verifyStrict } from '../../proof/keys/ed25519.ts';
import { commonErrors } from '../http/errors.ts';
import { audienceOf } from '../log/keys/signing/audience.ts';
import type { Signer } from '../log/keys/signing/signer.ts';
import type { TrustLog } from '../log/lifecycle/open.ts';
import { requireEnrolledAgentIn } from './agents.ts';
import { agentsErrors } from './errors.ts';
import type { AgentAuth } from './schema.ts';
import { type AgentRow, insertNonce } from './store.ts';

export type AuthorizationContext = { clock: Clock; signer: Signer; log: TrustLog };

/** The longest time that an authorization may be valid. */
const MAX_LIFETIME_MS = 600_000;

/** The line of a request. An agent signs the method and path; a query string is refused. */
export interface RequestLine {
  method: string;
  path: string;
  /** The query string with its question mark; '' if there is none. */
  search: string;
}

/** A request that an agent authorizes; the body is without `agent_auth`. */
export interface AuthorizedRequest extends RequestLine {
  body: JsonObject;
}

export function requestLineOf({ method, url }: Request): RequestLine {
  const { pathname: path, search } = new URL(url);
  return { method, path, search };
}

/**
 * Verifies an agent's authorization of a request, and stores its nonce in this transaction so that it cannot
 * be used twice.
 * @param commitment of the agent that the request is about
 * @returns the agent.
 * @throws ApiError agent_not_enrolled, validation_error, invalid_proof, nonce_reused
 */
export async function verifyAgentAuthIn(
  tx: Transaction,
  { clock, signer, log }: AuthorizationContext,
  commitment: string,
  { method, path, search, body }: AuthorizedRequest,
  auth: AgentAuth,
): Promise<AgentRow> {
  if (auth.commitment !== commitment) {
    throw agentsErrors.invalid_proof({
      message: `agent_auth.commitment is not the agent that must sign this request, ${commitment}. Let that agent sign it.`,
    });
  }
  const agent = await requireEnrolledAgentIn(tx, commitment);
  const expires = parseTimestamp(auth.expires_at) ?? Number.NEGATIVE_INFINITY;
  const issues: Record<string, string[]> = {};
  if (search !== '')
    issues.agent_auth = [
      'must be sent to a URL without a query string, because the signature does not cover it',
    ];
  if (expires > clock.now() + MAX_LIFETIME_MS)
    issues['agent_auth.expires_at'] = ['must be at most 10 minutes ahead'];
  if (Object.keys(issues).length > 0) throw commonErrors.validation_error({ issues });
  const { nonce, expires_at, signature } = auth;
  const audience = audienceOf({ signer, log });
  const message = agentAuthMessage(nativePrimitives, {
    method,
    path,
    body,
    audience,
    commitment,
    nonce,
    expires_at,
  });
  if (!verifyStrict(nativePrimitives, hexToBytes(signature), message, hexToBytes(agent.publicKey))) {
    throw agentsErrors.invalid_proof({
      message:
        `agent_auth.signature is not a valid signature of the agent over this request: ${method} ${path} for the audience ${audience}. ` +
        'Sign exactly the body that you send, for this audience. countersign authorize does it.',
    });
  }
  if (expires <= clock.now()) {
    throw agentsErrors.invalid_proof({
      message: 'The authorization of the agent has expired. Sign the request again.',
    });
  }
  const expiresAt = timestampOf(expires);
  if (!(await insertNonce(tx, { agentSeq: agent.agentSeq, nonce, expiresAt })))
    throw agentsErrors.nonce_reused();
  return agent;
}
