import { afterEach, expect, test } from 'bun:test';
import { demoAgent } from '../../../../src/trust/demo/agents.ts';
import { issueBody } from '../../../support/client.ts';
import { openTestService, type TestService, TRUST } from '../../../support/test-service.ts';

const START = Date.parse('2026-01-01T00:00:00Z');
const HOUR = 3_600_000;
const ENGAGEMENTS = '/api/v1/passport/engagements';

let service: TestService | null = null;
afterEach(async () => {
  await service?.close();
  service = null;
});

const at = (hours: number): string => new Date(START + hours * HOUR).toISOString();

/** Opens a test service with a hirer that has credits, and a worker. */
async function openMarket() {
  service = await openTestService(TRUST);
  const { own } = service;
  const enrolled = async (name: string) => {
    const agent = demoAgent(name);
    const { body } = await own.post('/api/v1/passport/agents/enroll/start', {
      public_key: agent.publicKey,
      name,
    });
    await own.post('/api/v1/passport/agents/enroll/complete', {
      subject_commitment: agent.commitment,
      signature: agent.signText(String(body.challenge_nonce)),
    });
    return agent.commitment;
  };
  const hirer = await enrolled('hirer');
  const worker = await enrolled('worker');
  const grant = { subject_commitment: hirer, amount: 100, memo: 'for hires' };
  expect((await own.post('/api/v1/passport/credits/grants', grant)).status).toBe(201);
  const hire = async (task_id: string, deadline: string): Promise<void> => {
    const parties = { hirer_commitment: hirer, worker_commitment: worker };
    const { status, body } = await own.post(ENGAGEMENTS, { task_id, ...parties, amount: 1, deadline });
    if (status !== 201) throw new Error(JSON.stringify(body));
  };
  const engagement = async (task_id: string) => (await own.get(`${ENGAGEMENTS}/${task_id}`)).body.engagement;
  return { ...service, hirer, hire, engagement };
}

test('an advance ends what is due in the order of the due times, each at its time', async () => {
  const { admin, own, hirer, hire, engagement } = await openMarket();
  // Not in the order in which they are due. The heads of journals are due at each midnight.
  const deadlines = { third: at(70.25), first: at(2), never: at(73), second: at(30) };
  for (const [task, deadline] of Object.entries(deadlines)) await hire(task, deadline);
  const { status, body } = await admin.post('/_test/clock', { advance: '72h' });
  expect([status, body]).toEqual([200, { now: at(72), runs: false, steps: 6, failed_tasks: [] }]);
  for (const task of ['first', 'second', 'third'] as const)
    expect(await engagement(task)).toMatchObject({ status: 'EXPIRED', updated_at: deadlines[task] });
  expect(await engagement('never')).toMatchObject({ status: 'HELD', updated_at: at(0) });
  const { body: journal } = await own.get(`/api/v1/passport/agents/${hirer}/credit-journal?limit=3`);
  const dates = [journal.entries].flat().map((entry) => Object(entry).created_at);
  expect(dates).toEqual([deadlines.third, deadlines.second, deadlines.first]);
});

test('many things that are due at one moment all end in it', async () => {
  const { admin, hire, engagement } = await openMarket();
  for (let n = 0; n < 20; n += 1) await hire(`task-${n}`, at(1));
  const { body } = await admin.post('/_test/clock', { to: at(1) });
  expect(body).toMatchObject({ now: at(1), steps: 1 });
  for (let n = 0; n < 20; n += 1)
    expect(await engagement(`task-${n}`)).toMatchObject({ status: 'EXPIRED', updated_at: at(1) });
});

test('after an advance the checkpoints cover what it wrote, and the service is healthy', async () => {
  service = await openTestService(TRUST);
  const { admin, own, anyone } = service;
  const { body: issued } = await own.post('/api/v1/receipts', issueBody());
  const outcome = { status: 'success', output_hash: String(issued.input_digest) };
  expect((await own.finalize(issued.receipt_id, outcome)).status).toBe(200);
  await admin.post('/_test/clock', { advance: '30d' });
  const path = `http://127.0.0.1:3000/api/v1/receipts/${issued.receipt_id}/proof`;
  const proof = await service.fetch(new Request(path));
  expect([proof.status, await proof.text()]).toEqual([200, expect.stringContaining('test.invalid/')]);
  expect((await anyone.get('/api/health')).body).toEqual({
    status: 'ok',
    service: 'trust',
    version: 'test',
    test: true,
    problems: [],
  });
});

test('what a request makes due before the present ends with the next advance, even one of no time', async () => {
  const { admin, hire, engagement } = await openMarket();
  await hire('soon', new Date(START + 60_000).toISOString());
  await admin.post('/_test/clock', { advance: '1m' });
  expect(await engagement('soon')).toMatchObject({ status: 'EXPIRED' });
  const { body } = await admin.post('/_test/clock', { advance: '0s' });
  expect(body).toMatchObject({ steps: 0, failed_tasks: [] });
});

test('advances at the same time take turns, and each adds its own time', async () => {
  service = await openTestService(TRUST);
  const { admin } = service;
  const advanced = await Promise.all([1, 2, 3].map(() => admin.post('/_test/clock', { advance: '1h' })));
  expect(advanced.map(({ body }) => body.now).toSorted()).toEqual([at(1), at(2), at(3)]);
});

test('an advance of years runs within bounds, and one of a century is refused', async () => {
  service = await openTestService(TRUST);
  const { admin } = service;
  for (let years = 10; years <= 170; years += 10)
    expect((await admin.post('/_test/clock', { advance: '3653d' })).status).toBe(200);
  const century = await admin.post('/_test/clock', { advance: '36525d' });
  expect([century.status, century.body.issues]).toEqual([
    400,
    { advance: ['must be at most 3653 days ahead; advance several times'] },
  ]);
  const past = await admin.post('/_test/clock', { advance: '3000d' });
  expect([past.status, past.body.issues]).toEqual([
    400,
    { advance: ['must not lead past 2200-01-01T00:00:00.000Z'] },
  ]);
});

test('a clock that runs goes on by itself', async () => {
  service = await openTestService(TRUST, '+72h');
  const { admin } = service;
  const { body: before } = await admin.get('/_test/clock');
  const { body: after } = await admin.post('/_test/clock', { advance: '1h' });
  expect([before.runs, after.runs]).toEqual([true, true]);
  const ms = Date.parse(String(after.now)) - Date.parse(String(before.now));
  expect(ms).toBeGreaterThanOrEqual(HOUR);
  expect(ms).toBeLessThan(2 * HOUR);
  const ahead = Date.parse(String(before.now)) - Date.now();
  expect(Math.abs(ahead - 72 * HOUR)).toBeLessThan(HOUR);
});
