import { afterEach, beforeEach, expect, test } from 'bun:test';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openLocalService } from '../../../src/commands/local-service.ts';
import { takeWritableDirectory } from '../../../src/platform/data-directory.ts';
import operations from '../../../src/sdk/operations.json';
import { type LocalService, OPERATIONS } from '../../../src/tools/capture/services.ts';
import { trustServiceDefinition } from '../../../src/trust/definition.ts';
import { trustModules } from '../../../src/trust/service/modules.ts';
import { issueBody } from '../../support/client.ts';

const definition = trustServiceDefinition(trustModules);
let parent: string;
let opened: LocalService[];
beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'countersign-local-'));
  opened = [];
});
afterEach(async () => {
  for (const service of opened) await service.close();
  rmSync(parent, { recursive: true, force: true });
});

async function open(directory = join(parent, 'data'), waitMs?: number): Promise<LocalService> {
  const service = await openLocalService(definition, new Map(), directory, waitMs);
  opened.push(service);
  return service;
}
const issue = ({ target }: LocalService) => target.call('issueReceipt', issueBody());

test('the first process serves the directory, the second sends to it, and takes over when the first ends', async () => {
  const first = await open();
  const second = await open();
  expect(await issue(first)).toMatchObject({ status: 'pending' });
  expect(await issue(second)).toMatchObject({ status: 'pending' });
  await first.close();
  const receipt = await issue(second);
  expect(receipt).toMatchObject({ status: 'pending' });
  const third = await open();
  expect(await issue(third)).toMatchObject({ status: 'pending' });
});

test('what was finalized is in a checkpoint when the process has ended', async () => {
  const directory = join(parent, 'data');
  const first = await open(directory);
  const issued = await issue(first);
  const { receipt_id: id } = Object(issued);
  await first.target.call('finalizeReceipt', { id, status: 'success', output_hash: 'ab'.repeat(32) });
  await first.close();
  const second = await open(directory);
  const bundle = await fetch(`http://localhost/api/v1/receipts/${id}/bundle`, {
    unix: join(directory, 'capture.sock'),
    headers: { authorization: `Bearer ${await Bun.file(join(directory, 'capture.key')).text()}`.trim() },
  });
  expect(await bundle.json()).toMatchObject({ receipt: { status: 'success' }, proof: { tree_size: 1 } });
  await second.close();
});

test('only its user can use the socket and read the key, which is no admin key', async () => {
  const directory = join(parent, 'data');
  await open(directory);
  for (const name of ['capture.sock', 'capture.key'])
    expect([name, statSync(join(directory, name)).mode & 0o777]).toEqual([name, 0o600]);
  const key = (await Bun.file(join(directory, 'capture.key')).text()).trim();
  const response = await fetch('http://localhost/api/v1/admin/operators', {
    unix: join(directory, 'capture.sock'),
    headers: { authorization: `Bearer ${key}` },
  });
  expect(response.status).not.toBe(200);
});

test('a directory that another program holds, and a file, are refused in words', async () => {
  const busy = join(parent, 'busy');
  const lock = takeWritableDirectory(busy);
  writeFileSync(join(busy, 'capture.key'), 'pp_key\n', { mode: 0o600 });
  await expect(open(busy, 1)).rejects.toThrow(/is in use by a countersign process that takes no captures/);
  lock.release();
  writeFileSync(join(parent, 'file'), '');
  await expect(open(join(parent, 'file'))).rejects.toThrow(/cannot be made/);
});

test('the operations that captures call are those of the document', () => {
  for (const [id, line] of Object.entries(OPERATIONS)) {
    const known: unknown = operations.find(({ operation }) => operation === id);
    const [, method, path] = /^(\w+) (\S+)/.exec(line) ?? [];
    expect(known).toMatchObject({ operation: id, method, path });
    expect([id, Object(known).idempotent ?? false]).toEqual([id, line.endsWith(' once')]);
  }
});
