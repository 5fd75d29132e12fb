import { expect, test } from 'bun:test';
import { statSync } from 'node:fs';
import { killNine } from '../../scripts/torture/kill-nine.ts';
import { client, concurrently, DIGEST, strings } from '../support/client.ts';
import { fourSteps } from '../support/four-steps.ts';
import { scratch, serve } from '../support/process.ts';

const OUTCOMES = [
  { status: 'success', output_hash: DIGEST },
  { status: 'refusal', refusal_reason: 'not allowed' },
  { status: 'null', refusal_reason: 'nothing to do' },
  { status: 'terminal', terminal_reason: 'ended', error_tranche: 'DATA_LEAKAGE' },
  { status: 'graceful_shutdown', terminal_reason: 'maintenance' },
  { status: 'timeout', terminal_reason: 'too slow' },
  { status: 'failure_tombstone', terminal_reason: 'crashed', error_tranche: 'LOGIC_DETECTION' },
];

test('thousands of receipts, issued and finalized by many at once, all verify by the four steps', async () => {
  const { path, dispose } = scratch();
  const server = await serve(`${path}/data`);
  try {
    const api = client(fetch, server.url, server.apiKey);
    const key = String((await api.get('/api/v1/public-key')).body.public_key);
    expect((await api.issue({ agent_id: { toString: false } })).status).toBe(400);
    const wanted = Array.from({ length: 3000 }, (_, index) => index);
    const finalized = await concurrently(wanted, 64, async (index) => {
      const issued = await api.issue({ agent_id: `agent-${index % 17}`, blind: index % 5 === 0 });
      expect(issued.status).toBe(201);
      expect(fourSteps(strings(issued.body), key, Date.now())).toBe('valid');
      const outcome = OUTCOMES[index % OUTCOMES.length];
      const ended = await api.finalize(issued.body.receipt_id, outcome);
      expect([ended.status, ended.body.status]).toEqual([200, outcome?.status]);
      return strings(ended.body);
    });
    for (const receipt of finalized) expect(fourSteps(receipt, key, Date.now())).toBe('valid');
    const ids = new Set(finalized.map((receipt) => receipt.receipt_id ?? ''));
    expect(ids.size).toBe(3000);

    const listed = new Set<string>();
    for (let cursor: unknown = ''; cursor !== null; ) {
      const page: { body: { receipts?: unknown; next_cursor?: unknown } } = await api.get(
        `/api/v1/receipts?limit=100${cursor === '' ? '' : `&cursor=${cursor}`}`,
      );
      const rows = Array.isArray(page.body.receipts) ? page.body.receipts : [];
      for (const row of rows) {
        expect(listed.has(row.receipt_id)).toBe(false);
        listed.add(row.receipt_id);
      }
      cursor = page.body.next_cursor ?? null;
    }
    expect(listed).toEqual(ids);
    expect((await server.stop()).code).toBe(0);
  } finally {
    dispose();
  }
});

test('killed under load, five times: what was promised is there, verifies, and the database is whole', async () => {
  expect(await killNine(5)).toBeGreaterThan(1000);
});

test('the write-ahead log stays small under load', async () => {
  const { path, dispose } = scratch();
  const server = await serve(`${path}/data`);
  try {
    const api = client(fetch, server.url, server.apiKey);
    // Unchecked, these 20,000 leave a log of some 60 MiB; past 32 MiB the writer makes room.
    await concurrently(Array.from({ length: 20_000 }), 64, () => api.issue());
    expect(statSync(`${path}/data/trust.db-wal`).size).toBeLessThan(48 * 2 ** 20);
    expect((await server.stop()).stderr).not.toContain('checkpointer');
    expect(statSync(`${path}/data/trust.db`).size).toBeGreaterThan(8 * 2 ** 20);
  } finally {
    dispose();
  }
});
