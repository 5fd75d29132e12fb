import { sha256Hex } from '../../platform/crypto/crypto.ts';
import type { ApiCall } from '../../platform/demo/api-client.ts';
import type { OperationExamples } from '../../platform/http/openapi/openapi.ts';
import type { Clock } from '../../platform/time/clock.ts';
import { timestampOf } from '../../platform/time/timestamp.ts';
import type { JsonValue } from '../../proof/encoding/json.ts';
import { DEMO_API_KEY, DEMO_OTHER_CLUSTER, DEMO_WORKER } from '../http/example-ids.ts';
import { authorized, demoAgent, enroll, exampleAgent, presentationOf, signed } from './agents.ts';
import { sendOfOtherCluster } from './datacenter.ts';
import { type DemoClient, type Receipts, success } from './receipts.ts';

/**
 * What the examples of single operations may change, revoke or delete, so that all other examples still work,
 * in any order. Nothing else in the demonstration uses it.
 */
export interface Spares {
  pendingReceipt: string;
  finalizedReceipt: string;
  webhook: string;
  /** A credential, for the example that verifies one. */
  credential: JsonValue;
}

/** The agents for one or a few examples each. */
const AGENTS = {
  /** Gets a name, a photo, evidence and a holder key. */
  changed: demoAgent('Contract reader'),
  revoked: demoAgent('Night scraper'),
  /** Gets another sponsor. */
  moved: demoAgent('Leased driver'),
  /** Is not enrolled. */
  newcomer: demoAgent('Newcomer'),
};

const operatorKey = { key: DEMO_API_KEY };
const AGENTS_PATH = '/api/v1/passport/agents';
const NEGOTIATE = '/api/v1/agora/negotiate';

/** Makes everything that only the examples of single operations use. */
export async function makeSpares(
  client: DemoClient,
  receipts: Receipts,
): Promise<Omit<Spares, 'credential'>> {
  const { ask } = client;
  const { changed, revoked, moved } = AGENTS;
  for (const agent of [changed, revoked, moved]) await enroll(ask, agent, DEMO_API_KEY);
  await ask('POST /api/v1/operator/api-keys', {
    ...operatorKey,
    body: { name: 'the contract reader', role: 'holder', subject_commitment: changed.commitment },
  });
  const issue = () =>
    receipts.issue({
      ...operatorKey,
      agentId: changed.commitment,
      domain: 'CODE_GENERATION',
      scope: 'contracts:read',
    });
  const finalizedReceipt = await issue();
  await receipts.finalize(DEMO_API_KEY, finalizedReceipt, success(finalizedReceipt));
  const pendingReceipt = await issue();
  const { id } = await ask('POST /api/v1/webhooks', {
    ...operatorKey,
    body: { url: 'https://hooks.contracts.example/countersign', events: ['evidence.anchored'] },
  });
  await sendOfOtherCluster(client);
  return { pendingReceipt, finalizedReceipt, webhook: String(id) };
}

/**
 * After this time the signed examples are made again: authorizations are valid for ten minutes, and
 * challenges for five.
 */
const RENEWAL_MS = 120_000;
const VALIDITY_MS = 600_000;

/**
 * Returns a function that returns the requests of the examples, renewed when they are older than two minutes.
 */
export function exampleRequests(
  ask: ApiCall,
  clock: Clock,
  spares: Spares,
): () => Promise<OperationExamples> {
  let made: { at: number; requests: Promise<OperationExamples> } | null = null;
  return () => {
    const now = clock.now();
    if (made === null || now >= made.at + RENEWAL_MS) {
      made = { at: now, requests: requestsOf(ask, clock, spares) };
      made.requests.catch(() => (made = null));
    }
    return made.requests;
  };
}

async function requestsOf(ask: ApiCall, clock: Clock, spares: Spares): Promise<OperationExamples> {
  const { changed, revoked, moved, newcomer } = AGENTS;
  const clerk = exampleAgent();
  const { audience } = await ask('GET /api/v1/public-key');
  const authorization = () => ({
    audience: String(audience),
    nonce: crypto.randomUUID(),
    expires_at: timestampOf(clock.now() + VALIDITY_MS),
  });
  const ofChanged = { path: { id: changed.commitment } };
  const start = { public_key: newcomer.publicKey, name: newcomer.name };
  const { challenge_nonce: nonce } = await ask(`POST ${AGENTS_PATH}/enroll/start`, {
    ...operatorKey,
    body: start,
  });
  const payload = {
    sha: sha256Hex('contract').slice(0, 40),
    commit: { message: 'Read the annexes as well' },
  };
  const offer = {
    from_commitment: clerk.commitment,
    to_commitment: DEMO_WORKER,
    action: 'propose',
    terms: { task: 'Audit the invoices of July', credits: 120, days: 5 },
  };
  return {
    finalizeReceipt: { path: { id: spares.pendingReceipt } },
    revokeReceipt: { path: { id: spares.finalizedReceipt } },
    startEnrollment: { body: start },
    completeEnrollment: {
      body: {
        subject_commitment: newcomer.commitment,
        signature: newcomer.signText(String(nonce)),
        challenge_nonce: String(nonce),
      },
    },
    setPresentation: { ...ofChanged, body: presentationOf(changed, 'reader') },
    setAgentName: { ...ofChanged, body: { name: 'Reader of contracts' } },
    createHolderKey: {
      ...ofChanged,
      body: authorized(changed, {
        line: `POST ${AGENTS_PATH}/${changed.commitment}/keys`,
        body: { revoke_others: true },
        ...authorization(),
      }),
    },
    revokeAgent: { path: { id: revoked.commitment } },
    setSponsor: { path: { id: moved.commitment } },
    anchorEvidence: {
      ...ofChanged,
      body: { source_type: 'github_commit_payload', payload, signature: signed(changed, payload) },
    },
    verifyCredential: { body: spares.credential },
    deleteWebhook: { path: { id: spares.webhook } },
    getClusterCredential: { path: { id: DEMO_OTHER_CLUSTER } },
    negotiate: { body: authorized(clerk, { line: `POST ${NEGOTIATE}`, body: offer, ...authorization() }) },
  };
}
