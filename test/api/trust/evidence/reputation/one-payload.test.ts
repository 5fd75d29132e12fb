import { afterEach, beforeEach, expect, test } from 'bun:test';
import { profileAfter } from '../../../../support/corroborated.ts';
import { DELIVERABLE, type Market, openMarket } from '../../../../support/engagements.ts';
import { evidencePath, PAYLOADS, signedEvidence } from '../../../../support/evidence.ts';
import { VirtualTime } from '../../../../support/virtual-time.ts';

let time: VirtualTime;
let market: Market;
beforeEach(async () => {
  time = new VirtualTime(Date.parse('2026-11-21T12:00:00Z'));
  market = await openMarket({}, time);
});
afterEach(() => market.app.close());

/** Fits three source types: a trace that succeeded, a report whose control failed, and a deliverable that failed. */
const PAYLOAD = {
  ...PAYLOADS.otel_genai_trace(),
  ...{ framework: 'SOC2_TYPE2', controls: [{ id: 'CC7.2', status: 'fail' }] },
  ...{ task_id: 'of-nobody', deliverable_digest: DELIVERABLE, outcome: 'failure' },
};

async function anchor(sourceType: string): Promise<number> {
  const by = sourceType === 'task_deliverable' ? market.service : market.app.other;
  const evidence = signedEvidence(market.worker, sourceType, PAYLOAD);
  return (await by.post(evidencePath(market.worker.commitment), evidence)).status;
}

async function counts() {
  const { totals, rolling_30d, score_basis } = await profileAfter(market.app, time, market.worker, 0);
  const { success_rate, failure_rate } = Object(rolling_30d);
  return {
    items: Object(totals).evidence_count,
    rates: [success_rate, failure_rate],
    corroborated: Object(score_basis).corroborated,
    self: Object(score_basis).self_signed,
  };
}

test.each([
  ['a trace, then a report', ['otel_genai_trace', 'compliance_report'], [1, 0]],
  ['a report, then a trace', ['compliance_report', 'otel_genai_trace'], [0, 1]],
] as const)('one payload as %s is two items, and one outcome: the first', async (_name, types, rates) => {
  for (const type of types) expect(await anchor(type)).toBe(201);
  expect(await counts()).toEqual({ items: 2, rates: [...rates], corroborated: 0, self: 1 });
  // Sent again, in either order, they are the same items.
  for (const type of types.toReversed()) expect(await anchor(type)).toBe(200);
  expect((await counts()).items).toBe(2);
});

test('one payload under two types at once, ten times each, is two items and one outcome', async () => {
  const types = Array.from({ length: 20 }, (_, at) =>
    at % 2 === 0 ? 'otel_genai_trace' : 'compliance_report',
  );
  const statuses = await Promise.all(types.map(anchor));
  expect(statuses.filter((status) => status === 201)).toHaveLength(2);
  expect(statuses.filter((status) => status === 200)).toHaveLength(18);
  const { items, self, corroborated } = await counts();
  expect({ items, self, corroborated }).toEqual({ items: 2, self: 1, corroborated: 0 });
});

test('a failure that the platform attests counts, though the agent anchored its payload before as a success', async () => {
  expect(await anchor('otel_genai_trace')).toBe(201);
  expect(await anchor('task_deliverable')).toBe(201);
  expect(await counts()).toEqual({ items: 2, rates: [0.5, 0.5], corroborated: 1, self: 1 });
});
