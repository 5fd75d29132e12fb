import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { agentPackage } from '../../../../src/trust/compliance/assessment/get-compliance-package.ts';
import type { PackageSource } from '../../../../src/trust/compliance/packages/request.ts';
import { enrolledAgent } from '../../../support/agent.ts';
import { anchored } from '../../../support/evidence.ts';
import { publishCheckpoints } from '../../../support/published.ts';
import { openTrustApp, type TrustApp } from '../../../support/trust-app.ts';
import { VirtualTime } from '../../../support/virtual-time.ts';

let app: TrustApp;
beforeAll(async () => {
  app = await openTrustApp();
});
afterAll(() => app.close());

/**
 * Requests a package with a key, and does something before the service looks for the package.
 * @returns its view, or the error
 */
async function viewOf(commitment: string, key: string, meanwhile: () => Promise<void>): Promise<string> {
  const { trust } = app.service;
  const request = new Request('http://localhost/', { headers: { authorization: `Bearer ${key}` } });
  const packages: PackageSource = {
    async get(wanted) {
      await meanwhile();
      return trust.packages.get(wanted);
    },
  };
  const principal = await trust.principals.authenticate(request, 'any');
  const countBuild = async () => undefined;
  const wanted = { commitment, query: {}, principal, request, countBuild };
  return agentPackage({ ...trust, packages }, wanted).then(
    (text) => JSON.parse(text?.json ?? '{}').view,
    (error: unknown) => Object(error).message,
  );
}

const replaceSponsor = async (commitment: string): Promise<void> => {
  const body = { operator_id: app.service.firstStart.operatorId };
  const { status } = await app.own.call('PUT', `/api/v1/passport/agents/${commitment}/sponsor`, body);
  expect(status).toBe(200);
};

describe('the package of an agent', () => {
  test('is not that of the sponsor for a sponsor who was replaced meanwhile', async () => {
    const { commitment } = await enrolledAgent(app, { sponsor: app.otherId });
    expect(await viewOf(commitment, app.otherKey, async () => undefined)).toBe('sponsor');
    expect(await viewOf(commitment, app.otherKey, () => replaceSponsor(commitment))).toContain(
      'The sponsor of the agent was replaced',
    );
    expect(await viewOf(commitment, app.otherKey, async () => undefined)).toBe('public');
  });

  test('has the addresses of payloads for the admin key of another operator', async () => {
    const { commitment } = await enrolledAgent(app, { sponsor: app.otherId });
    const { body } = await app.own.get(`/api/v1/compliance/packages/${commitment}`);
    expect(body.view).toBe('sponsor');
  });

  test('may be stored by shared caches only for a request without a key', async () => {
    const { commitment } = await enrolledAgent(app, { sponsor: app.otherId });
    const cachingOf = async ({ get }: TrustApp['own']): Promise<string | null> =>
      (await get(`/api/v1/compliance/packages/${commitment}`)).headers.get('cache-control');
    expect([await cachingOf(app.anyone), await cachingOf(app.other), await cachingOf(app.own)]).toEqual([
      'no-cache',
      'private, no-cache',
      'private, no-cache',
    ]);
  });
});

describe('the counts of the package of an agent', () => {
  let time: VirtualTime;
  let dated: TrustApp;
  beforeAll(async () => {
    time = new VirtualTime(Date.parse('2026-05-01T06:00:00.000Z'));
    dated = await openTrustApp({}, time);
  });
  afterAll(() => dated.close());

  /** Returns the largest count with a name that a control has. */
  async function countOf(commitment: string, name: string, query: string): Promise<number> {
    const path = `/api/v1/compliance/packages/${commitment}?framework=EU_AI_ACT${query}`;
    const { body } = await dated.anyone.get(path);
    const controls: { counts: Record<string, number> }[] = Object(body).controls;
    return Math.max(...controls.map(({ counts }) => counts[name] ?? -1));
  }

  test('have no day of the log that is still ahead, and no item at the end of the period', async () => {
    const agent = await enrolledAgent(dated);
    const first = time.now();
    await anchored(dated, agent);
    const end = new Date(first).toISOString();
    await publishCheckpoints(dated);
    time.advance(21 * 3600_000);
    expect(await countOf(agent.commitment, 'log_days', '&to=2026-05-03T00:00:00Z')).toBe(0);
    time.advance(3 * 3600_000);
    expect(await countOf(agent.commitment, 'log_days', '&to=2026-05-03T00:00:00Z')).toBe(1);
    const begin = '&from=2026-04-30T00:00:00Z';
    const after = new Date(first + 1).toISOString();
    expect(await countOf(agent.commitment, 'evidence', `${begin}&to=${end}`)).toBe(0);
    expect(await countOf(agent.commitment, 'evidence', `${begin}&to=${after}`)).toBe(1);
    expect(await countOf(agent.commitment, 'evidence', `&from=${end}`)).toBe(1);
    expect(await countOf(agent.commitment, 'evidence', `&from=${after}`)).toBe(0);
  });

  test('have receipts from the begin of the period to before its end, on every day of it', async () => {
    const { commitment } = await enrolledAgent(dated);
    const ends: number[] = [];
    for (let day = 0; day < 4; day++) {
      const { body } = await dated.own.issue({ agent_id: commitment });
      const outcome =
        day === 1
          ? { status: 'failure_tombstone', terminal_reason: 'lost', error_tranche: 'COMPUTE_TIMEOUT' }
          : { status: 'success', output_hash: 'ab'.repeat(32) };
      expect((await dated.own.finalize(body.receipt_id, outcome)).status).toBe(200);
      ends.push(time.now());
      time.advance(24 * 3600_000);
    }
    await publishCheckpoints(dated);
    const between = (from: number, to: number): Promise<number> =>
      countOf(
        commitment,
        'receipts',
        `&from=${new Date(from).toISOString()}&to=${new Date(to).toISOString()}`,
      );
    const [first = 0, , , last = 0] = ends;
    expect(await between(first, last + 1)).toBe(4);
    expect(await between(first + 1, last + 1)).toBe(3);
    expect(await between(first, last)).toBe(3);
    expect(await between(first + 1, last)).toBe(2);
  });
});
