import { afterEach, beforeEach, expect, test } from 'bun:test';
import {
  chmodSync,
  chownSync,
  existsSync,
  lchownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
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

test('the data of a server is left to it, also while the server starts again', async () => {
  const directory = join(parent, 'server');
  await open(directory);
  await opened.pop()?.close();
  // As the data directory of a server is: with a database, and without the mark.
  rmSync(join(directory, 'capture.local'));
  rmSync(join(directory, 'capture.key'));
  await expect(open(directory)).rejects.toThrow(/has the data of a service \(trust.db\)/);
  const lock = takeWritableDirectory(directory);
  await expect(open(directory, 1000)).rejects.toThrow(/which --local did not make/);
  lock.release();
  expect(existsSync(join(directory, 'capture.key'))).toBe(false);
});

test('a directory in which others can write is refused before anything is in it', async () => {
  const directory = join(parent, 'shared');
  mkdirSync(directory);
  for (const mode of [0o777, 0o770, 0o1777]) {
    chmodSync(directory, mode);
    await expect(open(directory)).rejects.toThrow(/other users can write in/);
  }
  expect(readdirSync(directory)).toEqual([]);
});

test.if(process.getuid?.() === 0)('a directory of another user, and a link of one, are refused', async () => {
  const directory = join(parent, 'foreign');
  mkdirSync(directory, { mode: 0o700 });
  chownSync(directory, 12_345, 12_345);
  await expect(open(directory)).rejects.toThrow(/belongs to another user/);
  chownSync(directory, 0, 0);
  const link = join(parent, 'link');
  symlinkSync(directory, link);
  lchownSync(link, 12_345, 12_345);
  await expect(open(link)).rejects.toThrow(/belongs to another user/);
});

test('the operations that captures call are those of the document', () => {
  for (const [id, line] of Object.entries(OPERATIONS)) {
    const known: unknown = operations.find(({ operation }) => operation === id);
    const [, method, path] = /^(\w+) (\S+)/.exec(line) ?? [];
    expect(known).toMatchObject({ operation: id, method, path });
    expect([id, Object(known).idempotent ?? false]).toEqual([id, line.endsWith(' once')]);
  }
});
