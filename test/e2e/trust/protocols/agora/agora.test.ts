import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { EXECUTABLE, type Running, run, scratch, serve } from '../../../../support/process.ts';

const page = readFileSync(join(import.meta.dir, '../../../../../docs/agora.md'), 'utf8');
const blocks = [...page.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, script = '']) => script);
const needed = ['bash', 'curl', 'jq', 'openssl', 'xxd'].filter((name) => Bun.which(name) === null);

const directory = scratch();
const data = join(directory.path, 'data/trust');
const saved = join(directory.path, 'tryout/proposal.json');
let server: Running;
/** What the commands of the page printed, by block. */
let said: string[];

/** Runs all commands of the page, one after the other. */
beforeAll(async () => {
  mkdirSync(join(directory.path, 'data'));
  mkdirSync(join(directory.path, 'dist'));
  symlinkSync(EXECUTABLE, join(directory.path, 'dist/countersign'));
  server = await serve(data);
  if (needed.length > 0) return;
  const env = { ...process.env, API: `${server.url}/api/v1`, KEY: server.apiKey };
  const script = blocks.map((block) => `${block}\necho; echo -----\n`).join('');
  const child = Bun.spawnSync(['bash', '-euo', 'pipefail', '-c', script], { cwd: directory.path, env });
  expect([child.stderr.toString(), child.exitCode]).toEqual([expect.any(String), 0]);
  said = child.stdout.toString().split('-----\n');
});
afterAll(async () => {
  await server.stop();
  directory.dispose();
});

describe.skipIf(needed.length > 0)('docs/agora.md, run word for word:', () => {
  test('two agents agree, and the commands verify it', () => {
    const [, proposed = '', countered = '', accepted = '', checked = ''] = said;
    expect([proposed, countered, accepted].map((text) => text.trim())).toEqual([
      'proposed',
      'countered',
      'accepted',
    ]);
    const [verdict, audit = ''] = checked.split('\n');
    expect([verdict, JSON.parse(audit)]).toMatchObject([
      'valid',
      { ok: true, only: ['agora'], examined: { agora_entries: 3 } },
    ]);
  });

  test('the hash of an entry and the signature of its agent verify with jq and openssl', () => {
    const [, , , , , hashes = '', signature = ''] = said;
    const [computed, hash, link] = hashes.split('\n');
    expect([computed, hash]).toEqual([link, link]);
    const [verified, commitment, published] = signature.split('\n');
    expect(verified).toBe('Signature Verified Successfully');
    expect(commitment).toBe(String(published));
  });
});

describe.skipIf(needed.length > 0)('countersign agora check', () => {
  const proposal = () => JSON.parse(readFileSync(saved, 'utf8'));
  const check = (document: unknown, ...options: string[]) =>
    run(['agora', 'check', '-', ...options], {
      stdin: typeof document === 'string' ? document : JSON.stringify(document),
    });

  test('says the same of the ledger and of a proposal as text', async () => {
    expect((await check(proposal())).stdout).toMatch(
      /^valid: agora_[0-9a-f]{32} is accepted after 3 signed steps\n$/,
    );
    expect(await run(['agora', 'check', '--data', data])).toEqual({
      code: 0,
      stdout: 'no problems: 3 entries of AGORA.\n',
      stderr: '',
    });
  });

  test('prints the result of a good proposal as JSON', async () => {
    const { code, stdout } = await check(proposal(), '--json');
    const { proposal_id } = proposal();
    expect([code, JSON.parse(stdout)]).toEqual([
      0,
      { valid: true, proposal_id, status: 'accepted', steps: 3, problems: [] },
    ]);
  });

  test('reports a proposal whose terms were changed: the first problem, with --all every one', async () => {
    const changed = proposal();
    changed.timeline[1].terms.credits = 1;
    changed.terms.credits = 1;
    const { code, stdout } = await check(changed);
    expect([code, stdout]).toEqual([
      1,
      'problem: Step 2 (counter): Its entry_hash is not the digest of the entry.\n',
    ]);
    const all = await check(changed, '--all');
    expect([all.code, all.stdout]).toEqual([
      1,
      expect.stringContaining('Its signature is not by its agent.'),
    ]);
  });

  test('reports terms that have no canonical form', async () => {
    const text = JSON.stringify(proposal()).replaceAll('"credits":120', '"credits":1e999');
    const { code, stdout } = await check(text);
    expect([code, stdout]).toEqual([1, expect.stringContaining('The terms have no canonical form')]);
  });

  test.each(['', '{', '[]', '{"status":"accepted"}'])('refuses %p, which is not a proposal', async (text) => {
    const { code, stdout, stderr } = await check(text);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain('is not a proposal');
  });

  test('refuses a file that is not there, and a directory without a service', async () => {
    expect((await run(['agora', 'check', join(directory.path, 'nothing.json')])).code).toBe(1);
    writeFileSync(join(directory.path, 'empty'), '');
    expect((await run(['agora', 'check', '--data', join(directory.path, 'none')])).code).toBe(1);
  });
});
