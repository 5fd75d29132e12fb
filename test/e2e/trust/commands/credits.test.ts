import { Database } from 'bun:sqlite';
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Running, run, scratch, serve } from '../../../support/process.ts';

const NIL = '0'.repeat(64);

let directory: ReturnType<typeof scratch>;
let data: string;
let server: Running;
/** An agent of the first operator, and one without a sponsor. */
let clerk: string;
let lone: string;

beforeAll(async () => {
  directory = scratch();
  data = join(directory.path, 'data');
  server = await serve(data);
  const keyFile = join(directory.path, 'api-key');
  writeFileSync(keyFile, server.apiKey, { mode: 0o600 });
  clerk = await enrolled('clerk', ['--api-key-file', keyFile]);
  lone = await enrolled('lone', []);
});
afterAll(async () => {
  await server.stop();
  directory.dispose();
});

/** Makes a key and enrolls an agent with it. @returns its commitment */
async function enrolled(name: string, more: string[]): Promise<string> {
  const key = join(directory.path, `${name}.pem`);
  await run(['keygen', '--out', key]);
  const { stdout } = await run(['enroll', server.url, '--key', key, '--name', name, ...more]);
  return String(JSON.parse(stdout).subject_commitment);
}

const credits = (...args: string[]) => run(['credits', ...args, '--data', data]);

describe('countersign credits', () => {
  test('grants, transfers, shows and prints a verified journal, with a running server and without', async () => {
    const granted = await credits('grant', '--yes', lone, '100', '--memo', 'a start');
    expect([granted.stderr, JSON.parse(granted.stdout)]).toEqual([
      `${data}\n`,
      expect.objectContaining({ kind: 'OPERATOR_GRANT', amount: 100 }),
    ]);
    const sent = await credits('transfer', '--yes', lone, clerk, '30', '--kind', 'PEER_GIFT');
    expect(JSON.parse(sent.stdout)).toMatchObject({ kind: 'PEER_GIFT', balances: { available: 70 } });
    await server.stop();
    const shown = JSON.parse((await credits('show', lone)).stdout);
    expect(shown).toMatchObject({
      subject_commitment: lone,
      name: 'lone',
      sponsor: null,
      credits: { promotional: { granted: 100, spent: 30, available: 70 }, paid: { available: 0 } },
      tier: 'FULL',
      newest_override: null,
    });
    const table = await credits('journal', lone);
    expect([table.code, table.stderr]).toEqual([
      0,
      '2 entries verified: hashes, chain, balances, sums and private details\n',
    ]);
    expect(table.stdout).toMatch(
      /PEER_GIFT +-30 +promotional +70 +[0-9a-f]{64} +- +-\n.*OPERATOR_GRANT +100 /,
    );
    const json = (await credits('journal', lone, '--json')).stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(json).toEqual([
      expect.objectContaining({ direction: 'debit', counterparty: clerk }),
      expect.objectContaining({ direction: 'credit', memo: 'a start' }),
    ]);
    server = await serve(data);
  });

  test('the journal of the pool is printed and verified, with its key and on the data directory', async () => {
    const key = ['--url', server.url, '--api-key-file', join(directory.path, 'api-key')];
    for (const target of [key, ['--data', data]]) {
      const { code, stdout, stderr } = await run(['operator', 'journal', '--output', 'ndjson', ...target]);
      const entries = stdout.trim().split('\n');
      expect([code, stderr]).toEqual([
        0,
        `${entries.length} entries verified: hashes, chain, balances, sums and private details\n`,
      ]);
      expect(JSON.parse(String(entries[0]))).toMatchObject({ direction: 'debit', memo: 'a start' });
    }
  });

  const refused: readonly (readonly [name: string, args: () => string[], code: number, says: string])[] = [
    ['a grant of 0', () => ['grant', '--yes', lone, '0'], 2, 'from 1 to 9007199254740991'],
    ['a grant of -1', () => ['grant', '--yes', lone, '--', '-1'], 2, 'from 1 to 9007199254740991'],
    ['a grant of 1e3', () => ['grant', '--yes', lone, '1e3'], 2, 'from 1 to 9007199254740991'],
    ['a grant of 2^53', () => ['grant', '--yes', lone, '9007199254740992'], 2, 'from 1 to 9007199254740991'],
    ['a grant of more than the pool has', () => ['grant', '--yes', lone, '9007199254740991'], 1, 'credits'],
    ['a grant to an unknown agent', () => ['grant', '--yes', NIL, '1'], 3, 'has not completed enrollment'],
    [
      'a grant to a malformed commitment',
      () => ['grant', '--yes', 'abc', '1'],
      2,
      'error: <commitment> must be 64 lower-case hexadecimal',
    ],
    [
      'a grant by an unknown operator',
      () => ['grant', '--yes', lone, '1', '--operator', 'nobody'],
      4,
      'There is no operator nobody',
    ],
    [
      'a transfer of an agent with a sponsor',
      () => ['transfer', '--yes', clerk, lone, '1'],
      3,
      "Only the agent's sponsor",
    ],
    [
      'a transfer to the same agent',
      () => ['transfer', '--yes', lone, lone, '1'],
      2,
      'error: <to> must be another agent than <from>\n',
    ],
    [
      'a change of a pool by 0',
      () => ['adjust', '--yes', 'nobody', '0'],
      2,
      'from -9007199254740991 to 9007199254740991, but not 0',
    ],
    [
      'more paid credits',
      () => ['adjust', '--yes', 'nobody', '5', '--class', 'paid'],
      2,
      'error: --class must be promotional for credits that are added',
    ],
    [
      'a transfer of another kind',
      () => ['transfer', '--yes', lone, clerk, '1', '--kind', 'LOCK'],
      2,
      'TASK_PAYMENT',
    ],
    ['the credits of an unknown agent', () => ['show', NIL], 4, 'No agent has this commitment'],
    ['the journal of an unknown agent', () => ['journal', NIL], 4, 'No agent has this commitment'],
  ];
  test.each([...refused])('refuses %s', async (_name, args, code, says) => {
    const words = args();
    const end = words.indexOf('--');
    const line = end < 0 ? [...words, '--data', data] : words.toSpliced(end, 0, '--data', data);
    const answer = await run(['credits', ...line]);
    expect([answer.code, answer.stdout, answer.stderr]).toEqual([code, '', expect.stringContaining(says)]);
  });

  test('says which entry of a journal was changed in the database, and exits with 1', async () => {
    await credits('grant', '--yes', lone, '1', '--memo', 'as it was');
    await server.stop();
    const database = new Database(join(data, 'trust.db'));
    const { sql } = database
      .query<{ sql: string }, []>("SELECT sql FROM sqlite_schema WHERE name = 'movement_is_final'")
      .get() ?? { sql: '' };
    database.run('DROP TRIGGER movement_is_final');
    database.run("UPDATE movement SET amount = 2 WHERE memo = 'as it was'");
    database.run(sql);
    database.close();
    const { code, stdout, stderr } = await credits('journal', lone);
    expect([code, stdout.includes('as it was')]).toEqual([1, true]);
    expect(stderr).toMatch(/entry_[0-9a-f]{32}: Its entry_hash is not the digest of the entry\.\n/);
    expect(stderr).toContain(`the journal of ${lone} does not verify: `);
    server = await serve(data);
  });
});
