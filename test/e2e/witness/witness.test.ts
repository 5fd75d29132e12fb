import { afterEach, beforeEach, expect, test } from 'bun:test';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { nativePrimitives, sha256Hex } from '../../../src/platform/crypto/crypto.ts';
import { LOG_NAMES } from '../../../src/proof/log/log-names.ts';
import {
  formatVerifierKey,
  parseNote,
  parseSignatureLines,
  parseVerifierKey,
  type VerifierKey,
} from '../../../src/proof/log/note.ts';
import { checkNote } from '../../../src/proof/log/note-signature.ts';
import { client } from '../../support/client.ts';
import { ed25519Key, hasGo, runGo } from '../../support/go.ts';
import { finalized, latest } from '../../support/log.ts';
import { type Running, run, scratch, serve, witness } from '../../support/process.ts';
import { eventually } from '../../support/virtual-time.ts';
import { SmallLog } from '../../support/witness.ts';
import { newNoteSigner } from '../../unit/proof/log/signed-notes.ts';

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

/** The lines of a policy by which a service's logs are known, as docs/operations.md makes them. */
async function logLines(url: string): Promise<string> {
  const texts = await Promise.all(
    LOG_NAMES.map(async (log) => (await fetch(`${url}/log/${log}/vkeys`)).text()),
  );
  return texts.join('');
}

const keysOf = ({ ready }: Running): VerifierKey[] =>
  [ready.vkeys].flat().map((vkey) => parseVerifierKey(nativePrimitives, String(vkey)));

/** A policy that asks for both keys of a witness. */
function policyOf({ ready, url }: Running): string {
  const [first = '', second = ''] = [ready.vkeys].flat().map(String);
  return `witness ed ${first} ${url}\nwitness pq ${second} ${url}\ngroup both all ed pq\nquorum both\n`;
}

function freePort(): number {
  const server = Bun.serve({ port: 0, fetch: () => new Response() });
  const { port } = server;
  server.stop(true);
  return port ?? 0;
}

/** Whether a service's newest checkpoint of a log bears good lines by all of these keys. */
async function isCosigned(url: string, keys: readonly VerifierKey[], log = 'receipts'): Promise<boolean> {
  const { body } = await latest(client(fetch, url, null), log);
  const checks = checkNote(nativePrimitives, parseNote(Buffer.from(String(body.note))), keys);
  expect(checks.every(({ verified }) => verified)).toBe(true);
  return checks.length === keys.length;
}

/** The names of everyone who takes part, each with the data directory of its service. */
async function firstStarts(names: readonly string[]): Promise<Map<string, string>> {
  const lines = new Map<string, string>();
  for (const name of names) {
    const service = await serve(place(name), {}, ['--log-origin', name]);
    lines.set(name, `${await logLines(service.url)}quorum none\n`);
    await service.stop();
  }
  return lines;
}

test('two installations witness each other, through the absence of one of them', async () => {
  const lines = await firstStarts(['a.example', 'b.example']);
  const witnessOf = (name: string, other: string, args: string[] = []) =>
    witness(place(`witness-${name}`), [
      '--name',
      `${name}/w1`,
      '--logs',
      file(`logs-${name}.policy`, lines.get(other) ?? ''),
      ...args,
    ]);
  const witnessA = await witnessOf('a.example', 'b.example');
  const witnessB = await witnessOf('b.example', 'a.example');
  expect(witnessB.ready).toMatchObject({ service: 'witness', name: 'b.example/w1' });
  for (const name of readdirSync(place('witness-b.example/keys'))) {
    expect(statSync(join(place('witness-b.example/keys'), name)).mode & 0o777).toBe(0o600);
  }
  const metricsPort = freePort();
  const a = await serve(place('a.example'), {}, [
    '--log-witness-policy',
    file('a.policy', policyOf(witnessB)),
    '--metrics-port',
    String(metricsPort),
  ]);
  const b = await serve(place('b.example'), {}, [
    '--log-witness-policy',
    file('b.policy', policyOf(witnessA)),
  ]);
  const api = client(fetch, a.url, a.apiKey === 'null' ? await newKey('a.example') : a.apiKey);
  const keysB = keysOf(witnessB);
  await finalized(api);
  for (const log of LOG_NAMES) {
    await eventually(() => isCosigned(a.url, keysB, log));
    await eventually(() => isCosigned(b.url, keysOf(witnessA), log));
  }
  const metric = async (name: string): Promise<number | null> => {
    const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
    const line = text.split('\n').find((candidate) => candidate.startsWith(name));
    return line === undefined ? null : Number(line.split(' ').at(-1));
  };
  await eventually(async () => (await metric('countersign_log_quorum_met{log="receipts"}')) === 1);

  // One witness is away: the log goes on, and the metrics tell.
  const port = new URL(witnessB.url).port;
  expect((await witnessB.stop()).code).toBe(0);
  const before = (await latest(api)).checkpoint.size;
  await finalized(api);
  await eventually(async () => (await latest(api)).checkpoint.size === before + 1);
  await eventually(
    async () =>
      ((await metric('countersign_witness_failures_total{witness="ed",reason="unreachable"}')) ?? 0) > 0,
  );
  // The checkpoint waits for its quorum, and has not done so for long.
  expect(await metric('countersign_log_quorum_met{log="receipts"}')).toBe(1);
  expect(await metric('countersign_log_cosigned_age_seconds{log="receipts"}')).toBeGreaterThan(0);
  expect(await isCosigned(a.url, keysB)).toBe(false);

  const again = await witnessOf('b.example', 'a.example', ['--port', port]);
  expect(again.ready.vkeys).toEqual(witnessB.ready.vkeys);
  await eventually(() => isCosigned(a.url, keysB));
  const monitored = await fetch(`${again.url}/${sha256Hex('a.example/receipts')}/checkpoint`);
  expect((await monitored.text()).split('\n')[1]).toBe(String(before + 1));
  for (const running of [a, b, witnessA, again]) expect((await running.stop()).code).toBe(0);
}, 180_000);

test.skipIf(!hasGo)(
  "Go's sumdb verifies the signature of each log, and the cosignature of a witness",
  async () => {
    const lines = await firstStarts(['a.example']);
    const logs = file('logs.policy', lines.get('a.example') ?? '');
    const other = await witness(place('witness'), ['--name', 'w.example/1', '--logs', logs]);
    const service = await serve(place('a.example'), {}, [
      '--log-witness-policy',
      file('a.policy', policyOf(other)),
    ]);
    const [vkey = ''] = [other.ready.vkeys].flat().map(String);
    mkdirSync(place('go'));
    writeFileSync(place('go/witness-vkey'), vkey);
    for (const log of LOG_NAMES) {
      await eventually(() => isCosigned(service.url, keysOf(other), log));
      mkdirSync(place(`go/${log}`));
      const text = async (path: string) => (await fetch(`${service.url}/log/${log}/${path}`)).text();
      writeFileSync(place(`go/${log}/checkpoint`), await text('checkpoint?cosigned=yes'));
      writeFileSync(place(`go/${log}/vkey`), ed25519Key(await text('vkeys')));
    }
    expect(runGo('cosignatures.go', place('go'), LOG_NAMES)).toEqual({
      exitCode: 0,
      stdout: LOG_NAMES.map((log) => `${log} a.example/${log}\n${log} w.example/1\n`).join(''),
      stderr: '',
    });
    // A cosignature of another log's checkpoint does not count.
    const [first = '', second = ''] = ['receipts', 'evidence'].map((log) =>
      readFileSync(place(`go/${log}/checkpoint`), 'utf8'),
    );
    const lineOf = (note: string) => note.split('\n').filter((line) => line.startsWith('— w.example/1'));
    const forged = lineOf(first).reduce(
      (note, line, at) => note.replace(line, lineOf(second)[at] ?? ''),
      first,
    );
    writeFileSync(place('go/receipts/checkpoint'), forged);
    const refused = runGo('cosignatures.go', place('go'), ['receipts']);
    expect([refused.exitCode, refused.stderr]).toEqual([
      1,
      expect.stringContaining('invalid signature for key w.example/1'),
    ]);
    for (const running of [service, other]) expect((await running.stop()).code).toBe(0);
  },
  180_000,
);

test('while a log grows all the time, a fresh receipt has a proof that two of three witnesses cosigned within seconds', async () => {
  const lines = await firstStarts(['a.example']);
  const logs = file('logs.policy', lines.get('a.example') ?? '');
  const open = (name: string) => witness(place(name), ['--name', `${name}.example`, '--logs', logs]);
  const [first, second] = [await open('first'), await open('second')];
  // The third one takes connections and never answers.
  const silent = Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data: () => undefined } });
  const { key } = newNoteSigner('silent.example', 'cosignature');
  const vkeyOf = ({ ready }: Running): string => String([ready.vkeys].flat()[0]);
  const policy = [
    `witness one ${vkeyOf(first)} ${first.url}`,
    `witness two ${vkeyOf(second)} ${second.url}`,
    `witness three ${formatVerifierKey(key)} http://127.0.0.1:${silent.port}`,
    'group two-of-three 2 one two three',
    'quorum two-of-three\n',
  ].join('\n');
  const a = await serve(place('a.example'), {}, [
    '--log-witness-policy',
    file('a.policy', policy),
    '--rate-limits',
    'off',
  ]);
  const api = client(fetch, a.url, await newKey('a.example'));

  let isGrowing = true;
  const growing = (async () => {
    // Dozens of leaves between two checkpoints; without a pause this would only keep the processor busy.
    for (; isGrowing; await Bun.sleep(20)) await finalized(api);
  })();
  const signers = [first, second].flatMap((running) => keysOf(running).slice(0, 1));
  try {
    for (let turn = 0; turn < 3; turn++) {
      const { receipt_id } = await finalized(api);
      const since = performance.now();
      const proof = async () => fetch(`${a.url}/api/v1/receipts/${receipt_id}/proof`);
      await eventually(async () => (await proof()).headers.get('cosigned') === 'true');
      expect(performance.now() - since).toBeLessThan(8000);
      const text = await (await proof()).text();
      const note = text.slice(text.indexOf('a.example/receipts\n'));
      const checks = checkNote(nativePrimitives, parseNote(Buffer.from(note)), signers);
      expect(checks.map(({ verified }) => verified)).toEqual([true, true]);
    }
    // Both logs have checkpoints that nobody has cosigned yet.
    const receipt = await finalized(api);
    const proof = `${a.url}/api/v1/receipts/${receipt.receipt_id}/proof`;
    await eventually(async () => (await fetch(proof)).headers.get('cosigned') === 'true');
    const revoked = await finalized(api);
    expect((await api.post(`/api/v1/receipts/${revoked.receipt_id}/revoke`, {})).status).toBe(200);
    const keys = await (await fetch(`${a.url}/api/v1/transparency/keys`)).text();
    const verdict = await run([
      ...['verify', file('receipt.json', JSON.stringify(receipt)), '--keys', file('keys.json', keys)],
      ...['--proof', a.url, '--revocations', a.url, '--policy', file('verify.policy', policy)],
    ]);
    expect([verdict.code, JSON.parse(verdict.stdout).checks]).toMatchObject([
      0,
      { proof: 'ok', revocation: 'ok', quorum: 'ok' },
    ]);
  } finally {
    isGrowing = false;
    await growing;
  }
  silent.stop(true);
  for (const running of [a, first, second]) expect((await running.stop()).code).toBe(0);
}, 180_000);

/** A key for a service that has handed out its first one at a start before. */
async function newKey(name: string): Promise<string> {
  const { stdout } = await run(['operators', 'list', '--data', place(name)]);
  const [operator = ''] = /op_cus_\w{24}/.exec(stdout) ?? [];
  const made = await run(['operators', 'key', '--yes', operator, '--admin', '--data', place(name)]);
  return /pp_[0-9a-f]{64}/.exec(made.stdout)?.[0] ?? '';
}

test('a log that was taken back to an older copy is not cosigned, and the evidence is kept', async () => {
  const lines = await firstStarts(['a.example']);
  const logs = file('logs.policy', lines.get('a.example') ?? '');
  const watching = await witness(place('witness'), ['--name', 'w.example', '--logs', logs]);
  const policy = file('a.policy', policyOf(watching));
  cpSync(place('a.example'), place('older'), { recursive: true });
  const open = () => serve(place('a.example'), {}, ['--log-witness-policy', policy]);

  let a = await open();
  let api = client(fetch, a.url, await newKey('a.example'));
  for (let turn = 0; turn < 3; turn++) await finalized(api);
  await eventually(
    async () => (await latest(api)).checkpoint.size === 3 && isCosigned(a.url, keysOf(watching)),
  );
  const kept = async () =>
    (await fetch(`${watching.url}/${sha256Hex('a.example/receipts')}/checkpoint`)).text();
  const cosigned = await kept();
  await a.stop();
  rmSync(place('a.example'), { recursive: true });
  cpSync(place('older'), place('a.example'), { recursive: true });

  a = await open();
  await a.logged('"reason":"ahead"');
  api = client(fetch, a.url, await newKey('a.example'));
  for (let turn = 0; turn < 3; turn++) await finalized(api);
  await a.logged('"reason":"fork"');
  for (let turn = 0; turn < 3; turn++) await finalized(api);
  await eventually(async () => (await latest(api)).checkpoint.size === 6);
  expect(await isCosigned(a.url, keysOf(watching))).toBe(false);
  expect(await kept()).toBe(cosigned);
  const evidence = readdirSync(place('witness/forks'));
  expect(evidence.some((name) => name.startsWith('fork-'))).toBe(true);
  const [fork = ''] = evidence.filter((name) => name.startsWith('fork-'));
  expect(readFileSync(join(place('witness/forks'), fork), 'utf8')).toContain(cosigned);
  await a.stop();
  const { stderr } = await watching.stop();
  expect(stderr).toContain('the log has forked');
}, 180_000);

test('a witness never loses the record of what it signed, even if it is killed', async () => {
  const log = new SmallLog('small.example');
  const logs = file('logs.policy', `${log.policyLines}quorum none\n`);
  const open = (args: string[] = []) =>
    witness(place('witness'), ['--logs', logs, '--rate-limits', 'off', ...args]);
  let signed = 0;
  for (let round = 0; round < 5; round++) {
    const running = await open(['--name', 'w.example']);
    const ask = (from: number, to: number, of = log) =>
      fetch(`${running.url}/add-checkpoint`, { method: 'POST', body: of.submission(from, to) });
    const state = await fetch(`${running.url}/${sha256Hex(log.origin)}/checkpoint`);
    const size = state.status === 200 ? Number((await state.text()).split('\n')[1]) : 0;
    expect(size).toBeGreaterThanOrEqual(signed);
    // Nothing else of a size that may have been signed.
    if (size > 0) expect((await ask(size, size, log.fork('other'))).status).toBe(409);
    const killed = Bun.sleep(20 + 15 * round).then(() => running.signal('SIGKILL'));
    try {
      for (let next = size; ; next++) {
        const response = await ask(next, next + 1);
        expect(response.status).toBe(200);
        const signatures = parseSignatureLines(await response.text());
        const { text } = parseNote(Buffer.from(log.note(next + 1)));
        const checks = checkNote(nativePrimitives, { text, signatures }, keysOf(running));
        expect(checks.map(({ verified }) => verified)).toEqual([true, true]);
        signed = next + 1;
      }
    } catch (error) {
      // The connection broke: it was killed.
      expect(String(error)).not.toContain('expect(');
    }
    await killed;
    await running.ended();
  }
  expect(signed).toBeGreaterThan(5);
}, 180_000);

test('a witness refuses to start with wrong options and a wrong directory', async () => {
  const log = new SmallLog('small.example');
  const logs = file('logs.policy', `${log.policyLines}quorum none\n`);
  const data = ['--data', place('witness'), '--port', '0'];
  const refused = async (args: string[], code: number, said: string): Promise<void> => {
    const finished = await run(['witness', ...args]);
    expect([finished.code, finished.stderr]).toEqual([code, expect.stringContaining(said)]);
  };
  await refused(data, 2, 'the setting logs is missing');
  await refused([...data, '--logs', place('nothing')], 2, 'nothing cannot be read');
  await refused([...data, '--logs', file('nothing-yet', '')], 2, 'nothing-yet is empty');
  await refused([...data, '--logs', file('bad', 'log x\nquorum none\n')], 2, 'bad, line 1: ');
  await refused([...data, '--logs', file('empty', 'quorum none\n')], 2, 'names no log');
  await refused([...data, '--logs', logs], 2, 'the setting name is missing');
  await refused([...data, '--logs', logs, '--name', 'two words'], 2, 'must be 1 to 200 printable');
  await refused(['--data', ':memory:', '--logs', logs, '--name', 'w'], 2, 'must store what it has signed');

  const running = await witness(place('witness'), ['--logs', logs, '--name', 'w.example']);
  await refused([...data, '--logs', logs], 1, 'is in use by another countersign');
  const { stdout } = await running.stop();
  for (const key of [running.ready.vkeys].flat()) expect(stdout).toContain(`${key} ${running.url}`);
  await refused([...data, '--logs', logs, '--name', 'other'], 2, 'is called w.example');
  const services = await run(['serve', '--data', place('witness'), '--port', '0']);
  expect([services.code, services.stderr]).toEqual([
    1,
    expect.stringContaining('belongs to another service'),
  ]);

  const keys = place('witness/keys');
  const [key = ''] = readdirSync(keys);
  cpSync(join(keys, key), place('key'));
  rmSync(join(keys, key));
  await refused([...data, '--logs', logs], 1, 'is missing');
  cpSync(place('key'), join(keys, key));
  for (const name of ['witness.db', 'witness.db-wal', 'witness.db-shm'])
    rmSync(place(`witness/${name}`), { force: true });
  await refused([...data, '--logs', logs, '--name', 'w.example'], 1, 'witness.db is missing');
}, 180_000);
