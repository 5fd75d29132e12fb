import type { JsonObject } from '../../src/proof/encoding/json.ts';
import { agentAuth, audienceOf, type enrolledAgent } from './agent.ts';
import type { ApiResponse } from './client.ts';
import type { TrustApp } from './trust-app.ts';

export type Agent = Awaited<ReturnType<typeof enrolledAgent>>;

export const NEGOTIATE = '/api/v1/agora/negotiate';
export const PROPOSALS = '/api/v1/agora/proposals';
export const TERMS = { task: 'Audit the invoices of June', credits: 120 };

/** A step for an agent to sign and send; the members that an action needs. */
export interface Step {
  action: string;
  proposal_id?: string;
  prev_hash?: string;
  terms?: JsonObject;
}

/** Returns a request that an agent signed. @param changed the members that are sent other than signed */
export async function signedStep(
  app: TrustApp,
  from: Agent,
  to: { commitment: string },
  step: Step,
  { signer = from, nonce, now }: { signer?: Agent; nonce?: string; now?: number } = {},
) {
  const body = { from_commitment: from.commitment, to_commitment: to.commitment, ...step };
  const call = { method: 'POST', path: NEGOTIATE, body, audience: await audienceOf(app) };
  return {
    ...body,
    agent_auth: agentAuth(signer, { ...call, ...(nonce === undefined ? {} : { nonce }) }, now),
  };
}

/** The negotiation of two agents over HTTP: each step names the one before it. */
export class Negotiation {
  proposalId = '';
  head = '';

  constructor(
    private readonly app: TrustApp,
    readonly buyer: Agent,
    readonly seller: Agent,
  ) {}

  /** The buyer proposes. */
  async propose(terms: JsonObject = TERMS): Promise<ApiResponse> {
    const request = await signedStep(this.app, this.buyer, this.seller, { action: 'propose', terms });
    return this.taken(await this.app.anyone.post(NEGOTIATE, request));
  }

  /** An agent takes a step after the newest one. */
  async step(from: Agent, action: string, more: Partial<Step> = {}): Promise<ApiResponse> {
    return this.taken(await this.app.anyone.post(NEGOTIATE, await this.request(from, action, more)));
  }

  /** Returns the signed request of a step after the newest one. */
  request(from: Agent, action: string, more: Partial<Step> = {}) {
    const to = from === this.seller ? this.buyer : this.seller;
    return signedStep(this.app, from, to, {
      action,
      proposal_id: this.proposalId,
      prev_hash: this.head,
      ...more,
    });
  }

  /** The proposal as anybody reads it. */
  async read(): Promise<Record<string, unknown>> {
    return (await this.app.anyone.get(`${PROPOSALS}/${this.proposalId}`)).body;
  }

  private taken(response: ApiResponse): ApiResponse {
    if (response.status !== 201) return response;
    this.proposalId = String(response.body.proposal_id);
    this.head = String(Object(response.body.ledger_anchor).entry_hash);
    return response;
  }
}
