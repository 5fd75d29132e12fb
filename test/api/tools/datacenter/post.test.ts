import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { evidenceOf } from '../../../../src/tools/datacenter/evidence.ts';
import type { Hall } from '../../../../src/tools/datacenter/hall.ts';
import { otlpOf } from '../../../../src/tools/datacenter/otlp.ts';
import {
  type Destination,
  EVIDENCE_PATH,
  OTLP_PATH,
  postAll,
} from '../../../../src/tools/datacenter/post.ts';
import { openTrustApp, type TrustApp } from '../../../support/trust-app.ts';

const HALL: Hall = { clusterId: 'h', dayStart: Date.UTC(2026, 4, 1), seed: 1, racks: 2, minutes: 60 };

let app: TrustApp;
let server: ReturnType<typeof Bun.serve>;
beforeAll(async () => {
  app = await openTrustApp();
  server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: (request) => app.fetch(request) });
});
afterAll(async () => {
  await server.stop(true);
  await app.close();
});

const destination = (path: string): Destination => ({ service: server.url.href, apiKey: app.apiKey, path });
/** The progress, where a test does not look at it. */
const ignored = (): undefined => undefined;
const noWait = () => Promise.reject(new Error('it waited'));

describe('Posting a simulated day', () => {
  test.each([1, 2, 3])('of seed %d: the service stores every body, and again none', async (seed) => {
    const bodies = evidenceOf({ ...HALL, clusterId: `evidence-${seed}`, seed });
    const progress: number[] = [];
    const to = destination(EVIDENCE_PATH);
    const first = await postAll(to, bodies, (sent) => progress.push(sent), noWait);
    expect(first).toEqual({ sent: 60, stored: 60, duplicates: 0 });
    expect(progress).toEqual(bodies.map((_, index) => index + 1));
    expect(await postAll(to, bodies, ignored, noWait)).toEqual({ sent: 60, stored: 0, duplicates: 60 });
  });

  test.each([1, 2, 3])(
    'of seed %d as OTLP: no data point is rejected, also when it is sent again',
    async (seed) => {
      const requests = otlpOf({ ...HALL, clusterId: `otlp-${seed}`, seed });
      for (let run = 0; run < 2; run++) {
        const counts = await postAll(destination(OTLP_PATH), requests, ignored, noWait);
        expect(counts).toEqual({ sent: 24, rejected_data_points: 0 });
      }
    },
  );

  test('gives the same energy as evidence and as OTLP', async () => {
    const energyOf = async (cluster: string) => {
      const { body } = await app.anyone.get(`/api/v1/datacenter/clusters/${cluster}/scorecard`);
      return Object(body.simulated).pue.value;
    };
    const pue = await energyOf('evidence-1');
    expect(pue).toBeWithin(1.1, 1.4);
    expect(await energyOf('otlp-1')).toBe(pue);
  });
});

describe('A service that does not accept a body', () => {
  /** Posts two bodies to a service with these responses. @returns the result or the error, and the waits */
  async function posted(responses: Response[]) {
    using other = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      fetch: () => responses.shift() ?? new Response('{}'),
    });
    const waits: number[] = [];
    const to = { service: other.url.href, apiKey: 'k', path: EVIDENCE_PATH };
    const wait = async (ms: number) => void waits.push(ms);
    const result = await postAll(to, [{}, {}], ignored, wait).catch((error: Error) => ({
      message: error.message.replace(other.url.href, '<service>/'),
      hint: 'hint' in error ? error.hint : null,
    }));
    return { result, waits };
  }
  const busy = (status: number, retryAfter?: string) =>
    new Response('{"error":"busy"}', {
      status,
      headers: retryAfter === undefined ? {} : { 'retry-after': retryAfter },
    });

  test('because of its rate or its load is asked again, after the time that it names', async () => {
    const { result, waits } = await posted([busy(429, '7'), busy(503), busy(503, 'soon'), busy(429, '9999')]);
    expect(result).toEqual({ sent: 2, stored: 2, duplicates: 0 });
    expect(waits).toEqual([7000, 1000, 1000, 60_000]);
  });

  test('is asked five times', async () => {
    const { result, waits } = await posted(Array.from({ length: 9 }, () => busy(503, '2')));
    expect(result).toMatchObject({
      message: '<service>/api/v1/datacenter/evidence returned status 503: busy',
    });
    expect(waits).toHaveLength(4);
  });

  test('is reported with the reason and the number of bodies before', async () => {
    const refusal = Response.json({ error: 'No.', issues: { water_l: ['must be >= 0'] } }, { status: 400 });
    const { result } = await posted([new Response('{}'), refusal]);
    expect(result).toMatchObject({
      message: '<service>/api/v1/datacenter/evidence returned status 400: No. {"water_l":["must be >= 0"]}',
      hint: expect.stringContaining('1 bodies were stored before'),
    });
  });

  test.each(['', '[]', 'no JSON'])('and answers "%s" is no trust service', async (text) => {
    const { result } = await posted([new Response(text)]);
    expect(result).toMatchObject({
      message: '<service>/api/v1/datacenter/evidence returned status 200 with no JSON object',
    });
  });
});
