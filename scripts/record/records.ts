import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DEMO_API_KEY, DEMO_CLUSTER } from '../../src/trust/http/example-ids.ts';
import type { Known } from '../../test/support/recorded/known.ts';
import type { Market, Party } from '../../test/support/recorded/market.ts';
import { command, type Session } from '../../test/support/recorded/session.ts';
import { TELEMETRY, telemetryOf } from '../../test/support/telemetry.ts';
import type { Account } from './accounts.ts';

/** Creates webhooks whose receiver never responds, and deletes one. */
export async function subscribeToEvents({ ask }: Session, { id, key }: Account): Promise<void> {
  const create = (headers: Record<string, string> = {}) =>
    ask('POST /api/v1/webhooks', {
      key,
      headers,
      body: { url: 'http://127.0.0.1:9/hooks', events: ['evidence.anchored', 'enrollment.completed'] },
    });
  await create({ 'idempotency-key': `webhook-of-${id}` });
  const deleted = await create();
  await ask(`DELETE /api/v1/webhooks/${deleted.id}`, { key });
}

/**
 * Sends telemetry of two clusters: a simulated day, the same by OpenTelemetry, and what the operator
 * declares.
 */
export async function sendTelemetry(
  { ask, url, data }: Session,
  known: Known,
  { key }: Account,
): Promise<void> {
  const file = join(data, '..', 'api-key');
  writeFileSync(file, key, { mode: 0o600 });
  const simulate = (cluster: string, ...more: string[]) =>
    command([
      ...['datacenter', 'simulate', '--cluster', cluster, '--date', '2026-05-01', '--racks', '1'],
      ...['--url', url, '--api-key-file', file, ...more],
    ]);
  await simulate('recorded-hall');
  await simulate('recorded-hall-otlp', '--otlp');
  const declared = telemetryOf(24, { cluster_id: 'recorded-hall', instance_id: 'declared' });
  const { receipt } = await ask(`POST ${TELEMETRY}`, { key, body: declared });
  await ask(`POST /api/v1/receipts/${Object(receipt).receipt_id}/revoke`, { key, body: {} });
  known.clusters.push('recorded-hall', 'recorded-hall-otlp');
  await ask(`GET /api/v1/datacenter/clusters/${DEMO_CLUSTER}/credential`);
}

/** Issues credentials of an agent, one of them paid, and revokes one. */
export async function revokeCredential({ ask, known }: Market, { agent, key }: Party): Promise<void> {
  const paid = await ask(`POST /api/v1/metered/credentials/${agent.commitment}`, { key });
  const credential = Object(paid.credential);
  await ask(`POST /api/v1/credentials/${encodeURIComponent(credential.id)}/revoke`, {
    key: DEMO_API_KEY,
    body: { reason: 'It is tried out.' },
  });
  known.revokedCredential = credential;
  await ask(`GET /api/v1/credentials/${agent.commitment}`);
}

/** Has packages built, whose checkpoints stay stored. */
export async function buildPackages({ ask }: Session, { agent }: Party): Promise<void> {
  await ask(`GET /api/v1/compliance/packages/${agent.commitment}?framework=EU_AI_ACT`);
  await ask(`GET /api/v1/compliance/audit-package/${agent.commitment}?framework=SOC2_TYPE2`);
  await ask(`GET /api/v1/datacenter/compliance/packages/${DEMO_CLUSTER}?framework=ISO_14064`);
}
