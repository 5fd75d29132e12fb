import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { nativePrimitives } from '../../../../src/platform/crypto/crypto.ts';
import type { JsonObject } from '../../../../src/proof/encoding/json.ts';
import { signedObjectDigest } from '../../../../src/proof/keys/signed-object.ts';
import { enrolledAgent } from '../../../support/agent.ts';
import { evidencePath, PAYLOADS, signedEvidence } from '../../../support/evidence.ts';
import { judgedPackage } from '../../../support/judged-package.ts';
import { publishCheckpoints } from '../../../support/published.ts';
import { type Scenario, scenarios } from '../../../support/scenario.ts';
import { openTrustApp, type TrustApp } from '../../../support/trust-app.ts';

let app: TrustApp;
let agent: Awaited<ReturnType<typeof enrolledAgent>>;
let silent: Awaited<ReturnType<typeof enrolledAgent>>;
let revoked: Awaited<ReturnType<typeof enrolledAgent>>;

beforeAll(async () => {
  app = await openTrustApp();
  [agent, silent, revoked] = [await enrolledAgent(app), await enrolledAgent(app), await enrolledAgent(app)];
  await anchor(agent, 'compliance_report', report('SOC2_TYPE2', ['CC7.2', 'pass'], ['PI1.5', 'fail']));
  await anchor(silent, 'github_issue_event', PAYLOADS.github_issue_event());
  await anchor(silent, 'compliance_report', report('NIST_AI_RMF', ['MAP 1.1', 'pass']));
  await anchor(revoked, 'compliance_report', report('SOC2_TYPE2', ['CC7.2', 'pass']));
  await app.own.post(`/api/v1/passport/agents/${revoked.commitment}/revoke`);
  await publishCheckpoints(app);
});
afterAll(() => app.close());

const report = (framework: string, ...controls: [id: string, status: string][]) => ({
  framework,
  controls: controls.map(([id, status]) => ({ id, status })),
});

async function anchor(by: typeof agent, type: string, payload: JsonObject): Promise<void> {
  const { status } = await app.own.post(evidencePath(by.commitment), signedEvidence(by, type, payload));
  expect(status).toBe(201);
}

const path = (by: typeof agent, query = '') => `/api/v1/compliance/audit-package/${by.commitment}${query}`;
const inDays = (days: number): string => new Date(Date.now() + days * 24 * 3600_000).toISOString();

describe('the audit package of an agent', () => {
  const anyone: Scenario[3] = { by: 'anyone' };
  scenarios(
    () => app,
    [
      [
        'is public, of SOC 2 by default, and clients ask again each time',
        () => `GET ${path(agent)}`,
        '200',
        {
          responseHeaders: { 'cache-control': 'no-cache', 'content-type': 'application/json' },
          lacks: ['compliant'],
          effects: (_app, body) => {
            expect(body).toMatchObject({
              ...{ type: 'compliance-package', kind: 'audit', framework: 'SOC2_TYPE2', view: 'public' },
              subject: { type: 'agent', subject_commitment: agent.commitment, state: 'ISSUED' },
              summary: { satisfied: 0, partial: 0, reported: 2, not_assessed: 13 },
              reference_sets: [{ name: 'assessing_reports', count: 1, sample: [{ position: 0 }] }],
            });
          },
        },
      ],
      [
        'of a revoked agent stays available and says so',
        () => `GET ${path(revoked)}`,
        '200',
        { contains: ['"state":"REVOKED"'] },
      ],
      [
        'of an agent without a report is not found',
        () => `GET ${path(silent)}`,
        '404 not_found',
        { contains: ['SOC2_TYPE2'] },
      ],
      [
        'does not count a report of another framework',
        () => `GET ${path(agent, '?framework=ISO_27001')}`,
        '404 not_found',
      ],
      [
        'of a period without reports is not found',
        () => `GET ${path(agent, `?from=${inDays(-9)}&to=${inDays(-8)}`)}`,
        '404 not_found',
      ],
      [
        'of an unknown agent is not found',
        `GET /api/v1/compliance/audit-package/${'00'.repeat(32)}`,
        '404 not_found',
      ],
    ],
    anyone,
  );

  scenarios(
    () => app,
    [
      [
        'a text that is no commitment is not found',
        'GET /api/v1/compliance/audit-package/nobody',
        '404 not_found',
      ],
      [
        'a framework without audits is refused',
        () => `GET ${path(agent, '?framework=NIST_AI_RMF')}`,
        '400 validation_error: framework',
      ],
      [
        'a framework in small letters is refused',
        () => `GET ${path(agent, '?framework=soc2_type2')}`,
        '400 validation_error: framework',
      ],
      [
        'an empty framework is refused',
        () => `GET ${path(agent, '?framework=')}`,
        '400 validation_error: framework',
      ],
      [
        'two frameworks are refused',
        () => `GET ${path(agent, '?framework=SOC2_TYPE2&framework=ISO_27001')}`,
        '400 validation_error',
      ],
      [
        'an unknown parameter is refused',
        () => `GET ${path(agent, '?period=90d')}`,
        '400 validation_error: period',
      ],
      [
        'a day without a time is refused',
        () => `GET ${path(agent, '?from=2026-01-31')}`,
        '400 validation_error: from',
      ],
      [
        'a day that does not exist is refused',
        () => `GET ${path(agent, '?from=2026-02-30T00:00:00Z')}`,
        '400 validation_error: from',
      ],
      [
        'a reversed period is refused',
        () => `GET ${path(agent, `?from=${inDays(-1)}&to=${inDays(-2)}`)}`,
        '400 validation_error: from',
      ],
      [
        'an empty period is refused',
        () => `GET ${path(agent, '?from=2026-01-31T00:00:00Z&to=2026-01-31T00:00:00Z')}`,
        '400 validation_error: from',
      ],
      [
        'a period that ends tomorrow is refused',
        () => `GET ${path(agent, `?to=${inDays(1.5)}`)}`,
        '400 validation_error: to',
      ],
      [
        'a begin in the future is refused',
        () => `GET ${path(agent, `?from=${inDays(2)}`)}`,
        '400 validation_error: from',
      ],
      [
        'a period of more than 366 days is refused',
        () => `GET ${path(agent, `?from=${inDays(-367)}`)}`,
        '400 validation_error: from',
      ],
      ['a POST is refused', () => `POST ${path(agent)}`, '405 method_not_allowed', { body: {} }],
    ],
    anyone,
  );

  test('is 304 for a client that has it, and another one after another report', async () => {
    const get = (etag?: string) =>
      app.fetch(
        new Request(`http://localhost${path(revoked)}`, {
          headers: etag === undefined ? {} : { 'if-none-match': etag },
        }),
      );
    const first = await get();
    const etag = first.headers.get('etag') ?? '';
    const document = JSON.parse(await first.text());
    expect(signedObjectDigest(nativePrimitives, document)).toBe(etag.slice(1, -1));
    expect((await get(etag)).status).toBe(304);
  });

  test('contains a report as soon as it is anchored', async () => {
    const busy = await enrolledAgent(app);
    for (let reports = 1; reports <= 3; reports++) {
      await anchor(busy, 'compliance_report', {
        ...report('ISO_42001', ['A.8.4', 'pass']),
        period: `week ${reports}`,
      });
      await publishCheckpoints(app);
      const { status, body } = await app.anyone.get(path(busy, '?framework=ISO_42001'));
      const [set] = Object(body).reference_sets;
      expect([status, set.count, set.sample.length]).toEqual([200, reports, reports]);
    }
  });

  test('verifies with the keys of the service', async () => {
    const response = await app.fetch(new Request(`http://localhost${path(agent)}`));
    const { verdict, problems } = await judgedPackage(app, await response.text());
    expect([verdict, problems]).toEqual(['valid', []]);
  });
});
