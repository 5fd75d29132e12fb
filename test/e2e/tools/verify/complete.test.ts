import { afterEach, beforeEach, expect, test } from 'bun:test';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { nativePrimitives } from '../../../../src/platform/crypto/crypto.ts';
import { LOG_NAMES } from '../../../../src/proof/log/log-names.ts';
import { parseNote, parseVerifierKey } from '../../../../src/proof/log/note.ts';
import { checkNote } from '../../../../src/proof/log/note-signature.ts';
import { client } from '../../../support/client.ts';
import { link } from '../../../support/linked.ts';
import { SUCCESS } from '../../../support/log.ts';
import { run, scratch, serve, witness } from '../../../support/process.ts';
import { hasPython, runPython } from '../../../support/python.ts';
import { eventually } from '../../../support/virtual-time.ts';

let directory: ReturnType<typeof scratch>;
beforeEach(() => {
  directory = scratch();
});
afterEach(() => directory.dispose());

const place = (name: string): string => join(directory.path, name);
const file = (name: string, text: string): string => {
  writeFileSync(place(name), text);
  return place(name);
};

/** Starts a witness of the logs of a directory, and makes a policy that demands it. */
async function witnessOf(data: string, name: string) {
  // The first start makes the keys by which the witness knows the logs.
  const first = await serve(data, {}, ['--log-origin', 'a.example']);
  const lines = await Promise.all(
    LOG_NAMES.map(async (log) => (await fetch(`${first.url}/log/${log}/vkeys`)).text()),
  );
  expect((await first.stop()).code).toBe(0);
  const watching = await witness(place(name), [
    ...['--name', 'w.example', '--logs', file(`${name}.logs`, `${lines.join('')}quorum none\n`)],
  ]);
  const [vkey = ''] = [watching.ready.vkeys].flat().map(String);
  const policy = file(`${name}.txt`, `witness w ${vkey} ${watching.url}\nquorum w\n`);
  return { apiKey: first.apiKey, watching, vkey, policy };
}

/** Starts the service with a witness. */
const served = (data: string, policy: string) =>
  serve(data, { COUNTERSIGN_RATE_LIMITS: 'off' }, ['--log-witness-policy', policy]);

/** Waits until the witness has cosigned a checkpoint of so many entries of the log of accounts. */
const whenCosigned = (url: string, vkey: string, size: number) =>
  eventually(async () => {
    const note = await (await fetch(`${url}/log/accounts/checkpoint?cosigned=yes`)).text();
    const checks = checkNote(nativePrimitives, parseNote(Buffer.from(note)), [
      parseVerifierKey(nativePrimitives, vkey),
    ]);
    return note.split('\n')[1] === String(size) && checks.length === 1;
  });

test('the export of a linked account is complete, and a dropped receipt is named', async () => {
  const { apiKey, watching, vkey, policy } = await witnessOf(place('data'), 'witness');
  const service = await served(place('data'), policy);
  const api = client(fetch, service.url, apiKey);
  // Otherwise nothing shows that the first leaves are not older.
  await whenCosigned(service.url, vkey, 0);
  expect((await link(api)).status).toBe(200);
  let operator = '';
  for (let index = 0; index < 50; index++) {
    const { body } = await api.issue({});
    operator = String(body.operator_id);
    if (index % 2 === 0) expect((await api.finalize(body.receipt_id, SUCCESS)).status).toBe(200);
    if (index % 10 === 0)
      expect((await api.post(`/api/v1/receipts/${body.receipt_id}/revoke`, {})).status).toBe(200);
  }
  const entries = 1 + 50 + 25 + 5;
  const cosigned = (size: number) => whenCosigned(service.url, vkey, size);
  await cosigned(entries);
  const exporting = (id: string, name: string) =>
    run(['receipts', 'export', '--operator', id, '--data', place('data'), '--out', place(name)]);
  const exported = async (name: string): Promise<string> => {
    expect((await exporting(operator, name)).code).toBe(0);
    return place(name);
  };
  expect((await exporting('op_cus_1', 'none.ndjson')).code).toBe(2);
  expect((await exporting(`op_cus_${'0'.repeat(24)}`, 'none.ndjson')).code).toBe(0);
  expect(readFileSync(place('none.ndjson'), 'utf8')).toBe('');
  const asked = (list: string, ...options: string[]): string[] => [
    ...[list, '--complete', '--operator', operator, '--log', service.url, '--policy', policy],
    ...options,
  ];
  const verified = (list: string, ...options: string[]) => run(['verify', ...asked(list, ...options)]);
  /**
   * Checks that src/tools/python/verify.py ends and writes alike. The witness can have cosigned the checkpoint
   * again meanwhile.
   */
  const alike = (
    { code, stdout }: { code: number; stdout: string },
    file: string,
    ...options: string[]
  ): void => {
    if (!hasPython) return;
    const ofWitness = ['attested_at', 'checkpoints', 'longest_interval_ms', 'sentence'];
    const rows = (text: string): unknown[] =>
      text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line, (name, value) => (ofWitness.includes(name) ? null : value)));
    const theirs = runPython(...asked(file, ...options));
    expect([theirs.code, rows(theirs.stdout)]).toEqual([code, rows(stdout)]);
    const [summary = ''] = theirs.stdout.trimEnd().split('\n').slice(-1);
    expect(theirs.stderr).toBe(`${JSON.parse(summary).sentence}\n`);
  };
  const list = await exported('all.ndjson');
  const complete = await verified(list);
  expect([complete.code, JSON.parse(complete.stdout)]).toMatchObject([
    0,
    { complete: true, receipts: 50, logged: 50, leaves: entries, tree_size: entries, problems: {} },
  ]);
  alike(complete, list);
  expect(complete.stderr).toContain(
    `complete: Of ${operator}, the log of accounts has these 50 receipts and no others`,
  );
  expect(complete.stderr).toContain('whether others are shown the same keys (--keys with a saved list)');

  // The directory of a monitor proves the same, also the times.
  const monitored = await run(['monitor', service.url, '--state', place('copy'), '--once']);
  expect([monitored.code, JSON.parse(monitored.stdout)]).toMatchObject([0, { problems: [] }]);
  const keys = file('keys.json', await (await fetch(`${service.url}/api/v1/transparency/keys`)).text());
  const copied = await verified(list, '--log', place('copy'), '--keys', keys);
  alike(copied, list, '--log', place('copy'), '--keys', keys);
  // With a saved list of keys, fewer checks are open.
  const { checkpoints, sentence: _, not_checked: open, ...summary } = JSON.parse(complete.stdout);
  const not_checked = open.filter(({ check }: { check: string }) => check !== 'keys');
  expect([copied.code, JSON.parse(copied.stdout)]).toMatchObject([0, { ...summary, not_checked }]);
  expect(JSON.parse(copied.stdout).checkpoints).toBeGreaterThanOrEqual(checkpoints);

  const log = ['verify', keys, '--keys', service.url, '--log', service.url];
  expect((await run(log)).code).toBe(0);
  if (hasPython)
    expect(runPython(...log.slice(1))).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(/^valid: .*\n(?: {2}log: .*\n)+$/),
    });

  // Unlinked and linked again: the time between is named, and can be allowed.
  expect((await link(api, false)).status).toBe(200);
  expect((await link(api)).status).toBe(200);
  await cosigned(entries + 2);
  expect((await verified(list)).code).toBe(1);
  const allowed = await verified(list, '--allow-unlinked');
  expect([allowed.code, allowed.stdout.split('\n').length]).toEqual([0, 3]);

  const all = readFileSync(list, 'utf8').trimEnd().split('\n');
  const dropped = all.splice(20, 1).join();
  const cut = await verified(file('cut.ndjson', `${all.join('\n')}\n`), '--allow-unlinked');
  alike(cut, place('cut.ndjson'), '--allow-unlinked');
  const [named = ''] = cut.stdout.split('\n');
  expect([cut.code, JSON.parse(named)]).toMatchObject([
    1,
    { problem: 'missing', receipt_id: JSON.parse(dropped).receipt_id, line: null },
  ]);
  expect(cut.stderr).toContain('not complete: 1 missing, 1 unlinked.');
  for (const running of [service, watching]) expect((await running.stop()).code).toBe(0);

  // Nothing is said about a log that does not answer, and wrong usage has its own code.
  const gone = await verified(
    list,
    '--keys',
    file('keys.json', '{"keys":[],"log":{"origin":"a.example/keys"}}'),
  );
  expect([gone.code, gone.stdout]).toEqual([1, '']);
  expect((await verified(list, '--proof', service.url)).code).toBe(2);
  expect((await run(['verify', list, '--complete'])).code).toBe(2);
  if (!hasPython) return;
  expect(runPython(...asked(list, '--keys', place('keys.json'))).code).toBe(1);
  expect(runPython(...asked(list, '--proof', service.url)).code).toBe(2);
  expect(runPython(list, '--complete').code).toBe(2);
}, 180_000);

test('receipts that a restored backup lost are known by a copy of the closed log', async () => {
  const data = place('data');
  const { apiKey, watching, vkey, policy } = await witnessOf(data, 'witness');
  const service = await served(data, policy);
  const api = client(fetch, service.url, apiKey);
  await whenCosigned(service.url, vkey, 0);
  expect((await link(api)).status).toBe(200);
  const { body: first } = await api.issue({});
  const backup = await run(['backup', '--data', data, place('backup')]);
  expect(backup.code).toBe(0);
  const { body: second } = await api.issue({});
  await whenCosigned(service.url, vkey, 3);
  const formerKeys = file(
    'former.json',
    await (await fetch(`${service.url}/api/v1/transparency/keys`)).text(),
  );
  expect((await run(['monitor', service.url, '--state', place('copy'), '--once'])).code).toBe(0);
  for (const running of [service, watching]) expect((await running.stop()).code).toBe(0);
  expect((await run(['restore', place('backup'), '--data', data, '--force'])).code).toBe(0);
  expect((await run(['log', 'restart', '--data', data])).code).toBe(0);

  const later = await witnessOf(data, 'later');
  const restarted = await served(data, later.policy);
  await whenCosigned(restarted.url, later.vkey, 2);
  const { body: third } = await client(fetch, restarted.url, apiKey).issue({});
  await whenCosigned(restarted.url, later.vkey, 3);
  // A list from before the restart leads to the new one.
  const newKeys = file('new.json', await (await fetch(`${restarted.url}/api/v1/transparency/keys`)).text());
  const list = [newKeys, '--keys', formerKeys, '--log', restarted.url];
  expect((await run(['verify', ...list])).code).toBe(0);
  if (hasPython) expect(runPython(...list).code).toBe(0);
  // Both witnesses are trusted: one cosigned the closed log, the other one that which continues it.
  const either = readFileSync(policy, 'utf8')
    .replace(/quorum.*\n/, '')
    .replace('witness w', 'witness a');
  const both = file(
    'both.txt',
    `${either}${readFileSync(later.policy, 'utf8').replace('quorum w', 'group any 1 a w\nquorum any')}`,
  );
  const asked = (receipts: readonly unknown[], ...options: string[]): string[] => [
    file('list.ndjson', receipts.map((receipt) => `${JSON.stringify(receipt)}\n`).join('')),
    ...['--complete', '--operator', String(first.operator_id), '--log', restarted.url, '--policy', both],
    ...options,
  ];
  const named = async (...options: Parameters<typeof asked>): Promise<unknown[]> => {
    const { code, stdout, stderr } = await run(['verify', ...asked(...options)]);
    const kinds = stdout
      .split('\n')
      .flatMap((line) => (line === '' ? [] : [Object(JSON.parse(line)).problem]));
    if (hasPython) expect(runPython(...asked(...options)).code).toBe(code);
    return [code, ...kinds.slice(0, -1), stderr.includes('no others')];
  };
  expect(await named([first, third])).toEqual([1, 'unbounded', 'predecessor', false]);
  const copy = ['--predecessor', place('copy')] as const;
  expect(await named([first, third], ...copy)).toEqual([1, 'missing', false]);
  expect(await named([first, second, third], ...copy)).toEqual([0, true]);
  for (const running of [restarted, later.watching]) expect((await running.stop()).code).toBe(0);
}, 180_000);
