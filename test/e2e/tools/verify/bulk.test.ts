import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { client, concurrently, DIGEST } from '../../../support/client.ts';
import { type Running, run, scratch, serve } from '../../../support/process.ts';

const directory = scratch();
const file = (name: string): string => join(directory.path, name);
const RECEIPTS = 600;
let server: Running;
let keys: string;
/** The export of all, by lines. */
let lines: string[];
let salt: string;

beforeAll(async () => {
  server = await serve(file('data'));
  const api = client(fetch, server.url, server.apiKey);
  keys = file('keys.json');
  writeFileSync(keys, JSON.stringify((await api.get('/api/v1/transparency/keys')).body));
  const issued = await concurrently([...Array(RECEIPTS).keys()], 16, (index) =>
    api.issue({ agent_id: `agent-${index % 7}`, blind: index % 5 === 0 }),
  );
  salt = String(issued[0]?.body.blind_salt);
  for (const { body } of issued.slice(0, 20)) {
    await api.finalize(body.receipt_id, { status: 'success', output_hash: DIGEST });
  }
  const exported = await run(['receipts', 'export', '--data', file('data')]);
  expect([exported.code, exported.stderr]).toEqual([0, `${RECEIPTS} receipts exported\n`]);
  lines = exported.stdout.trimEnd().split('\n');
});
afterAll(async () => {
  await server.stop();
  directory.dispose();
});

const verify = (text: string, ...args: string[]) =>
  run(['verify', '-', '--keys', keys, ...args], { stdin: text });
const joined = (changed: readonly string[]): string => `${changed.join('\n')}\n`;

/** The checks that nobody asked for. */
const OPEN = [
  { check: 'proof', option: 'a bundle a line' },
  { check: 'quorum', option: '--policy' },
  { check: 'revocation', option: '--revocations' },
];

describe('receipts export', () => {
  test('beside a running server: every receipt once, oldest first, no salt', () => {
    expect(lines).toHaveLength(RECEIPTS);
    const receipts = lines.map((line) => JSON.parse(line));
    expect(new Set(receipts.map(({ receipt_id }) => receipt_id)).size).toBe(RECEIPTS);
    const times = receipts.map(({ issued_at }) => issued_at);
    expect(times).toEqual(times.toSorted());
    expect(receipts.filter(({ status }) => status === 'success')).toHaveLength(20);
    expect(salt).toMatch(/^[0-9a-f]{64}$/);
    expect(lines.join()).not.toContain(salt);
    expect(lines.join()).not.toContain('blind_salt');
  });

  test('of a range of time: from inclusive, to exclusive', async () => {
    const times = lines.map((line) => JSON.parse(line).issued_at);
    const [from, to] = [times[200], times[400]];
    const part = await run(['receipts', 'export', '--data', file('data'), '--from', from, '--to', to]);
    const expected = lines.filter((_, index) => times[index] >= from && times[index] < to);
    expect(part.stdout).toBe(joined(expected));
    const none = await run(['receipts', 'export', '--data', file('data'), '--from', '2999-01-01T00:00:00Z']);
    expect([none.code, none.stdout, none.stderr]).toEqual([0, '', '0 receipts exported\n']);
  });

  test('into a new file, for its owner alone, replacing none', async () => {
    const out = file('out.ndjson');
    const args = ['receipts', 'export', '--data', file('data'), '--out', out];
    expect((await run(args)).code).toBe(0);
    expect([readFileSync(out, 'utf8'), statSync(out).mode & 0o777]).toEqual([joined(lines), 0o600]);
    const again = await run(args);
    expect([again.code, again.stderr]).toEqual([
      1,
      `countersign: error: ${out} already exists\ncountersign: hint: specify another file, or move the existing one away\n`,
    ]);
    expect(readdirSync(directory.path).filter((name) => name.endsWith('.new'))).toEqual([]);
  });

  test('of what is no data directory, and with what is no time', async () => {
    for (const [args, code, message] of [
      [['--data', directory.path], 1, /there is no trust.db/],
      [['--data', file('data'), '--from', '1/2/2027'], 2, /RFC 3339/],
      [['--nope'], 2, /unknown option/],
    ] as const) {
      const { code: found, stderr } = await run(['receipts', 'export', ...args]);
      expect([found, stderr]).toEqual([code, expect.stringMatching(message)]);
    }
  });
});

/** What a summary, and the last line on stderr, say of the service that signed the receipts. */
function signedBy() {
  const { issuer, log } = JSON.parse(readFileSync(keys, 'utf8'));
  const { kid } = JSON.parse(lines[0] ?? '');
  return {
    signers: [{ issuer, is_only_claimed: false, kid, key_log: log.origin }],
    line: `  signer: ${issuer}, key ${kid}; log of keys: ${log.origin}\n`,
  };
}

describe('verify of many receipts:', () => {
  test('all that were exported are valid, by file and by standard input', async () => {
    const out = file('all.ndjson');
    writeFileSync(out, joined(lines));
    const { signers, line: signer } = signedBy();
    const summary = {
      signers,
      trees: [],
      checked: RECEIPTS,
      valid: RECEIPTS,
      verdicts: { valid: RECEIPTS },
      revocation: 'not_checked',
      not_checked: OPEN,
      sentence: `valid: all ${RECEIPTS} receipts. Not checked: whether the log has them (a bundle a line); whether others see the same log (--policy); whether any is revoked (--revocations).`,
    };
    for (const { code, stdout, stderr } of [
      await run(['verify', out, '--keys', keys]),
      await verify(joined(lines)),
      // Line ends of another system, blank lines, none at the end.
      await verify(`\r\n${lines.join('\r\n\r\n')}`),
    ]) {
      expect([code, JSON.parse(stdout), stderr]).toEqual([0, summary, `${summary.sentence}\n${signer}`]);
    }
  });

  test('every line that was changed is named, in order, and no other', async () => {
    const changed = lines.map((line, index) => {
      if (index % 100 === 3) return line.replace('payments:read', 'payments:write');
      return index % 100 === 50 ? line.slice(0, -2) : line;
    });
    const { code, stdout, stderr } = await verify(joined(changed));
    const answers = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    const wrong = [3, 50, 103, 150, 203, 250, 303, 350, 403, 450, 503, 550];
    expect(code).toBe(1);
    expect(answers.slice(0, -1).map(({ line, verdict }) => [line - 1, verdict])).toEqual(
      wrong.map((index) => [index, index % 100 === 3 ? 'hash_mismatch' : 'malformed']),
    );
    const { signers, line: signer } = signedBy();
    expect(answers.at(-1)).toEqual({
      signers,
      trees: [],
      checked: RECEIPTS,
      valid: RECEIPTS - 12,
      verdicts: { malformed: 6, hash_mismatch: 6, valid: RECEIPTS - 12 },
      revocation: 'not_checked',
      not_checked: OPEN,
      sentence: 'not valid: 12 of 600 receipts (6 malformed, 6 hash_mismatch).',
    });
    expect(stderr).toBe(`not valid: 12 of 600 receipts (6 malformed, 6 hash_mismatch).\n${signer}`);
  });

  test('time and domain are asked of each', async () => {
    const { line: signer } = signedBy();
    const late = await verify(joined(lines), '--at', '2040-01-01T00:00:00Z');
    expect([late.code, late.stderr]).toEqual([1, `not valid: 600 of 600 receipts (600 expired).\n${signer}`]);
    const domain = await verify(joined(lines), '--domain', 'CODE_GENERATION');
    expect([domain.code, domain.stderr]).toEqual([
      1,
      `not valid: 120 of 600 receipts (120 whose domain differs from --domain or cannot be checked).\n${signer}`,
    ]);
  });

  test('nothing at all is not valid, and one line of many need be no receipt', async () => {
    expect(await verify('\n\n', '--ndjson')).toMatchObject({
      code: 1,
      stderr: 'no receipts: the input is empty.\n',
    });
    const first = await verify(`nonsense\n${lines[0]}\n`, '--ndjson');
    expect([first.code, first.stderr]).toEqual([
      1,
      `not valid: 1 of 2 receipts (1 malformed).\n${signedBy().line}`,
    ]);
    const missing = await run(['verify', file('missing'), '--keys', keys]);
    expect([missing.code, missing.stderr]).toEqual([2, expect.stringContaining('missing cannot be read')]);
    writeFileSync(file('endless'), '');
    truncateSync(file('endless'), 17 * 2 ** 20);
    const foreign = await run(['verify', file('all.ndjson'), '--keys', file('endless')]);
    expect([foreign.code, foreign.stderr]).toEqual([1, expect.stringContaining('larger than 16 MiB')]);
  });
});
