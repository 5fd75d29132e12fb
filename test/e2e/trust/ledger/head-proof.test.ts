import { afterAll, beforeAll, expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DEMO_WORKER } from '../../../../src/trust/http/example-ids.ts';
import { type Running, run, scratch, serve } from '../../../support/process.ts';

const directory = scratch();
let server: Running;
beforeAll(async () => {
  server = await serve(join(directory.path, 'demo'), { COUNTERSIGN_RATE_LIMITS: 'off' }, ['--demo']);
  await saved('keys.json', '/api/v1/transparency/keys');
}, 60_000);
afterAll(async () => {
  await server.stop();
  directory.dispose();
});

const file = (name: string): string => join(directory.path, name);

/** Saves a response as `curl … > file` does. @returns its text */
async function saved(name: string, path: string, accept = 'application/json'): Promise<string> {
  const headers = { authorization: `Bearer ${server.apiKey}`, accept };
  const response = await fetch(`${server.url}${path}`, { headers });
  const text = await response.text();
  expect([path, response.status]).toEqual([path, 200]);
  writeFileSync(file(name), text);
  return text;
}

async function verdictOn(journal: string): Promise<unknown[]> {
  writeFileSync(file('now.ndjson'), journal);
  const options = ['--keys', file('keys.json'), '--journal', file('now.ndjson')];
  const { code, stdout } = await run(['verify', file('head-proof.json'), ...options]);
  const { verdict, checks } = Object(JSON.parse(stdout));
  return [verdict, Object(checks).journal, code];
}

test.each([
  ['an agent', `/api/v1/passport/agents/${DEMO_WORKER}/credit-journal`],
  ["the operator's pool", '/api/v1/operator/journal'],
])('the executable proves the head of the journal of %s, and names one that was cut', async (_, path) => {
  await saved('head-proof.json', `${path}/head-proof`);
  const journal = await saved('journal.ndjson', path, 'application/x-ndjson');
  expect(await verdictOn(journal)).toEqual(['valid', 'ok', 0]);
  const { leaf } = Object(await Bun.file(file('head-proof.json')).json());
  const [whole = '', ...entries] = journal.trimEnd().split('\n');
  const head = entries.findIndex((line) => Object(JSON.parse(line)).entry_hash === leaf.head);
  expect(head).not.toBe(-1);
  const cut = [whole, ...entries.slice(head + 1)].join('\n');
  expect(await verdictOn(cut)).toEqual(['journal_cut', 'bad', 1]);
});
