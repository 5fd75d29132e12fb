/** Operations of the simulation as HTTP requests. */
import type { JsonObject, JsonValue } from '../../src/proof/encoding/json.ts';
import { agentAuth, type newAgentKey } from './agent.ts';
import { evidencePath, signedEvidence } from './evidence.ts';
import { findKind, kindOf } from './ledger-kinds.ts';
import type { Caller, Flaw, Operation } from './ledger-operations.ts';

export interface SimulatedAgent extends ReturnType<typeof newAgentKey> {
  commitment: string;
}

/** What the requests of a simulation need: agents, keys, and the names of the service. */
export interface Participants {
  agents: readonly SimulatedAgent[];
  operatorIds: readonly string[];
  /** Issuer keys by operator. */
  issuerKeys: readonly string[];
  /** Holder keys by agent; null for an agent without a sponsor. `limited` ones have a spending scope. */
  holderKeys: readonly (string | null)[];
  limitedKeys: readonly (string | null)[];
  serviceToken: string;
  audience: string;
  /** Pending receipts that a breach finalizes, by the id of the operation. */
  receipts: Map<string, string>;
  now(): number;
}

export interface PlainRequest {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: string;
}

/**
 * Returns the request of an operation; null for one that no request does. The same operation gives the same
 * request.
 */
export function requestOf(participants: Participants, operation: Operation): PlainRequest | null {
  const line = lineOf(participants, operation);
  if (line === null) return null;
  const { method, path, body } = line;
  const { caller } = operation;
  const key = keyOf(participants, caller);
  const headers: Record<string, string> = { 'content-type': 'application/json' };
  if (key !== null) headers.authorization = `Bearer ${key}`;
  if (key !== null && method === 'POST') headers['idempotency-key'] = operation.id;
  const sent = caller.by === 'signature' ? signed(participants, operation.id, caller, line) : body;
  const text = JSON.stringify(sent);
  return { method, path, headers: { ...headers, ...line.headers?.(text) }, body: text };
}

/** Returns whether an operation is a request that can be repeated: the administrator's commands are none. */
export function isRequest({ type }: Operation): boolean {
  const kind = findKind(type);
  return kind?.isRepeatable ?? !['fund', 'status', 'stake', 'sponsor', 'charge'].includes(type);
}

/** Returns who charges a product, and the line and body that a signature covers. */
export function chargeOf(
  participants: Participants,
  { id, caller, product }: Operation & { type: 'charge' },
) {
  const line = { method: 'POST', path: '/api/v1/charge', search: '' };
  const body = { product };
  const key = keyOf(participants, caller);
  return {
    key,
    line,
    body: caller.by === 'signature' ? signed(participants, id, caller, { ...line, body }) : body,
  };
}

export interface Line {
  method: string;
  path: string;
  body: JsonObject;
  /** Headers beside those of every request. @param text the body as it is sent */
  headers?(text: string): Record<string, string>;
}

export function commitmentOf({ agents }: Participants, index: number): string {
  return required(agents[index]).commitment;
}

export function operatorIdOf({ operatorIds }: Participants, index: number): string {
  return required(operatorIds[index]);
}

function lineOf(participants: Participants, operation: Operation): Line | null {
  const { agents, operatorIds, receipts } = participants;
  const commitment = (index: number): string => required(agents[index]).commitment;
  const post = (path: string, body: JsonObject): Line => ({ method: 'POST', path: `/api/v1/${path}`, body });
  switch (operation.type) {
    case 'grant':
      return post('passport/credits/grants', {
        subject_commitment: commitment(operation.agent),
        amount: json(operation.amount),
      });
    case 'transfer':
      return post('passport/credits/transfers', {
        from_commitment: commitment(operation.from),
        to_commitment: commitment(operation.to),
        amount: json(operation.amount),
        kind: operation.kind,
      });
    case 'claim':
      return post('passport/credits/transfers', {
        from_commitment: 'unclaimed',
        to_commitment: commitment(operation.to),
        amount: json(operation.amount),
      });
    case 'hire':
      return post(operation.via === 'acp' ? 'acp/task' : 'passport/engagements', {
        task_id: operation.task,
        hirer_commitment: commitment(operation.hirer),
        worker_commitment: commitment(operation.worker),
        amount: json(operation.amount),
        ...(operation.deadline === null ? {} : { deadline: new Date(operation.deadline).toISOString() }),
      });
    case 'deliver': {
      const payload: JsonObject = {
        task_id: operation.task,
        deliverable_digest: operation.digest,
        outcome: operation.isSuccess ? 'success' : 'failure',
      };
      const agent = required(agents[operation.agent]);
      return {
        method: 'POST',
        path: evidencePath(agent.commitment),
        body: signedEvidence(agent, 'task_deliverable', payload),
      };
    }
    case 'accept':
      return post(
        `${operation.via === 'acp' ? 'acp/task' : 'passport/engagements'}/${operation.task}/accept`,
        {},
      );
    case 'cancel':
    case 'refund':
      return post(`passport/engagements/${operation.task}/${operation.type}`, {});
    case 'revoke':
      return post(`passport/agents/${commitment(operation.agent)}/revoke`, {});
    case 'sponsor':
      return {
        method: 'PUT',
        path: `/api/v1/passport/agents/${commitment(operation.agent)}/sponsor`,
        body: { operator_id: required(operatorIds[operation.operator]) },
      };
    case 'override':
      return post('passport/access/override', {
        subject_commitment: commitment(operation.agent),
        tier: operation.tier,
        reason: 'simulation',
      });
    case 'breach':
      return post(`receipts/${required(receipts.get(operation.id))}/finalize`, {
        status: 'terminal',
        terminal_reason: 'simulation',
        error_tranche: operation.tranche,
      });
    case 'charge':
    case 'fund':
    case 'status':
    case 'stake':
      return null;
    default:
      return kindOf(operation).line(participants, operation);
  }
}

function keyOf(
  { issuerKeys, holderKeys, limitedKeys, serviceToken }: Participants,
  caller: Caller,
): string | null {
  switch (caller.by) {
    case 'issuer':
      return required(issuerKeys[caller.operator]);
    case 'holder':
      return required(holderKeys[caller.agent]);
    case 'limited':
      return required(limitedKeys[caller.agent]);
    case 'service':
      return serviceToken;
    case 'signature':
    case 'nobody':
      return null;
  }
}

/**
 * Adds the agent's authorization to a body, with the flaw of the caller. The nonce is that of the operation.
 */
function signed(
  { agents, audience, now }: Participants,
  id: string,
  { agent: index, flaw }: { agent: number; flaw: Flaw | null },
  { method, path, body }: Line,
) {
  const agent = required(agents[index]);
  const signer =
    flaw === 'other key'
      ? { ...required(agents[(index + 1) % agents.length]), commitment: agent.commitment }
      : agent;
  const auth = agentAuth(signer, {
    method,
    path: flaw === 'other path' ? `${path}/` : path,
    body: flaw === 'other body' ? { ...body, amount: 1_000 } : body,
    audience: flaw === 'other audience' ? `${audience}0` : audience,
    nonce: `nonce-of-${id}`.padEnd(16, '-'),
    expires_at: new Date(now() + (flaw === 'expired' ? -1 : 60_000)).toISOString(),
  });
  return { ...body, agent_auth: auth };
}

/** An amount as a JSON value, also one that is none. */
export function json(value: unknown): JsonValue {
  return JSON.parse(JSON.stringify(value));
}

function required<T>(value: T | undefined | null): T {
  if (value === undefined || value === null) throw new Error('the simulation has no such participant');
  return value;
}
