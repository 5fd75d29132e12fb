import { afterAll, beforeAll, expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DAY_MS } from '../../../../src/platform/time/units.ts';
import type { JsonObject } from '../../../../src/proof/encoding/json.ts';
import { recordHeads } from '../../../../src/trust/receipts/heads/record-heads.ts';
import { wholeJournal } from '../../../support/credit-journal.ts';
import { type CreditedAgent, creditedAgent, grantFrom } from '../../../support/credits.ts';
import { scratch } from '../../../support/process.ts';
import { commandOfPython, hasPython } from '../../../support/python.ts';
import { openTrustApp, type TrustApp } from '../../../support/trust-app.ts';
import { VirtualTime } from '../../../support/virtual-time.ts';

const MAIN = join(import.meta.dir, '../../../../src/main.ts');

const directory = scratch();
let app: TrustApp;
let agent: CreditedAgent;
let proof: Record<string, unknown>;
let path: string;
const others: string[] = [];

/** Returns a journal of the agent with no entries. */
async function emptied(): Promise<JsonObject> {
  const [header = {}] = await whole(path);
  return { ...header, length: 0, head: null, figures: {} };
}

beforeAll(async () => {
  const time = new VirtualTime(Date.now() - 2 * DAY_MS);
  app = await openTrustApp({}, time);
  agent = await creditedAgent(app, { credits: { promotional: 50 } });
  for (let count = 0; count < 3; count++)
    others.push((await creditedAgent(app, { credits: { promotional: 5 } })).commitment);
  await time.advance(DAY_MS);
  await recordHeads(app.service.trust);
  await app.service.trust.log.publisher.publish();
  path = `/api/v1/passport/agents/${agent.commitment}/credit-journal`;
  proof = (await app.own.get(`${path}/head-proof`)).body;
  await grantFrom(app, app.service.firstStart.operatorId, agent.agent, { promotional: 1 });
  const keys = await app.anyone.get('/api/v1/transparency/keys');
  writeFileSync(join(directory.path, 'keys.json'), JSON.stringify(keys.body));
});
afterAll(async () => {
  await app.close();
  directory.dispose();
});

/** Runs both verifiers on a proof. @returns their verdicts and exit codes */
async function verdicts(document: object, lines: readonly object[] | null): Promise<unknown[]> {
  const fileOf = (name: string) => join(directory.path, name);
  writeFileSync(fileOf('proof.json'), JSON.stringify(document));
  if (lines !== null)
    writeFileSync(fileOf('journal.ndjson'), lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  const ofJournal = lines === null ? [] : ['--journal', fileOf('journal.ndjson')];
  const args = [fileOf('proof.json'), '--keys', fileOf('keys.json'), ...ofJournal];
  const commands = [
    [process.execPath, MAIN, 'verify', ...args],
    ...(hasPython ? [commandOfPython(...args)] : []),
  ];
  return Promise.all(
    commands.map(async (command) => {
      const child = Bun.spawn(command, { stdout: 'pipe', stderr: 'ignore' });
      const { verdict, checks } = Object(JSON.parse(await new Response(child.stdout).text()));
      return [verdict, Object(checks).journal, await child.exited];
    }),
  );
}

const both = (one: unknown): unknown[] => (hasPython ? [one, one] : [one]);

/** Returns the lines of a whole journal. */
async function whole(path: string): Promise<JsonObject[]> {
  const lines = new TextDecoder()
    .decode(await wholeJournal(app, path))
    .trimEnd()
    .split('\n');
  return lines.map((line) => Object(JSON.parse(line)));
}

test('both verifiers accept a head, alone and with the journal, which went on', async () => {
  expect(await verdicts(proof, null)).toEqual(both(['valid', undefined, 0]));
  expect(await verdicts(proof, await whole(path))).toEqual(both(['valid', 'ok', 0]));
});

test('both verifiers accept the head of a pool with its journal, and no journal of another', async () => {
  const ofPool = (await app.own.get('/api/v1/operator/journal/head-proof')).body;
  const pool = await whole('/api/v1/operator/journal');
  expect(await verdicts(ofPool, pool)).toEqual(both(['valid', 'ok', 0]));
  const some = await whole('/api/v1/operator/journal?kind=OPERATOR_GRANT');
  for (const lines of [some, await whole(path), pool.slice(0, 1)])
    expect(await verdicts(ofPool, lines)).toEqual(both(['journal_cut', 'bad', 1]));
});

test('both verifiers name a journal without the head, with a changed entry, or that is only a page', async () => {
  const [header = {}, newest = {}, ...rest] = await whole(path);
  const another = `${path.replace(agent.commitment, others[0] ?? '')}`;
  const ofOther = (await app.own.get(`${another}/head-proof`)).body;
  const forged = { ...proof, leaf: { ...Object(proof.leaf), head: Object(ofOther.leaf).head } };
  expect(await verdicts(forged, [header, newest, ...rest])).toEqual(both(['mismatch', 'missing', 1]));
  for (const lines of [
    [header, newest, ...rest.slice(0, -1)],
    [header, { ...newest, amount: 7 }, ...rest],
    [newest, ...rest],
    [(await app.own.get(path)).body],
    [{ text: 'no entry' }],
    [],
  ])
    expect(await verdicts(proof, lines)).toEqual(both(['journal_cut', 'bad', 1]));
});

test('both verifiers name a journal that began anew without the head', async () => {
  expect(await verdicts(proof, [await emptied()])).toEqual(both(['journal_cut', 'missing', 1]));
});

test('both verifiers refuse another head, another day, and a proof of another log', async () => {
  const { leaf } = Object(proof);
  expect(await verdicts({ ...proof, leaf: { ...leaf, entries: 9 } }, null)).toEqual(
    both(['mismatch', undefined, 1]),
  );
  expect(await verdicts({ ...proof, date: '2020-01-01' }, null)).toEqual(both(['mismatch', undefined, 1]));
  expect(await verdicts({ ...proof, proof: null }, null)).toEqual(both(['not_proven', undefined, 1]));
  expect(await verdicts({ ...proof, more: 1 }, null)).toEqual(both(['malformed', undefined, 1]));
});
