import { expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { a2aClient } from '../../../../support/a2a.ts';
import { openTrustApp } from '../../../../support/trust-app.ts';

test('a server that only reads shows tasks, stores no message, and has a card without signatures', async () => {
  const root = mkdtempSync(join(tmpdir(), 'countersign-a2a-'));
  const data = join(root, 'data');
  const writing = await openTrustApp({}, null, data);
  const { id } = await a2aClient(writing.fetch, 'http://localhost', writing.apiKey).send([{ text: 'hello' }]);
  await writing.service.trust.log.publisher.publish();
  await writing.close();
  const app = await openTrustApp({ read_only: 'on' }, null, data);
  const own = a2aClient(app.fetch, 'http://localhost', app.apiKey);
  expect((await own.result('GetTask', { id })).history).toHaveLength(2);
  expect((await own.result('ListTasks', {})).totalSize).toBe(1);
  for (const [method, params] of [
    ['CancelTask', { id }],
    ['SendMessage', { message: { messageId: 'm', role: 'ROLE_USER', parts: [{ text: 'hello' }] } }],
  ] as const) {
    const { status, body } = await own.post({ jsonrpc: '2.0', id: 1, method, params });
    expect([method, status, body.reason_code]).toEqual([method, 503, 'storage_unavailable']);
  }
  const card = (await app.anyone.get('/.well-known/agent-card.json')).body;
  expect([card.name, card.signatures]).toEqual(['Countersign trust service', undefined]);
  await app.close();
  rmSync(root, { recursive: true });
});
