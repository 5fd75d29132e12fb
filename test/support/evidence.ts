import { createHash } from 'node:crypto';
import { DEFAULT_CONTEXT } from '../../src/proof/agent/commitment.ts';
import type { JsonObject } from '../../src/proof/encoding/json.ts';
import { createAgentIn } from '../../src/trust/agents/create-agent.ts';
import { EXAMPLE_KEY } from '../../src/trust/agents/example-agent.ts';
import type { ApiResponse } from './client.ts';
import type { TrustApp } from './trust-app.ts';

export const SHA = '6113728f27ae82c7b1a177c8d03f9e96e0adf246';

/** A valid payload of each source type, made unique by `name`. */
export const PAYLOADS = {
  github_push_webhook: (name = 'main') => ({
    ref: `refs/heads/${name}`,
    commits: [{ id: SHA, message: 'm' }],
  }),
  github_commit_payload: (name = 'm') => ({ sha: SHA, commit: { message: name } }),
  github_issue_event: (name = 'opened') => ({ action: name, issue: { number: 7, title: 't' } }),
  compliance_report: (name = 'SOC2_TYPE2') => ({
    framework: name,
    controls: [{ id: 'CC7.2', status: 'pass' }],
  }),
  otel_genai_trace: (name = 'chat') => ({ name, attributes: { 'gen_ai.system': 'example' } }),
  task_deliverable: (name = 'task-1') => ({ task_id: name, deliverable_digest: 'ab'.repeat(32) }),
} satisfies Record<string, (name?: string) => JsonObject>;

export const evidencePath = (commitment: string): string => `/api/v1/passport/agents/${commitment}/evidence`;

/** Returns a request body with its signature. */
export function signedEvidence(
  { sign }: { sign: (payload: JsonObject) => string },
  source_type: string,
  payload: JsonObject,
) {
  return { source_type, payload, signature: sign(payload) };
}

/** Anchors a push of an agent. @returns its event hash */
export async function anchored(
  { own }: Pick<TrustApp, 'own'>,
  agent: { commitment: string; sign: (payload: JsonObject) => string },
): Promise<string> {
  const push = signedEvidence(agent, 'github_push_webhook', PAYLOADS.github_push_webhook());
  const { status, body } = await own.post(evidencePath(agent.commitment), push);
  if (status !== 201) throw new Error(`evidence was refused: ${JSON.stringify(body)}`);
  return String(body.event_commitment_hash);
}

/** The agent of the documentation's example, enrolled. */
export async function exampleAgent({ service: { trust } }: TrustApp) {
  return trust.store.writeAsService((tx) =>
    createAgentIn(tx, trust, {
      publicKey: EXAMPLE_KEY,
      context: DEFAULT_CONTEXT,
      name: null,
      sponsorSeq: null,
    }),
  );
}

/** Returns a SHA-256 in hexadecimal, without the product's code. */
export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Returns the expected event hash of a response, computed by hand from the members in canonical order. */
export function expectedEventHash(commitment: string, item: ApiResponse['body']): string {
  const { payload_digest, prev_event_hash, source_type } = item;
  const prev = prev_event_hash === null ? 'null' : `"${prev_event_hash}"`;
  return sha256(
    `{"payload_digest":"${payload_digest}","prev_event_hash":${prev},"source_type":"${source_type}","subject_commitment":"${commitment}"}`,
  );
}
