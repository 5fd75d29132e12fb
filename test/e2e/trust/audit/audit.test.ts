import { Database } from 'bun:sqlite';
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import {
  closeSync,
  cpSync,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { LOG_NAMES } from '../../../../src/proof/log/log-names.ts';
import { REQUIRED_KEYS } from '../../../../src/trust/log/keys/signing-keys.ts';
import { client, concurrently, underLoad } from '../../../support/client.ts';
import { FakeLog } from '../../../support/fake-log.ts';
import { finalized } from '../../../support/log.ts';
import { EXECUTABLE, type Running, run, scratch, serve } from '../../../support/process.ts';

const directory = scratch();
const file = (name: string): string => join(directory.path, name);
/**
 * A service that is never stopped, with a full tile of receipts, a revocation and the keys of a first start.
 */
let server: Running;
let api: ReturnType<typeof client>;

beforeAll(async () => {
  server = await serve(file('data'), { COUNTERSIGN_RATE_LIMITS: 'off' });
  api = client(fetch, server.url, server.apiKey);
  await many(api, 260);
  const last = await finalized(api);
  await api.revoke(last.receipt_id);
  await settled(server.url, 261, 1);
}, 180_000);
afterAll(async () => {
  await server.stop();
  directory.dispose();
});

async function many(own: ReturnType<typeof client>, count: number): Promise<void> {
  await concurrently(Array.from({ length: count }), 16, () => finalized(own));
}

/** Waits until the newest checkpoints of receipts and of revocations cover a number of entries each. */
async function settled(url: string, receipts: number, revocations = 0): Promise<void> {
  for (const [log, size] of Object.entries({ receipts, revocations })) {
    const at = `${url}/api/v1/receipts/checkpoints/latest?log=${log}`;
    const sizeNow = async (): Promise<number> => Object(await (await fetch(at)).json()).tree_size;
    while ((await sizeNow()) < size) await Bun.sleep(20);
  }
}

const monitor = (url: string, state: string, ...args: string[]) =>
  run(['monitor', url, '--state', file(state), '--once', ...args]);

/** The entries of all logs: of the receipts, one of a revocation, and two for each key. */
const LEAVES = 262 + 2 * REQUIRED_KEYS.length;

function overwrite(path: string, offset: number, bytes: Uint8Array): void {
  const opened = openSync(path, 'r+');
  writeSync(opened, bytes, 0, bytes.length, offset);
  closeSync(opened);
}

describe('fsck', () => {
  test('finds no problem in a data directory while its server runs', async () => {
    const { code, stdout, stderr } = await run(['fsck', file('data')]);
    expect([code, JSON.parse(stdout), stderr]).toEqual([
      0,
      {
        ok: true,
        problems: 0,
        examined: {
          receipts: 261,
          leaves: LEAVES,
          checkpoints: expect.any(Number),
          evidence: 0,
          deliveries: 0,
          messages: 0,
          agora_entries: 0,
          wallets: 0,
          payments: 0,
          settlements: 0,
          'unbooked settlements': 0,
          assessments: 0,
          withdrawals: 0,
          signed_transactions: 0,
          wallet_transfers: 0,
          credentials: 0,
          movements: 1,
          telemetry: 0,
          signatures: expect.any(Number),
        },
      },
      expect.stringContaining(`no problems: 261 receipts, ${LEAVES} leaves`),
    ]);
  });

  test('of the ledger only: ledger check says the same as text and as JSON while the server runs', async () => {
    const text = await run(['ledger', 'check', '--data', file('data')]);
    expect(text).toEqual({
      code: 0,
      stdout: 'no problems: 1 movement.\n',
      stderr: '',
    });
    const { code, stdout } = await run(['ledger', 'check', '--json', '--data', file('data')]);
    expect([code, JSON.parse(stdout)]).toEqual([
      0,
      {
        ok: true,
        problems: 0,
        examined: expect.objectContaining({ deliveries: 0, payments: 0, movements: 1, signatures: 0 }),
      },
    ]);
  });

  test('of parts names them, and does not speak of the others', async () => {
    const ledger = await run(['fsck', '--only', 'ledger', file('data')]);
    expect([ledger.code, JSON.parse(ledger.stdout), ledger.stderr]).toEqual([
      0,
      {
        ok: true,
        problems: 0,
        only: ['ledger'],
        examined: expect.objectContaining({ payments: 0, movements: 1, signatures: 0 }),
      },
      'no problems in ledger: 1 movement. Other parts were not checked.\n',
    ]);
    const two = await run(['fsck', '--only', 'agora, ledger,agora', file('data')]);
    expect([two.code, JSON.parse(two.stdout).only]).toEqual([0, ['agora', 'ledger']]);
    const unknown = await run(['fsck', '--only', 'ledger,ledgr', file('data')]);
    expect([unknown.code, unknown.stderr]).toEqual([
      2,
      expect.stringMatching(
        /"ledgr" is not a part that fsck audits\n.*the parts are a2a, agents, agora, .*, wallets\n$/,
      ),
    ]);
    const url = await run(['fsck', '--only', 'ledger', server.url]);
    expect([url.code, url.stderr]).toEqual([
      2,
      expect.stringContaining('--only is for a data directory, but this is a URL'),
    ]);
  });

  test('of a ledger in which a credit was added exits with 1 and names the account', async () => {
    const target = file('more-credits');
    await run(['backup', file('more-credits.db'), '--data', file('data')]);
    await run(['restore', file('more-credits.db'), '--data', target]);
    const database = new Database(join(target, 'trust.db'), { readwrite: true });
    database.run("UPDATE ledger_account SET balance = balance + 1 WHERE kind = 'pool'");
    database.close();
    const sentence =
      'ledger_account (kind pool, owner_seq 1, asset promotional): balance is not the sum of the movements: expected 1000000, found 1000001';
    const first = await run(['ledger', 'check', '--data', target]);
    expect(first).toEqual({ code: 1, stdout: `${sentence}\n1 problem.\n`, stderr: '' });
    const part = await run(['fsck', '--only', 'ledger', target]);
    expect([part.code, part.stderr]).toEqual([
      1,
      `${sentence}\n1 problem in ledger. Other parts were not checked.\n`,
    ]);
    const all = await run(['ledger', 'check', '--all', '--json', '--data', target]);
    const lines = all.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect([all.code, lines[0].sentence, lines.at(-1)]).toMatchObject([
      1,
      sentence,
      { ok: false, problems: 2 },
    ]);
  });

  test('finds the same from outside', async () => {
    for (const url of [server.url, `${server.url}/log`]) {
      const { code, stdout, stderr } = await run(['fsck', url]);
      expect([code, stdout, stderr]).toEqual([
        0,
        expect.stringContaining('"ok":true'),
        expect.stringContaining('the log keys come from the service itself'),
      ]);
      expect(JSON.parse(stdout).examined).toMatchObject({ entries: LEAVES });
    }
  });
});

describe('fsck of damage', () => {
  /** Returns a copy of the data directory that is made while no process writes. */
  function damaged(name: string, change: (database: Database, path: string) => void): string {
    const path = file(name);
    cpSync(file('still'), path, { recursive: true });
    const database = new Database(join(path, 'trust.db'), { readwrite: true });
    change(database, join(path, 'trust.db'));
    database.close();
    return path;
  }

  beforeAll(async () => {
    const still = await serve(file('still'), { COUNTERSIGN_RATE_LIMITS: 'off' });
    await many(client(fetch, still.url, still.apiKey), 600);
    await settled(still.url, 600);
    await still.stop();
  }, 180_000);

  test('names the first problem, or all', async () => {
    const path = damaged('flipped', (database) => {
      const { sql = '' } =
        database
          .query<{ sql: string }, []>("SELECT sql FROM sqlite_schema WHERE name = 'receipt_version_is_final'")
          .get() ?? {};
      database.run('DROP TRIGGER receipt_version_is_final');
      database.run(
        'UPDATE receipt_version SET signature = zeroblob(64) WHERE receipt_seq IN (7, 500) AND version = 2',
      );
      database.run(sql);
    });
    const first = await run(['fsck', '--data', path]);
    expect([
      first.code,
      first.stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ]).toEqual([
      1,
      [
        expect.objectContaining({
          table: 'receipt_version',
          row: { receipt_seq: 7, version: 2 },
          id: expect.stringMatching(/^rcpt_/),
          found: '00'.repeat(64),
        }),
        expect.objectContaining({ ok: false, problems: 1 }),
      ],
    ]);
    expect(first.stderr).toMatch(
      /^receipt_version \(receipt_seq 7, version 2\), rcpt_\w+: signature was not made by key .*\n1 problem\.\n$/,
    );
    const all = await run(['fsck', path, '--all']);
    const output = all.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(all.code).toBe(1);
    expect(output.map(({ row }) => row).slice(0, 2)).toEqual([
      { receipt_seq: 7, version: 2 },
      { receipt_seq: 500, version: 2 },
    ]);
    expect(output.at(-1)).toMatchObject({ ok: false, problems: output.length - 1 });
    // Their leaves, the tiles over them and the checkpoints from there on say something else as well.
    expect(new Set(output.slice(0, -1).map(({ table }) => table))).toEqual(
      new Set(['receipt_version', 'receipt_leaf', 'log_tile', 'checkpoint', 'log.high-water']),
    );
  });

  test('reports what SQLite finds wrong with the file itself', async () => {
    const path = damaged('torn', (database, name) => {
      const page =
        database
          .query<{ rootpage: number }, []>(
            "SELECT rootpage FROM sqlite_schema WHERE name = 'receipt_version'",
          )
          .get()?.rootpage ?? 0;
      database.run('PRAGMA wal_checkpoint(TRUNCATE)');
      database.close();
      overwrite(name, (page - 1) * 4096, Buffer.alloc(512, 0xa5));
    });
    for (const args of [[], ['--all']]) {
      const { code, stdout, stderr } = await run(['fsck', path, ...args]);
      const [first = '{}'] = stdout.split('\n');
      expect([code, JSON.parse(first)]).toEqual([1, expect.objectContaining({ table: 'database' })]);
      expect(stderr).toMatch(/^database: .*(?:malformed|Tree|page|disk image)/);
    }
  });

  test('prints no control characters', async () => {
    const path = damaged('escapes', (database) => {
      database.run('PRAGMA ignore_check_constraints = ON');
      const triggers = database.query<{ name: string }, []>(
        "SELECT name FROM sqlite_schema WHERE type = 'trigger'",
      );
      for (const { name } of triggers.all()) database.run(`DROP TRIGGER ${name}`);
      database.run(
        "UPDATE signing_key SET kid = char(27) || '[2J' || char(155) || char(8238) WHERE key_seq = 1",
      );
    });
    const { code, stdout, stderr } = await run(['fsck', path, '--all']);
    expect([code, (stdout + stderr).replace(/[\n\x20-\x7e]/g, '')]).toEqual([1, '']);
    expect(stderr).toContain('\\u001b[2J\\u009b\\u202e');
  });

  test.each([
    ['emptied', (path: string) => writeFileSync(path, ''), 1],
    ['no database', (path: string) => writeFileSync(path, 'a'.repeat(8192)), 1],
    // The size of a page, which is a power of two.
    ['damaged in its header', (path: string) => overwrite(path, 16, Buffer.of(0x00, 0x03)), 1],
  ])('says so of a file that was %s', async (name, change, exitCode) => {
    const path = file(`file-${name}`);
    cpSync(file('still'), path, { recursive: true });
    change(join(path, 'trust.db'));
    const { code, stdout, stderr } = await run(['fsck', path]);
    expect([code, stdout]).toEqual([exitCode, '']);
    expect(stderr).toStartWith('countersign: error: ');
  });

  test('misses a mark of what was published, and sees one that is of a larger tree', async () => {
    const path = file('unmarked');
    cpSync(file('still'), path, { recursive: true });
    const mark = join(path, 'log.high-water');
    const text = readFileSync(mark, 'utf8');
    writeFileSync(mark, text.replace('"tree_size": 600', '"tree_size": 601'));
    const { code, stderr } = await run(['fsck', path]);
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/^log\.high-water.* more was published than the database has/),
    ]);
    rmSync(mark);
    expect((await run(['fsck', path])).stderr).toContain('it is missing');
    writeFileSync(mark, text);
    expect((await run(['fsck', path])).code).toBe(0);
  });

  test('finds no problem while a server is under load', async () => {
    let made = 261;
    const load = (isOver: () => boolean) =>
      concurrently(Array.from({ length: 4 }), 4, async () => {
        while (!isOver()) {
          const receipt = await finalized(api);
          made++;
          await api.revoke(receipt.receipt_id);
          // Some hundred a second: an audit of what thousands add meanwhile takes long.
          await Bun.sleep(20);
        }
      });
    await underLoad(load, async () => {
      for (let round = 0; round < 2; round++) {
        const { code, stderr } = await run(['fsck', file('data'), '--all']);
        expect([code, stderr]).toEqual([0, expect.stringContaining('no problems: ')]);
      }
    });
    await settled(server.url, made, 1);
  }, 180_000);
});

describe('monitor', () => {
  test('copies the logs, then what is new', async () => {
    const receiptsOf = ({ stdout }: { stdout: string }) => Object(JSON.parse(stdout)).logs.receipts;
    const first = await monitor(server.url, 'copy');
    expect([first.code, first.stderr]).toEqual([
      0,
      expect.stringContaining('the log keys come from the service itself'),
    ]);
    const { tree_size: size } = receiptsOf(first);
    expect([size >= 261, receiptsOf(first).new_entries]).toEqual([true, size]);
    const second = await monitor(server.url, 'copy');
    expect([second.code, second.stderr, receiptsOf(second).new_entries]).toEqual([0, '', 0]);
    // Some more, and not just as many as fill a tile.
    const more = (size + 5) % 256 === 0 ? 6 : 5;
    await many(api, more);
    await settled(server.url, size + more, 1);
    expect(receiptsOf(await monitor(server.url, 'copy'))).toMatchObject({
      tree_size: size + more,
      new_entries: more,
    });
    const full = Math.floor((size + more) / 256);
    const names = Array.from(
      { length: full + 1 },
      (_, tile) => `${String(tile).padStart(3, '0')}${tile === full ? '.p' : ''}`,
    );
    expect(readdirSync(file('copy/receipts/tile/0')).sort()).toEqual(names);
    expect(readdirSync(file(`copy/receipts/tile/0/${names.at(-1)}`))).toEqual([String((size + more) % 256)]);
  });

  test('leaves its directory to one at a time', async () => {
    const keeping = Bun.spawn(
      [EXECUTABLE, 'monitor', server.url, '--state', file('one'), '--interval', '1'],
      { stdout: 'pipe', stderr: 'pipe' },
    );
    const lines = keeping.stdout.pipeThrough(new TextDecoderStream()).getReader();
    expect(JSON.parse((await lines.read()).value ?? '{}')).toMatchObject({ problems: [] });
    const second = await monitor(server.url, 'one');
    expect([second.code, second.stdout]).toEqual([1, '']);
    expect(second.stderr).toContain('another countersign process uses');
    await many(api, 1);
    // The next rounds of the first see it.
    let output = '';
    while (!output.includes('"new_entries":1')) output += (await lines.read()).value ?? '';
    keeping.kill('SIGKILL');
    await keeping.exited;
    expect((await monitor(server.url, 'one')).code).toBe(0);
  }, 180_000);

  test('reports a problem when an older copy of the directory is served and grows', async () => {
    const first = await serve(file('forked'), { COUNTERSIGN_LOG_ORIGIN: 'forked.example' });
    await many(client(fetch, first.url, first.apiKey), 3);
    await settled(first.url, 3);
    await first.stop();
    cpSync(file('forked'), file('forked-before'), { recursive: true });
    const second = await serve(file('forked'), { COUNTERSIGN_LOG_ORIGIN: 'forked.example' });
    await many(client(fetch, second.url, first.apiKey), 2);
    await settled(second.url, 5);
    expect((await monitor(second.url, 'witnessed')).code).toBe(0);
    await second.stop();
    // Everything comes back as it was, the mark too, so that the service itself cannot tell.
    rmSync(file('forked'), { recursive: true });
    cpSync(file('forked-before'), file('forked'), { recursive: true });
    for (const lacking of [2, 4]) {
      const third = await serve(file('forked'), { COUNTERSIGN_LOG_ORIGIN: 'forked.example' });
      if (lacking === 2) {
        const shrunk = await monitor(third.url, 'witnessed');
        // So far nothing was signed that a cache could not have kept.
        expect([shrunk.code, shrunk.stderr]).toEqual([
          1,
          expect.stringContaining('is older than the copy: it has 3 leaves, the copy 5'),
        ]);
      }
      await many(client(fetch, third.url, first.apiKey), lacking);
      await settled(third.url, lacking === 2 ? 5 : 9);
      const { code, stdout, stderr } = await monitor(third.url, 'witnessed');
      expect([code, stderr]).toEqual([
        2,
        expect.stringMatching(/EQUIVOCATION: .*(?:different roots|does not extend)/),
      ]);
      expect(JSON.parse(stdout)).toMatchObject({ error: expect.stringContaining('EQUIVOCATION') });
      await third.stop();
    }
    expect(readdirSync(file('witnessed')).filter((name) => name.startsWith('equivocation-'))).toHaveLength(2);
    // What it kept brings the log back: the older copy, with what was published since.
    rmSync(file('forked'), { recursive: true });
    cpSync(file('forked-before'), file('forked'), { recursive: true });
    const recovered = await run(['recover', '--data', file('forked'), '--from-tiles', file('witnessed')]);
    expect([recovered.code, JSON.parse(recovered.stdout).receipts]).toMatchObject([
      0,
      { tree_size: 5, recovered: 2 },
    ]);
    const last = await serve(file('forked'));
    expect((await monitor(last.url, 'witnessed')).code).toBe(0);
    await last.stop();
    expect(await run(['fsck', file('forked')])).toMatchObject({ code: 0 });
  }, 180_000);

  test('survives servers that are broken, hostile or gone', async () => {
    const log = new FakeLog();
    log.finalize(3);
    let how: (path: string) => Response | Promise<Response> = () => new Response('', { status: 500 });
    const fake = Bun.serve({
      hostname: '127.0.0.1',
      port: 0,
      idleTimeout: 0,
      async fetch(request) {
        const { pathname } = new URL(request.url);
        return pathname.startsWith('/log/') ? how(pathname.slice(5)) : new Response('', { status: 404 });
      },
    });
    const url = `http://127.0.0.1:${fake.port}`;
    const honest = async (path: string): Promise<Response> => new Response(Buffer.from(await log.read(path)));
    const endless = (): Response =>
      new Response(
        new ReadableStream({
          pull(controller) {
            controller.enqueue(new Uint8Array(2 ** 20));
          },
        }),
      );
    const ways: [string, (path: string) => Response | Promise<Response>, RegExp][] = [
      ['500', () => new Response('', { status: 500 }), /returned status 500/],
      [
        '429',
        () => new Response('', { status: 429, headers: { 'retry-after': '1' } }),
        /returned status 429/,
      ],
      ['elsewhere', () => Response.redirect(server.url), /cannot be read/],
      ['endless', endless, /larger than/],
      ['a page', () => new Response('<html>'), /does not return a checkpoint/],
      ['endless entries', (path) => (path.includes('entries') ? endless() : honest(path)), /larger than/],
    ];
    try {
      for (const [name, way, message] of ways) {
        how = way;
        for (const args of [
          ['monitor', url, '--state', file('hostile'), '--once', '--log-key', log.vkey],
          ['fsck', url, '--log-key', log.vkey],
        ]) {
          const { code, stderr } = await run(args);
          expect([name, args[0], code, stderr]).toEqual([
            name,
            args[0],
            1,
            expect.stringMatching(args[0] === 'fsck' ? /./ : message),
          ]);
        }
      }
      how = honest;
      // Nothing was kept of whom to trust before they had signed something.
      expect(
        (await run(['monitor', url, '--state', file('hostile'), '--once', '--log-key', log.vkey])).code,
      ).toBe(0);
      expect((await run(['monitor', url, '--state', file('hostile'), '--once'])).code).toBe(0);
      const seen = await run(['fsck', `${url}/log`, '--log-key', log.vkey]);
      expect([seen.code, seen.stderr]).toEqual([
        0,
        expect.stringContaining(`no problems: ${4 + LOG_NAMES.length} entries`),
      ]);
      // A tile that is not the entries', and an entry that nobody signed.
      how = async (path) => (path.includes('tile/0/') ? new Response(new Uint8Array(32 * 3)) : honest(path));
      const tile = await run(['fsck', `${url}/log`, '--log-key', log.vkey, '--all']);
      expect([tile.code, tile.stderr]).toEqual([
        1,
        expect.stringContaining(
          'tile, tile/0/000.p/3, fake.example/receipts: its hashes do not match the entries',
        ),
      ]);
      how = honest;
      log.entries.receipts.push(Buffer.from('{}'));
      const entry = await run(['fsck', `${url}/log`, '--log-key', log.vkey]);
      expect([entry.code, entry.stderr]).toEqual([
        1,
        expect.stringContaining('entry, index 3 of fake.example/receipts: it is not an entry of receipts'),
      ]);
      const output = await run(['monitor', url, '--state', file('hostile'), '--once']);
      expect([output.code, output.stderr]).toEqual([
        1,
        expect.stringContaining('entry 3 of fake.example/receipts'),
      ]);
    } finally {
      await fake.stop(true);
    }
    const gone = await run(['monitor', url, '--state', file('hostile'), '--once']);
    expect([gone.code, JSON.parse(gone.stdout)]).toEqual([
      1,
      expect.objectContaining({
        at: expect.any(String),
        error: expect.stringContaining('cannot be read'),
        known: [expect.stringContaining('entry 3 of fake.example/receipts')],
      }),
    ]);
    expect(statSync(file('hostile/receipts/checkpoint')).isFile()).toBe(true);
  }, 180_000);

  test('and fsck of its copy and of the URL report a receipt that is finalized twice, with both entries', async () => {
    const log = new FakeLog();
    const id = `rcpt_${'a'.repeat(32)}`;
    log.finalizeReceipt(id);
    log.finalize(300);
    const fake = Bun.serve({
      hostname: '127.0.0.1',
      port: 0,
      async fetch(request) {
        const { pathname } = new URL(request.url);
        if (!pathname.startsWith('/log/')) return new Response('', { status: 404 });
        return new Response(Buffer.from(await log.read(pathname.slice(5))));
      },
    });
    const url = `http://127.0.0.1:${fake.port}`;
    const once = () => monitor(url, 'twice', '--log-key', log.vkey);
    expect((await once()).code).toBe(0);
    log.finalizeReceipt(id);
    const problem = `receipt ${id} is finalized a second time: it was finalized at index 0`;
    const found = await once();
    expect([found.code, Object(JSON.parse(found.stdout)).problems]).toEqual([
      1,
      [`entry 301 of fake.example/receipts: ${problem}`],
    ]);
    expect(found.stderr).toContain(problem);
    // It stays a problem until somebody has looked into it.
    expect([(await once()).code, readFileSync(file('twice/problems.jsonl'), 'utf8')]).toEqual([
      1,
      expect.stringContaining(problem),
    ]);
    for (const args of [[file('twice')], [`${url}/log`, '--log-key', log.vkey]]) {
      const { code, stderr } = await run(['fsck', ...args]);
      expect([code, stderr]).toEqual([
        1,
        expect.stringContaining(`index 301 of fake.example/receipts: ${problem}`),
      ]);
    }
    await fake.stop(true);
  });

  test('keeps a copy that fsck reads again', async () => {
    const log = new FakeLog();
    log.finalize(300);
    const fake = Bun.serve({
      hostname: '127.0.0.1',
      port: 0,
      fetch: async (request) =>
        new Response(Buffer.from(await log.read(new URL(request.url).pathname.slice(5)))),
    });
    const url = `http://user:secret@127.0.0.1:${fake.port}`;
    const args = ['monitor', url, '--state', file('reread'), '--once', '--log-key', log.vkey];
    const { code, stdout, stderr } = await run(args);
    await fake.stop(true);
    expect([code, stdout + stderr]).toEqual([0, expect.not.stringContaining('secret')]);
    const whole = await run(['fsck', file('reread')]);
    expect([whole.code, whole.stderr]).toEqual([
      0,
      expect.stringContaining(`no problems: ${301 + LOG_NAMES.length} entries`),
    ]);
    const tile = file('reread/receipts/tile/0/000');
    const bytes = readFileSync(tile);
    bytes[40] = (bytes[40] ?? 0) ^ 1;
    writeFileSync(tile, bytes);
    const damaged = await run(['fsck', file('reread')]);
    expect([damaged.code, damaged.stderr]).toEqual([1, expect.stringContaining('tile, tile/0/000, ')]);
    rmSync(tile);
    const missing = await run(['fsck', file('reread'), '--all']);
    expect([missing.code, JSON.parse(missing.stdout.trim().split('\n').at(-1) ?? '{}')]).toEqual([
      1,
      expect.objectContaining({ ok: false, problems: 1 }),
    ]);
  });

  test('explains wrong arguments', async () => {
    const log = new FakeLog();
    writeFileSync(file('no-key'), '');
    writeFileSync(file('two-logs'), `# ours\n${log.vkey}\n\n${new FakeLog('other.example').vkey}\n`);
    for (const [args, code, message] of [
      [['monitor', 'nowhere', '--state', file('s')], 2, /is not a URL/],
      [['monitor', 'https://a.example/?x=1', '--state', file('s')], 2, /is not the address of a directory/],
      [['monitor', server.url], 2, /--state/],
      [['monitor', server.url, '--state', file('s'), '--interval', '0'], 2, /whole number of seconds/],
      [['monitor', server.url, '--state', file('s'), '--once', '--log-key', 'a+b+c'], 2, /verifier key/],
      [
        ['monitor', server.url, '--state', file('s'), '--once', '--log-key', file('nope')],
        2,
        /is not a log key.*\n.*verifier key/,
      ],
      [
        ['monitor', server.url, '--state', file('s'), '--once', '--log-key', file('no-key')],
        2,
        /no-key has no log key/,
      ],
      [['fsck', server.url, '--log-key', file('no-key')], 2, /no-key has no log key\n.*\/log\/keys\/vkeys/],
      [['fsck', server.url, '--log-key', file('two-logs')], 2, /belong to fake.example and other.example/],
      [['fsck', server.url, '--log-key', log.vkey], 1, /is of another log/],
      [['fsck', 'http://keys.example'], 1, /cannot be authenticated over http/],
      [['fsck', file('nowhere')], 1, /nowhere does not exist\n.*the directory of a monitor/],
      [['fsck', file('two-logs')], 1, /two-logs is a file, not a directory/],
      [
        ['fsck', file('s')],
        1,
        /there is no trust.db of a service in .*, and no keys\/checkpoint of a monitor/,
      ],
      [['fsck', file('copy'), '--data', file('s')], 2, /both .*\/copy and --data .*\/s name what to audit/],
      [['fsck', file('copy'), '--with', `${file('s')}/../copy`], 2, /is the first directory itself/],
    ] as const) {
      const finished = await run([...args]);
      expect([args, finished.code, finished.stderr]).toEqual([args, code, expect.stringMatching(message)]);
    }
    expect(existsSync(file('s/trusted-log-keys'))).toBe(false);
  });

  test('does not say that keys are pinned if its first check fails', async () => {
    const failed = await run(['monitor', `${server.url}/nowhere`, '--state', file('unpinned'), '--once']);
    expect([failed.code, failed.stderr]).toEqual([1, expect.not.stringContaining('pinned')]);
    expect(existsSync(file('unpinned/trusted-log-keys'))).toBe(false);
  });
});
