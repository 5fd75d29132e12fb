import { createHmac } from 'node:crypto';
import { OTHER_EXAMPLE_COMMITMENT } from '../../src/trust/agents/example-agent.ts';
import { payInSandbox } from '../../src/trust/billing/sandbox/in-process.ts';
import { anchor, demoAgent, enroll, exampleAgent, provision, signed } from '../../src/trust/demo/agents.ts';
import { EXAMPLE_COMMIT } from '../../src/trust/demo/evidence.ts';
import { DEMO_API_KEY, DEMO_ENGAGEMENTS, DEMO_SETTLEMENT_SECRET } from '../../src/trust/http/example-ids.ts';
import type { TrustContext } from '../../src/trust/service/context.ts';
import { ORIGIN } from './environment.ts';
import type { Recorder } from './recorder.ts';

/** Problems that contain more than other problems of their status. */
export const TRUST_PROBLEMS = [
  'finalizeReceipt 409',
  'revokeReceipt 409',
  'revokeAgent 409',
  'verifyCredential 422',
];

const own = { key: DEMO_API_KEY };

/** Sends requests whose responses the documented examples do not reach, or which are clearer than those. */
export async function sendTrustRequests(recorder: Recorder, trust: TrustContext): Promise<void> {
  await completeReceipts(recorder);
  await repeatRequests(recorder);
  await readShortDocuments(recorder);
  await signForOthers(recorder, trust);
  await assess(recorder);
  await arbitrate(recorder);
}

/** Shows one receipt as it is issued, finalized and refused, and one as it is revoked. */
async function completeReceipts({ ask, bodyOf, sendInstead }: Recorder): Promise<void> {
  const refused = async (line: string, body: unknown): Promise<void> => {
    const [method = '', path = ''] = line.split(' ');
    const headers = { authorization: `Bearer ${DEMO_API_KEY}`, 'content-type': 'application/json' };
    await sendInstead(new Request(ORIGIN + path, { method, headers, body: JSON.stringify(body) }));
  };
  const order = { ...own, body: bodyOf('POST /api/v1/receipts') };
  const mistaken = await ask('POST /api/v1/receipts', order);
  const revocation = { reason: 'issued by mistake' };
  await ask(`POST /api/v1/receipts/${mistaken.receipt_id}/revoke`, { ...own, body: revocation });
  await refused(`POST /api/v1/receipts/${mistaken.receipt_id}/revoke`, revocation);
  await ask(`GET /api/v1/receipts/${mistaken.receipt_id}/versions`, own);
  const { receipt_id } = await ask('POST /api/v1/receipts', order);
  const outcome = bodyOf('POST /api/v1/receipts/{id}/finalize');
  await ask(`POST /api/v1/receipts/${receipt_id}/finalize`, { ...own, body: outcome });
  await refused(`POST /api/v1/receipts/${receipt_id}/finalize`, outcome);
  await ask(`GET /api/v1/receipts/${receipt_id}`, own);
}

/** Sends requests a second time. */
async function repeatRequests({ ask, bodyOf, sendInstead, responseOf }: Recorder): Promise<void> {
  await enroll(ask, demoAgent('Newcomer'), DEMO_API_KEY);
  await anchor(ask, DEMO_API_KEY, exampleAgent(), ...EXAMPLE_COMMIT);
  await ask('POST /api/v1/datacenter/evidence', { ...own, body: bodyOf('POST /api/v1/datacenter/evidence') });
  const headers = { authorization: `Bearer ${DEMO_API_KEY}`, 'content-type': 'application/json' };
  const revokedAgent = `/api/v1/passport/agents/${demoAgent('Night scraper').commitment}/revoke`;
  await sendInstead(new Request(ORIGIN + revokedAgent, { method: 'POST', headers, body: '{}' }));
  // The example that revokes a credential has revoked this one.
  const body = JSON.stringify(responseOf('getReputationCredential 200'));
  await sendInstead(new Request(`${ORIGIN}/api/v1/credentials/verify`, { method: 'POST', headers, body }));
}

/** Reads documents of an agent and of a cluster with little data: those of the other examples are long. */
async function readShortDocuments({ ask, bodyOf }: Recorder): Promise<void> {
  const reader = demoAgent('Contract reader');
  const agent = reader.commitment;
  await anchor(ask, DEMO_API_KEY, reader, 'compliance_report', {
    framework: 'SOC2_TYPE2',
    controls: [{ id: 'CC6.1', status: 'pass' }],
    period: 'April 2026',
  });
  await ask(`GET /api/v1/compliance/packages/${agent}?framework=EU_AI_ACT`, own);
  await ask(`GET /api/v1/compliance/audit-package/${agent}`, own);
  await ask(`GET /api/v1/profiles/${agent}?signed=1`);
  await ask('GET /api/v1/leaderboard?signed=1');
  await ask(`GET /api/v1/passport/agents/${demoAgent('Support assistant').commitment}/governance`);
  const cluster_id = 'demo-hall-3';
  const telemetry = Object(bodyOf('POST /api/v1/datacenter/evidence'));
  await ask('POST /api/v1/datacenter/evidence', { ...own, body: { ...telemetry, cluster_id } });
  await ask(`GET /api/v1/datacenter/clusters/${cluster_id}/scorecard`, own);
  await ask(`GET /api/v1/datacenter/compliance/packages/${cluster_id}`, own);
  await ask(`POST /api/v1/datacenter/clusters/${cluster_id}/meters/rack-07/retire`, { ...own, body: {} });
  await ask('GET /api/v1/receipts/checkpoints?limit=1');
  await ask('GET /api/v1/receipts/checkpoints/consistency?from=1&to=2');
  await ask(`GET /api/v1/badge/${agent}/attestation?format=json`);
  await ask('POST /api/v1/gate/verify?signed=1', { ...own, body: bodyOf('POST /api/v1/gate/verify') });
  const metrics = JSON.stringify(bodyOf('POST /api/v1/datacenter/otlp/v1/metrics'));
  await ask('POST /api/v1/datacenter/otlp/v1/metrics', {
    ...own,
    body: JSON.parse(
      metrics.replace('rack-08', 'rack-09').replace('hw.host.ambient_temperature', 'system.memory.usage'),
    ),
  });
}

/** Shows an assessment, and the same again. */
async function assess({ ask, bodyOf }: Recorder): Promise<void> {
  const body = bodyOf('POST /api/v1/passport/agents/{id}/assessments');
  const line = `/api/v1/passport/agents/${OTHER_EXAMPLE_COMMITMENT}/assessments`;
  for (let time = 0; time < 2; time++) await ask(`POST ${line}`, { body });
  await ask(`GET ${line}`);
}

/** Shows an arbiter that consents. */
async function arbitrate({ ask }: Recorder): Promise<void> {
  const line = `/api/v1/passport/engagements/${DEMO_ENGAGEMENTS.arbitrated}`;
  const { engagement } = await ask(`GET ${line}`, own);
  const { terms_digest } = Object(engagement);
  const payload = { type: 'arbiter-consent', task_id: DEMO_ENGAGEMENTS.arbitrated, terms_digest };
  const signature = signed(demoAgent('Route planner'), payload);
  await ask(`POST ${line}/arbiter-consent`, { body: { payload, signature } });
}

/** Sends what an agent without sponsor, a payment rail and the payment processor sign. */
async function signForOthers({ ask, bodyOf, sendInstead }: Recorder, trust: TrustContext): Promise<void> {
  await provision(ask, demoAgent('Visiting indexer'));
  const settlement = bodyOf('POST /api/v1/agent-pay/settlement');
  const seconds = Math.floor(trust.clock.now() / 1000);
  const code = createHmac('sha256', DEMO_SETTLEMENT_SECRET)
    .update(`${seconds}.${JSON.stringify(settlement)}`)
    .digest('hex');
  await ask('POST /api/v1/agent-pay/settlement', {
    ...own,
    headers: { 'x-settlement-signature': `t=${seconds},v1=${code}` },
    body: settlement,
  });
  const { session_id } = await ask('POST /api/billing/checkout', {
    body: bodyOf('POST /api/billing/checkout'),
  });
  await payInSandbox(trust, sendInstead, String(session_id));
}
