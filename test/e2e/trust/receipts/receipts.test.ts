import { expect, test } from 'bun:test';
import { statSync, writeFileSync } from 'node:fs';
import { client, concurrently, DIGEST, strings } from '../../../support/client.ts';
import { fourSteps } from '../../../support/four-steps.ts';
import { scratch, serve } from '../../../support/process.ts';

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
    const count = 3000;
    const indices = Array.from({ length: count }, (_, index) => index);
    const issued = await concurrently(indices, 64, async (index) => {
      const response = await api.issue({ agent_id: `agent-${index % 17}`, blind: index % 5 === 0 });
      expect([response.status, response.body.status]).toEqual([201, 'pending']);
      return strings(response.body);
    });
    for (const receipt of issued) expect(fourSteps(receipt, key, Date.now())).toBe('valid');

    const finalized = await concurrently(indices, 64, async (index) => {
      const receipt_id = issued[index]?.receipt_id;
      const outcome = OUTCOMES[index % OUTCOMES.length];
      const both = [api.finalize(receipt_id, outcome)];
      // Sometimes a second request comes concurrently, and one of the two fails with the state that the other
      // caused.
      if (index % 25 === 0) both.push(api.finalize(receipt_id, OUTCOMES[(index + 1) % OUTCOMES.length]));
      const answers = await Promise.all(both);
      const won = answers.filter(({ status }) => status === 200);
      const lost = answers.filter(({ status }) => status === 409);
      expect([won.length, lost.length]).toEqual([1, both.length - 1]);
      const receipt = strings(won[0]?.body ?? {});
      if (both.length === 1) expect(receipt).toMatchObject(outcome ?? {});
      for (const { body } of lost) expect(strings(Object(body.receipt))).toEqual(receipt);
      return receipt;
    });
    for (const receipt of finalized) expect(fourSteps(receipt, key, Date.now())).toBe('valid');
    expect(new Set(finalized.map(({ status }) => status))).toEqual(
      new Set(OUTCOMES.map(({ status }) => status)),
    );
    for (const receipt of [...issued.slice(0, 5), ...finalized.slice(0, 2 * OUTCOMES.length)]) {
      expect(opensslVerifies(path, key, receipt)).toBe(true);
      expect(opensslVerifies(path, key, { ...receipt, content_hash: '00'.repeat(32) })).toBe(false);
    }

    const byId = new Map(finalized.map((receipt) => [receipt.receipt_id, receipt]));
    expect(byId.size).toBe(count);
    const listed: Record<string, string>[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const after: string = cursor === '' ? '' : `&cursor=${cursor}`;
      const { body } = await api.get(`/api/v1/receipts?limit=100${after}`);
      const rows: unknown[] = Array.isArray(body.receipts) ? body.receipts : [];
      expect(rows).toHaveLength(100);
      listed.push(...rows.map((row) => strings(Object(row))));
      cursor = typeof body.next_cursor === 'string' ? body.next_cursor : null;
    }
    expect(listed).toHaveLength(count);
    for (const receipt of listed) {
      expect(receipt).toEqual(byId.get(receipt.receipt_id) ?? {});
      byId.delete(receipt.receipt_id);
    }
    expect(byId.size).toBe(0);
    expect((await server.stop()).code).toBe(0);
  } finally {
    dispose();
  }
});

/** Step 4 by a third implementation: the key as PEM, the message and the signature as files. */
function opensslVerifies(path: string, publicKeyHex: string, receipt: Record<string, string>): boolean {
  const spki = Buffer.from(`302a300506032b6570032100${publicKeyHex}`, 'hex').toString('base64');
  writeFileSync(`${path}/key.pem`, `-----BEGIN PUBLIC KEY-----\n${spki}\n-----END PUBLIC KEY-----\n`);
  writeFileSync(`${path}/message`, receipt.content_hash ?? '');
  writeFileSync(`${path}/signature`, Buffer.from(receipt.signature ?? '', 'hex'));
  const files = ['-inkey', `${path}/key.pem`, '-in', `${path}/message`, '-sigfile', `${path}/signature`];
  const { success, stdout } = Bun.spawnSync(['openssl', 'pkeyutl', '-verify', '-pubin', '-rawin', ...files]);
  return success && stdout.toString().includes('Signature Verified Successfully');
}

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
