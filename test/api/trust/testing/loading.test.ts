import { expect, test } from 'bun:test';
import { apiClient } from '../../../../src/platform/demo/api-client.ts';
import type { TestEnvironment } from '../../../../src/platform/test-service/definition.ts';
import { loadingClock } from '../../../../src/platform/test-service/loading-clock.ts';
import { demoAgent, enroll } from '../../../../src/trust/demo/agents.ts';
import { openTestService, TRUST } from '../../../support/test-service.ts';

const START = Date.parse('2026-01-01T00:00:00Z');
const DAY = 86_400_000;
const ENGAGEMENTS = '/api/v1/passport/engagements';

const ago = (days: number): string => new Date(START - days * DAY).toISOString();

/** Opens an installation whose data begins 30 days before its clock starts. */
async function openWithData(environment: TestEnvironment) {
  const { clockFrom, end } = environment;
  const service = await TRUST.openTest({ ...environment, clockFrom: () => clockFrom(end - 30 * DAY) });
  const clock = await loadingClock(service, environment);
  const ask = apiClient(service.app('/'));
  const key = { key: String(service.ready.api_key) };
  const [hirer, worker] = [demoAgent('hirer'), demoAgent('worker')];
  for (const agent of [hirer, worker]) await enroll(ask, agent, key.key);
  const grant = { subject_commitment: hirer.commitment, amount: 10, memo: 'for hires' };
  await ask('POST /api/v1/passport/credits/grants', { ...key, body: grant });
  await clock.advanceTo(START - 20 * DAY);
  const parties = { hirer_commitment: hirer.commitment, worker_commitment: worker.commitment };
  for (const [task_id, deadline] of [
    ['ended', ago(5)],
    ['open', ago(-1)],
  ] as const)
    await ask(`POST ${ENGAGEMENTS}`, { ...key, body: { ...parties, task_id, deadline, amount: 1 } });
  await clock.advanceTo(end);
  return service;
}

test('data that is loaded into each installation has ended at its times when the clock starts', async () => {
  const service = await openTestService({ ...TRUST, openTest: openWithData });
  try {
    for (let round = 0; round < 2; round += 1) {
      expect((await service.admin.get('/_test/clock')).body.now).toBe(ago(0));
      const { body: ended } = await service.own.get(`${ENGAGEMENTS}/ended`);
      const { body: open } = await service.own.get(`${ENGAGEMENTS}/open`);
      expect(ended.engagement).toMatchObject({ status: 'EXPIRED', created_at: ago(20), updated_at: ago(5) });
      expect(open.engagement).toMatchObject({ status: 'HELD', created_at: ago(20) });
      await service.admin.post('/_test/clock', { advance: '24h' });
      const { body: later } = await service.own.get(`${ENGAGEMENTS}/open`);
      expect(later.engagement).toMatchObject({ status: 'EXPIRED', updated_at: ago(-1) });
      expect((await service.admin.post('/_test/reset')).status).toBe(200);
    }
  } finally {
    await service.close();
  }
});
