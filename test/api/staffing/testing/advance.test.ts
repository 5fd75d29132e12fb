import { afterEach, expect, test } from 'bun:test';
import { client } from '../../../support/client.ts';
import { openTestService, STAFFING, type TestService } from '../../../support/test-service.ts';

const API = '/api/staffing/partner/v1';
const START = Date.parse('2026-01-01T00:00:00Z');
const MINUTE = 60_000;

let service: TestService | null = null;
afterEach(async () => {
  await service?.close();
  service = null;
});

/** Opens a test service with a partner whose webhook always fails. */
async function openWithFailingReceiver() {
  service = await openTestService(STAFFING);
  const attempts: { seconds: number }[] = [];
  const receiver = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch(request) {
      attempts.push({ seconds: Number(request.headers.get('webhook-timestamp')) });
      return new Response(null, { status: 500 });
    },
  });
  const { admin, own } = service;
  const { body: me } = await own.get(`${API}/me`);
  const promoted = await admin.post(`${API}/admin/partners/${Object(me.account).partner_id}/promote`);
  if (promoted.status > 201) throw new Error(JSON.stringify(promoted.body));
  const live = client(service.fetch, `http://127.0.0.1:3000${API}`, String(promoted.body.api_key));
  const url = `http://hooks.agency.example:${receiver.port}/events`;
  const set = await live.call('PUT', '/webhook', { url });
  if (set.status !== 200) throw new Error(JSON.stringify(set.body));
  const job = {
    title: 'ICU nurse',
    specialty: 'RN critical care',
    state: 'TX',
    city: 'Austin',
    weeks: 13,
    positions: 1,
  };
  const { body: posted } = await live.post('/jobs', job);
  const change = await admin.post(`${API}/admin/jobs/${posted.id}/status`, { status: 'filled' });
  if (change.status !== 200) throw new Error(JSON.stringify(change.body));
  return { ...service, receiver, attempts, live };
}

test('an advance retries webhooks at their times, and their signatures have the time of the machine', async () => {
  const { admin, attempts, live, receiver } = await openWithFailingReceiver();
  try {
    // The first attempt, then those after 30 s, 5 min, 1 h and 5 h.
    expect((await admin.post('/_test/clock', { advance: '0s' })).status).toBe(200);
    expect(attempts).toHaveLength(1);
    const { body } = await admin.post('/_test/clock', { advance: '12h' });
    expect(body).toMatchObject({ steps: 4 });
    expect(attempts).toHaveLength(5);
    const { body: waiting } = await live.get('/webhook/deliveries');
    const [delivery] = [waiting.data].flat();
    const fourWaits = (0.5 + 5 + 60 + 300) * MINUTE;
    expect(delivery).toMatchObject({
      status: 'pending',
      attempts: 5,
      next_attempt_at: new Date(START + fourWaits + 18 * 60 * MINUTE).toISOString(),
    });
    await admin.post('/_test/clock', { advance: '24h' });
    const { body: ended } = await live.get('/webhook/deliveries');
    expect([ended.data].flat()[0]).toMatchObject({ status: 'failed', attempts: 6 });
    for (const { seconds } of attempts) expect(Math.abs(seconds - Date.now() / 1000)).toBeLessThan(120);
  } finally {
    await receiver.stop(true);
  }
});
