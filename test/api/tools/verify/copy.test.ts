import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { LOG_NAMES } from '../../../../src/proof/log/log-names.ts';
import { tilePath, tilesOf } from '../../../../src/proof/log/tiles.ts';
import { verify } from '../../../../src/tools/verify/verify.ts';
import { enrolledAgent } from '../../../support/agent.ts';
import { anchored, evidencePath } from '../../../support/evidence.ts';
import { finalized, latest } from '../../../support/log.ts';
import { hasPython, runPython } from '../../../support/python.ts';
import { openTrustApp, type TrustApp } from '../../../support/trust-app.ts';

const directory = mkdtempSync(join(tmpdir(), 'countersign-verify-copy-'));
const file = (name: string): string => join(directory, name);
const save = (name: string, content: string | Uint8Array): string => {
  mkdirSync(dirname(file(name)), { recursive: true });
  writeFileSync(file(name), content);
  return file(name);
};
let app: TrustApp;
let other: TrustApp;

const bytesOf = async (from: TrustApp, path: string): Promise<Uint8Array> => {
  const response = await from.fetch(new Request(`http://localhost${path}`));
  expect([path, response.status]).toEqual([path, 200]);
  return new Uint8Array(await response.arrayBuffer());
};

/** Copies the logs of a service as a monitor does. */
async function copy(from: TrustApp, name: string): Promise<void> {
  await from.service.trust.log.publisher.publish();
  for (const log of LOG_NAMES) {
    const size = Number((await latest(from.anyone, log)).body.tree_size);
    for (const { level, index, width } of tilesOf(size, { entries: true })) {
      const path = `${log}/${tilePath(level, index, width)}`;
      save(`${name}/${path}`, await bytesOf(from, `/log/${path}`));
    }
    save(`${name}/${log}/checkpoint`, await bytesOf(from, `/log/${log}/checkpoint`));
  }
}

beforeAll(async () => {
  app = await openTrustApp({});
  other = await openTrustApp({});
  const early = await finalized(app.own);
  await copy(app, 'early');
  // More than a tile has.
  for (let index = 0; index < 270; index++) await finalized(app.own);
  const agent = await enrolledAgent(app);
  const hash = await anchored(app, agent);
  await copy(app, 'copy');
  for (let index = 0; index < 3; index++) await finalized(other.own);
  await copy(other, 'other');
  const late = await finalized(app.own);
  await app.service.trust.log.publisher.publish();
  for (const [name, receipt] of Object.entries({ early, late })) {
    save(`${name}.json`, JSON.stringify(receipt));
    save(`${name}.tlog-proof`, await bytesOf(app, `/api/v1/receipts/${receipt.receipt_id}/proof`));
    const { body } = await app.own.get(`/api/v1/receipts/${receipt.receipt_id}/bundle`);
    save(`${name}.bundle.json`, JSON.stringify(body));
  }
  save('keys.json', await bytesOf(app, '/api/v1/transparency/keys'));
  save('now.checkpoint', await bytesOf(app, '/log/receipts/checkpoint'));
  const path = evidencePath(agent.commitment);
  const [item] = Object((await app.own.get(path)).body).evidence;
  const named = { subject_commitment: agent.commitment, public_key: agent.publicKey };
  save('item.json', JSON.stringify({ ...item, ...named }));
  save('item.tlog-proof', await bytesOf(app, `${path}/${hash}/proof`));
}, 180_000);
afterAll(async () => {
  await app.close();
  await other.close();
  rmSync(directory, { recursive: true });
});

/** What the program and verify.py say: whether all is as asked, and the check. */
async function said(document: string, log: string, proof?: string): Promise<[boolean, string]> {
  let text = '';
  const sentences: string[] = [];
  const options = {
    keys: file('keys.json'),
    log: file(log),
    ...(proof !== undefined && { proof: file(proof) }),
  };
  const results = {
    write: async (more: string) => {
      text += more;
    },
    say: (sentence: string) => void sentences.push(sentence),
  };
  const isValid = await verify(file(document), options, results);
  const { copy: check } = JSON.parse(text).checks;
  expect(sentences.toSorted()).toEqual([...new Set(sentences)].toSorted());
  if (hasPython) {
    const given = Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]);
    const python = runPython(file(document), ...given);
    expect([python.code, JSON.parse(python.stdout).checks.copy]).toEqual([isValid ? 0 : 1, check]);
  }
  return [isValid, check];
}

describe('verify --log', () => {
  test('finds what a monitor copied, at its size and at smaller ones', async () => {
    await copy(app, 'all');
    for (const [document, proof] of [
      ['early.json', 'early.tlog-proof'],
      ['late.json', 'late.tlog-proof'],
      ['early.bundle.json', undefined],
      ['late.bundle.json', undefined],
      ['now.checkpoint', undefined],
      ['late.tlog-proof', undefined],
      ['item.json', 'item.tlog-proof'],
    ] as const)
      expect([document, ...(await said(document, 'all', proof))]).toEqual([document, true, 'ok']);
    expect(await said('copy/receipts/checkpoint', 'all')).toEqual([true, 'ok']);
    expect(await said('early/receipts/checkpoint', 'all')).toEqual([true, 'ok']);
    expect(await said('early/accounts/checkpoint', 'all')).toEqual([true, 'ok']);
  });

  test('finds a fork without any witness', async () => {
    // Another log of the same name, which somebody else was shown.
    expect(await said('early.json', 'other', 'early.tlog-proof')).toEqual([false, 'beyond']);
    expect(await said('early/receipts/checkpoint', 'other')).toEqual([false, 'forked']);
    // Its log of receipts is smaller, but its log of keys has other keys.
    expect(await said('early.bundle.json', 'other')).toEqual([false, 'forked']);
  });

  test('says that a copy is older', async () => {
    expect(await said('late.json', 'early', 'late.tlog-proof')).toEqual([false, 'beyond']);
    expect(await said('now.checkpoint', 'copy')).toEqual([false, 'beyond']);
    expect(await said('late.bundle.json', 'copy')).toEqual([false, 'beyond']);
  });

  test.each<[what: string, change: (name: string) => void, message: RegExp]>([
    [
      'of another log',
      (name) => edit(name, 'checkpoint', (text) => text.replace(/^localhost:3000/, 'x')),
      /is a copy of x\/receipts, but the checkpoint is of localhost:3000/,
    ],
    ['whose checkpoint is none', (name) => edit(name, 'checkpoint', () => 'none'), /is not a checkpoint/],
    ['without a tile', (name) => rmSync(file(`${name}/receipts/tile/0/000`)), /tile\/0\/000/],
    ['with another hash', (name) => flip(name, 'tile/0/000'), /do not have the root of its checkpoint/],
    [
      'with a cut tile',
      (name) => writeFileSync(file(`${name}/receipts/tile/0/000`), 'short'),
      /has 5 bytes instead of 8192/,
    ],
  ])('refuses a copy %s', async (what, change, message) => {
    const name = `wrong-${what.replaceAll(' ', '-')}`;
    await copy(app, name);
    change(name);
    await expect(said('early/receipts/checkpoint', name)).rejects.toThrow(message);
    if (!hasPython) return;
    const { code, stdout } = runPython(
      file('early/receipts/checkpoint'),
      '--keys',
      file('keys.json'),
      '--log',
      file(name),
    );
    expect([code, stdout]).toEqual([1, '']);
  });

  test('is refused where there is nothing to compare', async () => {
    await expect(said('early.json', 'copy')).rejects.toThrow('--log has nothing to compare');
  });
});

function edit(name: string, path: string, change: (text: string) => string): void {
  const at = file(`${name}/receipts/${path}`);
  writeFileSync(at, change(readFileSync(at, 'utf8')));
}

function flip(name: string, path: string): void {
  const at = file(`${name}/receipts/${path}`);
  const bytes = readFileSync(at);
  bytes[100] = (bytes[100] ?? 0) ^ 1;
  writeFileSync(at, bytes);
}
