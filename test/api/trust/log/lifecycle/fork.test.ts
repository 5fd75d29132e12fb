import { Database } from 'bun:sqlite';
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import pino from 'pino';
import { operationAction } from '../../../../../src/platform/control/operation.ts';
import { perform } from '../../../../../src/platform/control/perform.ts';
import { nativePrimitives, signEd25519 } from '../../../../../src/platform/crypto/crypto.ts';
import { generateKeyPair, saveKeyPair } from '../../../../../src/platform/crypto/key-files.ts';
import { logSource } from '../../../../../src/platform/tlog/source.ts';
import { bytesToHex } from '../../../../../src/proof/encoding/hex.ts';
import { keyEntryMessage, keyEntryText } from '../../../../../src/proof/log/log-entry.ts';
import { LOG_NAMES } from '../../../../../src/proof/log/log-names.ts';
import { decodeEntries, encodeEntries, tilePath, tilesOf } from '../../../../../src/proof/log/tiles.ts';
import { judge } from '../../../../../src/proof/receipt/verdict.ts';
import { HIGH_WATER_FILE } from '../../../../../src/trust/log/high-water.ts';
import { reportCompromised } from '../../../../../src/trust/log/keys/report-compromised.ts';
import { rotate } from '../../../../../src/trust/log/keys/rotate.ts';
import type { keyRecords } from '../../../../../src/trust/log/keys/signing-keys.ts';
import { REQUIRED_KEYS } from '../../../../../src/trust/log/keys/signing-keys.ts';
import { restartLogs } from '../../../../../src/trust/log/lifecycle/restart.ts';
import { recoverLogs } from '../../../../../src/trust/log/recovery/recover.ts';
import { leafHashOf } from '../../../../../src/trust/log/tree/append.ts';
import { trustDatabase } from '../../../../../src/trust/service/database.ts';
import { trustModules } from '../../../../../src/trust/service/modules.ts';
import { localServiceOpening, withServiceStopped } from '../../../../../src/trust/service/open-context.ts';
import { restoreProblems } from '../../../../../src/trust/service/restore-checks.ts';
import { wrongCounts } from '../../../../support/audit.ts';
import { finalized, latest, provenEntry, SUCCESS } from '../../../../support/log.ts';
import { smallLog } from '../../../../support/small-log.ts';
import { openTrustApp, type TrustApp } from '../../../../support/trust-app.ts';
import { VirtualTime } from '../../../../support/virtual-time.ts';

/** The entries of the key log at a first start: each key is added and activated. */
const FIRST_ENTRIES = 2 * REQUIRED_KEYS.length;
/** The entries of the key log that close the logs and continue them. */
const CHANGES = 2 * LOG_NAMES.length;

const LOG = pino({ level: 'silent' });
let root: string;
let data: string;
let backup: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'countersign-fork-'));
  data = join(root, 'data');
  backup = join(root, 'backup');
});
afterEach(() => rmSync(root, { recursive: true }));

/** Serves the data directory for as long as `task` takes. */
async function served<T>(
  task: (app: TrustApp) => Promise<T>,
  settings: Record<string, string> = {},
): Promise<T> {
  const app = await openTrustApp(settings, null, data);
  try {
    return await task(app);
  } finally {
    await app.close();
  }
}

type Row = Awaited<ReturnType<typeof keyRecords>>[number];

/** The published keys of receipts. */
async function keyRows(app: TrustApp): Promise<Row[]> {
  const { body } = await app.anyone.get('/api/v1/transparency/keys');
  const rows: Row[] = Object(body.keys);
  return rows.filter(({ purpose }) => purpose === 'receipts');
}

const publish = (app: TrustApp) => app.service.trust.log.publisher.publish();

/** Issues some receipts, makes a backup of the database only, and issues some more. @returns all receipts */
async function beyondTheBackup(): Promise<Record<string, unknown>[]> {
  const receipts: Record<string, unknown>[] = [];
  await served(async (app) => {
    for (let index = 0; index < 3; index++) receipts.push(await finalized(app.own));
    await publish(app);
  });
  cpSync(join(data, 'trust.db'), backup);
  await served(async (app) => {
    for (let index = 0; index < 2; index++) receipts.push(await finalized(app.own));
    await app.own.revoke(receipts[0]?.receipt_id);
    await publish(app);
  });
  return receipts;
}

/** A copy of the logs in their static form, as somebody who watches them has it. */
async function copied(app: TrustApp): Promise<string> {
  const place = join(root, 'copy');
  const keep = async (path: string): Promise<void> => {
    const response = await app.fetch(new Request(`http://localhost/log/${path}`));
    expect([path, response.status]).toEqual([path, 200]);
    mkdirSync(dirname(join(place, path)), { recursive: true });
    writeFileSync(join(place, path), new Uint8Array(await response.arrayBuffer()));
  };
  for (const name of LOG_NAMES) {
    const size = Number((await latest(app.anyone, name)).body.tree_size);
    for (const { level, index, width } of tilesOf(size, { entries: true })) {
      await keep(`${name}/${tilePath(level, index, width)}`);
    }
    await keep(`${name}/checkpoint`);
  }
  return place;
}

/** One character of the last entry is another, which is still one of a digest. */
function changedNearTheEnd(bytes: Buffer): Buffer {
  const changed = Buffer.from(bytes);
  const at = changed.length - 20;
  changed[at] = changed[at] === 0x61 ? 0x62 : 0x61;
  return changed;
}

const restart = () => withServiceStopped(data, new Map(), LOG, trustModules, restartLogs);
const recovered = (place: string, trustCopy = false) =>
  withServiceStopped(data, new Map(), LOG, trustModules, (context, path) =>
    recoverLogs(context, path, logSource(place), () => undefined, { trustCopy }),
  );

describe('a database that does not fit what was published is not signed on:', () => {
  const cases: [name: string, prepare: () => void, reason: RegExp][] = [
    ['an older backup', () => cpSync(backup, join(data, 'trust.db')), /3 leaves, but 5 were published/],
    ['a mark that is missing', () => rmSync(join(data, HIGH_WATER_FILE)), /log\.high-water is missing/],
    ['a mark that is damaged', () => writeFileSync(join(data, HIGH_WATER_FILE), '{"origin":'), /is damaged/],
    ['a mark that says nothing', () => writeFileSync(join(data, HIGH_WATER_FILE), '{}'), /is damaged/],
    [
      'a mark of another log',
      () => changeMark((mark) => mark.replace('localhost', 'elsewhere')),
      /belongs to elsewhere:3000/,
    ],
    [
      'other leaves',
      () =>
        changeMark((mark) =>
          mark.replace(/"root_hash": "(..)/, (_, first) => `"root_hash": "${first === '00' ? '11' : '00'}`),
        ),
      /differ from those that were published/,
    ],
    [
      'a mark that is older',
      () => changeMark((mark) => JSON.stringify(olderMark(JSON.parse(mark)))),
      /is older than the database/,
    ],
    ['a database of before the log', () => rmSync(join(data, 'trust.db')), /keys, but trust.db is missing/],
  ];
  const changeMark = (change: (mark: string) => string): void =>
    writeFileSync(join(data, HIGH_WATER_FILE), change(readFileSync(join(data, HIGH_WATER_FILE), 'utf8')));
  const olderMark = (mark: { logs: Record<string, unknown> }) => {
    const nothing = {
      tree_size: 0,
      root_hash: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    };
    return { ...mark, logs: { ...mark.logs, receipts: nothing } };
  };

  test.each(cases)('%s', async (_name, prepare, reason) => {
    await beyondTheBackup();
    prepare();
    await expect(served(async () => undefined)).rejects.toThrow(reason);
    // Nor the second time: a refusal changes nothing.
    await expect(served(async () => undefined)).rejects.toThrow(reason);
  });

  test('a newest checkpoint that does not verify, or is of another tree', async () => {
    await beyondTheBackup();
    for (const change of [
      "note = replace(note, 'localhost', 'localhosT')",
      "note = 'no note'",
      'note = (SELECT note FROM checkpoint WHERE tree_size = 3)',
    ]) {
      cpSync(data, `${data}.whole`, { recursive: true });
      const database = new Database(join(data, 'trust.db'));
      database.run('DROP TRIGGER checkpoint_is_final');
      database.run(`UPDATE checkpoint SET ${change} WHERE tree_size = 5`);
      database.close();
      const reason = change.includes('SELECT')
        ? /does not match the tree|does not verify|is damaged/
        : /is damaged/;
      await expect(served(async () => undefined)).rejects.toThrow(reason);
      rmSync(data, { recursive: true });
      renameSync(`${data}.whole`, data);
    }
    await served(async (app) => void (await latest(app.anyone)));
  });

  test('what a restored directory lacks is told before it is served', async () => {
    await beyondTheBackup();
    expect(await restoreProblems(data, trustDatabase)).toEqual([]);
    cpSync(backup, join(data, 'trust.db'));
    expect(await restoreProblems(data, trustDatabase)).toMatchObject([
      { what: expect.stringMatching(/has 3 leaves, but 5 were published/) },
    ]);
    const [key = ''] = readdirSync(join(data, 'keys')).filter((name) => name.endsWith('.pem'));
    rmSync(join(data, 'keys', key));
    expect(await restoreProblems(data, trustDatabase)).toMatchObject([
      { what: expect.stringMatching(/does not contain 1 of the signing keys/) },
      {},
    ]);
  });

  test('a command that needs the log opens it as a start does, and refuses what a start refuses', async () => {
    await beyondTheBackup();
    const call = (operation: string, values: Record<string, unknown>) =>
      perform(data, localServiceOpening(new Map(), LOG, trustModules), operationAction, {
        operation,
        operator: null,
        arguments: values,
      });
    expect(await call('rotateKeys', { purpose: 'credentials' })).toMatchObject({
      keys: [{ status: 'next' }],
    });
    expect(Object(await call('listOperators', {})).operators).toHaveLength(2 + 1);
    cpSync(backup, join(data, 'trust.db'));
    await expect(call('rotateKeys', { purpose: 'receipts-log' })).rejects.toThrow(/must not be continued/);
  });

  test('while no receipt is logged another log.origin renames the logs, keys included', async () => {
    await served(async (app) => {
      expect((await latest(app.anyone)).body.origin).toBe('localhost:3000/receipts');
    });
    for (const [name, renamings] of [
      ['acme.example', 1],
      ['acme.example', 1],
      ['other.example', 2],
    ] as const) {
      await served(
        async (app) => {
          expect((await latest(app.anyone)).body.origin).toBe(`${name}/receipts`);
          const { body } = await app.anyone.get('/api/v1/transparency/keys');
          expect(body.log).toMatchObject({
            origin: `${name}/keys`,
            tree_size: FIRST_ENTRIES + renamings * CHANGES,
          });
        },
        { 'log.origin': name },
      );
    }
    await expect(served(async () => undefined, { 'log.origin': 'acme.example' })).rejects.toThrow(
      /acme\.example, the name of a closed log of this data directory/,
    );
    await served(async (app) => {
      const receipt = await finalized(app.own);
      await publish(app);
      expect(await provenEntry(app, receipt.receipt_id)).toMatchObject({ receipt_id: receipt.receipt_id });
      expect((await latest(app.anyone)).body.origin).toBe('other.example/receipts');
    });
    await expect(served(async () => undefined, { 'log.origin': 'third.example' })).rejects.toThrow(
      /the log of this data directory is other\.example, permanently/,
    );
    await restart();
    await served(
      async (app) => {
        expect((await latest(app.anyone)).body.origin).toBe('other.example-4/receipts');
      },
      { 'log.origin': 'other.example' },
    );
  });

  test('an interrupted renaming is completed at the next start, and none is done on an older backup', async () => {
    await served(async () => undefined);
    cpSync(join(data, 'trust.db'), backup);
    await served(async () => undefined, { 'log.origin': 'acme.example' });
    // As a kill between the mark and the commit leaves it: nothing was published under the name.
    cpSync(backup, join(data, 'trust.db'));
    const mark = JSON.parse(readFileSync(join(data, HIGH_WATER_FILE), 'utf8'));
    for (const name of LOG_NAMES) mark.logs[name].tree_size = 0;
    writeFileSync(join(data, HIGH_WATER_FILE), JSON.stringify(mark));
    await expect(served(async () => undefined)).rejects.toThrow(/must not be continued/);
    await served(
      async (app) => {
        await finalized(app.own);
        await publish(app);
      },
      { 'log.origin': 'acme.example' },
    );
    cpSync(backup, join(data, 'trust.db'));
    await expect(served(async () => undefined, { 'log.origin': 'third.example' })).rejects.toThrow(
      /must not be continued: log\.high-water belongs to acme\.example/,
    );
  });

  test('the name is fixed with the first receipt: another log.origin is refused, the same is not, and none is needed', async () => {
    await served(
      async (app) => {
        await finalized(app.own);
        await publish(app);
        expect((await latest(app.anyone)).body.origin).toBe('acme.example/receipts');
      },
      { 'log.origin': 'acme.example' },
    );
    await expect(served(async () => undefined, { 'log.origin': 'other.example' })).rejects.toThrow(
      /acme\.example, permanently/,
    );
    await served(async (app) => {
      expect((await latest(app.anyone)).body.origin).toBe('acme.example/receipts');
    });
    await restart();
    await served(
      async (app) => {
        expect((await latest(app.anyone)).body.origin).toBe('acme.example-2/receipts');
      },
      { 'log.origin': 'acme.example' },
    );
  });
});

describe('a server that only reads', () => {
  test('serves existing data, and writes, signs and publishes nothing', async () => {
    const [first] = await beyondTheBackup();
    cpSync(backup, join(data, 'trust.db'));
    const before = readFileSync(join(data, HIGH_WATER_FILE), 'utf8');
    await served(
      async (app) => {
        expect((await app.service.background()).tasks.map(({ name }) => name)).toEqual([
          'check health',
          'check the data directory',
        ]);
        const { own, anyone } = app;
        const path = `/api/v1/receipts/${first?.receipt_id}`;
        expect((await own.get(path)).status).toBe(200);
        expect(await provenEntry(app, first?.receipt_id)).toMatchObject({ receipt_id: first?.receipt_id });
        const gate = { operator_id: first?.operator_id, domain: 'CODE_GENERATION' };
        expect((await anyone.post('/api/v1/gate/verify', gate)).body).toMatchObject({
          allow_invocation: true,
        });
        for (const response of [
          await own.issue(),
          await own.revoke(first?.receipt_id),
          await own.post('/api/v1/operator/api-keys', {}),
          await anyone.get(`${path}/status`),
        ]) {
          expect([response.status, response.body.reason_code, response.body.error]).toEqual([
            503,
            'storage_unavailable',
            'This server is read-only. Nothing was changed. Send the request to a server that writes.',
          ]);
        }
        // It does what it was started for, and says that it does no more, and why.
        const { status, body } = await anyone.get('/api/health');
        expect([status, body]).toMatchObject([
          200,
          {
            status: 'ok',
            problems: [
              expect.stringMatching(/^This server only reads: .* its newest checkpoint is of 20.*Z\.$/),
              expect.stringMatching(/^The log must not be continued: .*3 leaves, but 5 were published/),
            ],
          },
        ]);
        writeFileSync(join(data, HIGH_WATER_FILE), '{');
        expect((await anyone.get('/api/health')).body.problems).toEqual([
          expect.stringContaining('only reads'),
          expect.stringMatching(/log\.high-water is damaged/),
        ]);
        writeFileSync(join(data, HIGH_WATER_FILE), before);
        // The keys were used, which a server that may write would note: that it may not is no fault to log.
        // What it was started for is no failure, which would wake somebody.
        expect(app.logged()).not.toMatch(/the store failed|"level":"(?:warn|error)".*request/);
      },
      { read_only: 'on' },
    );
    expect(readFileSync(join(data, HIGH_WATER_FILE), 'utf8')).toBe(before);
  });

  test('is not late with checkpoints that it does not publish', async () => {
    await served(async (app) => publish(app));
    const time = new VirtualTime();
    time.advance(Date.now() - time.now() + 3_600_000);
    const app = await openTrustApp({ read_only: 'on' }, time, data);
    const { status, body } = await app.anyone.get('/api/health');
    expect([status, body.problems]).toEqual([200, [expect.stringContaining('only reads')]]);
    await app.close();
  });

  test('refuses a directory that was never served, or lacks a migration', async () => {
    await expect(served(async () => undefined, { read_only: 'on' })).rejects.toThrow(/there is no trust\.db/);
  });
});

describe('log restart', () => {
  test('ends the log at its last checkpoint; the next one has a new name and all data of the database', async () => {
    const receipts = await beyondTheBackup();
    cpSync(backup, join(data, 'trust.db'));
    const mark = readFileSync(join(data, HIGH_WATER_FILE), 'utf8');
    expect(await restart()).toEqual([
      {
        closed: { origin: 'localhost:3000/receipts', tree_size: 5 },
        opened: { origin: 'localhost:3000-2/receipts', tree_size: 3 },
      },
      {
        closed: { origin: 'localhost:3000/keys', tree_size: FIRST_ENTRIES },
        opened: { origin: 'localhost:3000-2/keys', tree_size: FIRST_ENTRIES + CHANGES },
      },
      {
        closed: { origin: 'localhost:3000/revocations', tree_size: 1 },
        opened: { origin: 'localhost:3000-2/revocations', tree_size: 0 },
      },
      {
        closed: { origin: 'localhost:3000/evidence', tree_size: 0 },
        opened: { origin: 'localhost:3000-2/evidence', tree_size: 0 },
      },
      {
        closed: { origin: 'localhost:3000/accounts', tree_size: 0 },
        opened: { origin: 'localhost:3000-2/accounts', tree_size: 0 },
      },
    ]);
    expect(readFileSync(join(data, `${HIGH_WATER_FILE}.1`), 'utf8')).toBe(mark);
    await served(async (app) => {
      const old = await app.anyone.get(`/api/v1/receipts/${receipts[1]?.receipt_id}/public-manifest`);
      expect(old.body.inclusion_path).toMatchObject({
        log: 'localhost:3000-2/receipts',
        tree_size: 3,
        leaf_index: 1,
      });
      expect(await provenEntry(app, receipts[1]?.receipt_id)).toMatchObject({
        receipt_id: receipts[1]?.receipt_id,
      });
      const fresh = await finalized(app.own);
      await publish(app);
      const { body } = await app.anyone.get(`/api/v1/receipts/${fresh.receipt_id}/public-manifest`);
      expect(body.inclusion_path).toMatchObject({
        log: 'localhost:3000-2/receipts',
        tree_size: 4,
        leaf_index: 3,
      });
      expect(await provenEntry(app, fresh.receipt_id)).toMatchObject({ receipt_id: fresh.receipt_id });
    });
  });

  test('does not change the audience of agent signatures', async () => {
    const audienceNow = () =>
      served(async ({ anyone }) => (await anyone.get('/api/v1/public-key')).body.audience);
    const before = await audienceNow();
    expect(before).toMatch(/^localhost:3000\+[\w-]{43}$/);
    await restart();
    expect(await audienceNow()).toBe(before);
  });

  test('tells the size at which a key ended of a former log only where it is true of it', async () => {
    const receipts = await beyondTheBackup();
    const former = 'localhost:3000/receipts';
    const opened = 'localhost:3000-2/receipts';
    /** How a receipt that the former log had reads to whoever kept its proof. */
    const reads = (keys: Row[], index: number) =>
      judge(nativePrimitives, Object(receipts[index]), {
        keys,
        now: Date.now(),
        position: { log: former, index },
      }).verdict;
    cpSync(backup, join(data, 'trust.db'));
    await restart();
    const ahead = { 'keys.publish_ahead_seconds': '0' };
    await served(async (app) => {
      await rotate(app.service.trust, 'receipts');
      // The former log had published 5 leaves, of which two were lost; the key ended in the new one, at 3.
      const keys = await keyRows(app);
      expect(keys).toMatchObject([
        { status: 'retired', receipts_logs: [opened], receipts_tree_size: 3 },
        { status: 'active', receipts_logs: [] },
      ]);
      expect([reads(keys, 2), reads(keys, 3), reads(keys, 4)]).toEqual(['valid', 'valid', 'valid']);
      const listed = keys.map((key) => ({ ...key, receipts_logs: [former, opened] }));
      expect(reads(listed, 4)).toBe('key_retired');
      for (let index = 0; index < 3; index++) await finalized(app.own);
      await publish(app);
      await reportCompromised(app.service.trust, String(receipts[0]?.kid));
      // All five stand below the six at which it counts now, also those that this database has lost.
      const later = await keyRows(app);
      expect(later).toMatchObject([
        { status: 'compromised', receipts_logs: [former, opened], receipts_tree_size: 6 },
        {},
      ]);
      expect([reads(later, 2), reads(later, 4)]).toEqual(['valid', 'valid']);
    }, ahead);
    // The key log knows the published size without the mark.
    const known = { receipts_logs: [former, opened], receipts_tree_size: 6 };
    rmSync(join(data, `${HIGH_WATER_FILE}.1`));
    await served(async (app) => expect((await keyRows(app))[0]).toMatchObject(known));
    writeFileSync(join(data, `${HIGH_WATER_FILE}.1`), 'damaged');
    await served(async (app) => expect((await keyRows(app))[0]).toMatchObject(known), { read_only: 'on' });
  });

  test('tells the size at which a key ended of a log that was ended after the key, whatever became of its mark', async () => {
    await served(
      async (app) => {
        await finalized(app.own);
        await rotate(app.service.trust, 'receipts');
        await finalized(app.own);
        await publish(app);
      },
      { 'keys.publish_ahead_seconds': '0' },
    );
    rmSync(join(data, HIGH_WATER_FILE));
    await restart();
    await served(async (app) => {
      expect(await keyRows(app)).toMatchObject([
        {
          status: 'retired',
          receipts_logs: ['localhost:3000/receipts', 'localhost:3000-2/receipts'],
          receipts_tree_size: 1,
        },
        { status: 'active' },
      ]);
    });
  });

  test('can be given again after it was cut short, and what was published stays known', async () => {
    await beyondTheBackup();
    const mark = readFileSync(join(data, HIGH_WATER_FILE), 'utf8');
    cpSync(backup, join(data, 'trust.db'));
    cpSync(data, `${data}.before`, { recursive: true });
    await restart();
    // As a kill between the mark and the commit leaves it: the database knows of nothing.
    cpSync(join(`${data}.before`, 'trust.db'), join(data, 'trust.db'));
    await expect(served(async () => undefined)).rejects.toThrow(/must not be continued/);
    expect((await restart())[0]).toMatchObject({ opened: { origin: 'localhost:3000-2/receipts' } });
    expect(readFileSync(join(data, `${HIGH_WATER_FILE}.1`), 'utf8')).toBe(mark);
    await served(async (app) => void (await latest(app.anyone)));
  });

  test('takes leaves without a checkpoint over with their tiles', async () => {
    const ids: unknown[] = [];
    await served(async (app) => {
      for (let index = 0; index < 300; index++) ids.push((await finalized(app.own)).receipt_id);
    });
    const [receipts] = await restart();
    expect(receipts).toMatchObject({ closed: { tree_size: 0 }, opened: { tree_size: 300 } });
    await served(async (app) => {
      expect((await latest(app.anyone)).body).toMatchObject({
        origin: 'localhost:3000-2/receipts',
        tree_size: 300,
      });
      for (const id of [ids[0], ids[255], ids[256], ids[299]]) await provenEntry(app, id);
    });
  });

  test('can be given twice, and what was entered and revoked stands in every new log', async () => {
    await served(
      async (app) => {
        await rotate(app.service.trust, 'receipts');
      },
      { 'keys.publish_ahead_seconds': '0' },
    );
    await restart();
    await restart();
    await served(async (app) => {
      const { body } = await app.anyone.get('/api/v1/transparency/keys');
      expect(body.log).toMatchObject({
        origin: 'localhost:3000-3/keys',
        tree_size: FIRST_ENTRIES + 3 + 2 * CHANGES,
      });
      const rows: { status: string; log_index: number }[] = Object(body.keys);
      expect(rows.map(({ status }) => status).sort()).toEqual([
        ...REQUIRED_KEYS.map(() => 'active'),
        'retired',
      ]);
      expect(rows.every(({ log_index }) => log_index !== null)).toBe(true);
    });
  });

  test('begins a log where the backup is from before the first', async () => {
    await served(async () => undefined);
    const database = new Database(join(data, 'trust.db'));
    for (const trigger of ['log_stays', 'key_leaf_stays', 'checkpoint_stays']) {
      database.run(`DROP TRIGGER ${trigger}`);
    }
    for (const table of ['checkpoint', 'key_leaf', 'log']) database.run(`DELETE FROM ${table}`);
    database.close();
    await expect(served(async () => undefined)).rejects.toThrow(/has no transparency log/);
    expect(await restoreProblems(data, trustDatabase)).toMatchObject([
      { what: expect.stringContaining('is older than the log') },
    ]);
    expect(await restart()).toEqual([
      { closed: null, opened: { origin: 'localhost:3000-2/receipts', tree_size: 0 } },
      { closed: null, opened: { origin: 'localhost:3000-2/keys', tree_size: FIRST_ENTRIES + CHANGES } },
      { closed: null, opened: { origin: 'localhost:3000-2/revocations', tree_size: 0 } },
      { closed: null, opened: { origin: 'localhost:3000-2/evidence', tree_size: 0 } },
      { closed: null, opened: { origin: 'localhost:3000-2/accounts', tree_size: 0 } },
    ]);
    await served(async (app) => {
      await finalized(app.own);
      await publish(app);
      expect((await latest(app.anyone)).body).toMatchObject({
        origin: 'localhost:3000-2/receipts',
        tree_size: 1,
      });
    });
  });

  test('refuses a directory without a log', async () => {
    await expect(restart()).rejects.toThrow(/there is no trust\.db/);
    expect(existsSync(data)).toBe(false);
  });
});

describe('recover', () => {
  test('refuses a copy that another server published with the same keys, and changes nothing', async () => {
    await served(async (app) => {
      await finalized(app.own);
      await publish(app);
    });
    cpSync(data, backup, { recursive: true });
    // Two servers continue the same directory.
    await served(async (app) => {
      await finalized(app.own);
      await publish(app);
    });
    const ours = `${data}.ours`;
    renameSync(data, ours);
    cpSync(backup, data, { recursive: true });
    const copy = await served(async (app) => {
      for (let index = 0; index < 2; index++) await finalized(app.own);
      await publish(app);
      return copied(app);
    });
    rmSync(data, { recursive: true });
    renameSync(ours, data);
    cpSync(join(backup, 'trust.db'), join(data, 'trust.db'));
    await expect(recovered(copy)).rejects.toThrow(
      /the first 2 leaves of localhost:3000\/receipts differ from those that were published/,
    );
    await expect(served(async () => undefined)).rejects.toThrow(/has 1 leaves, but 2 were published/);
  });

  test('brings back from a copy what the backup does not have, and the log goes on', async () => {
    const receipts = await beyondTheBackup();
    const pending = await served(async (app) => {
      const { body } = await app.own.issue();
      return body;
    });
    cpSync(join(data, 'trust.db'), backup);
    const copy = await served(
      async (app) => {
        await app.own.finalize(pending.receipt_id, SUCCESS);
        await app.own.revoke(receipts[1]?.receipt_id);
        await rotate(app.service.trust, 'receipts');
        receipts.push(await finalized(app.own));
        await app.own.revoke(receipts.at(-1)?.receipt_id);
        await publish(app);
        return copied(app);
      },
      { 'keys.publish_ahead_seconds': '0' },
    );
    const published = readFileSync(join(data, HIGH_WATER_FILE), 'utf8');

    cpSync(backup, join(data, 'trust.db'));
    await expect(served(async () => undefined)).rejects.toThrow(/must not be continued/);
    const last = receipts.at(-1)?.receipt_id;
    expect(await recovered(copy)).toEqual({
      receipts: {
        tree_size: 7,
        recovered: 2,
        not_recovered: [`the outcome of receipt ${pending.receipt_id}`, `the receipt ${last}`],
      },
      keys: { tree_size: FIRST_ENTRIES + 3, recovered: 3, not_recovered: [] },
      revocations: {
        tree_size: 3,
        recovered: 2,
        not_recovered: [
          `the reason, if any, for the revocation of receipt ${receipts[1]?.receipt_id}`,
          `the revoked receipt ${last}`,
        ],
      },
      evidence: { tree_size: 0, recovered: 0, not_recovered: [] },
      accounts: { tree_size: 0, recovered: 0, not_recovered: [] },
    });
    expect(readFileSync(join(data, HIGH_WATER_FILE), 'utf8')).toBe(published);
    await served(async (app) => {
      // What was revoked after the backup is not taken for active again: the very version that was signed
      // then is back.
      const revoked = await app.own.get(`/api/v1/receipts/${receipts[1]?.receipt_id}`);
      expect(revoked.body).toMatchObject({ revocation_status: 'revoked' });
      // What was finalized after the backup cannot be finalized to something else.
      const again = await app.own.finalize(pending.receipt_id, {
        status: 'refusal',
        refusal_reason: 'other',
      });
      const { receipt_id } = pending;
      const lost = 'The log contains a finalization of this receipt, which the database has lost.';
      expect([again.status, again.body]).toMatchObject([
        409,
        { reason_code: 'receipt_already_finalized', error: lost, receipt: { receipt_id, status: 'pending' } },
      ]);
      // Nor is it signed that it were pending still; the manifest, which is not signed, says what there is.
      const path = `/api/v1/receipts/${receipt_id}`;
      const status = await app.anyone.get(`${path}/status`);
      expect([status.status, status.body]).toMatchObject([409, { reason_code: 'conflict', error: lost }]);
      expect(status.body).not.toHaveProperty('signature');
      expect((await app.anyone.get(`${path}/public-manifest`)).body).toMatchObject({
        status: 'pending',
        lost,
        enforcement: { abandoned: false },
      });
      expect(await provenEntry(app, receipt_id)).toMatchObject({ receipt_id });
      // A revocation stands above all of that, and can be told.
      expect((await app.own.revoke(receipt_id)).status).toBe(200);
      expect((await app.anyone.get(`${path}/status`)).body).toMatchObject({ revocation_status: 'revoked' });
      // It was not abandoned: the log knows that it had an outcome.
      const { operator_id } = (await app.own.get('/api/v1/operator/status')).body;
      const question = { operator_id, domain: 'CODE_GENERATION' };
      expect((await app.anyone.post('/api/v1/gate/verify', question)).body).toMatchObject({
        abandoned: { abandoned: 0 },
      });
      expect(await app.service.trust.store.read(wrongCounts)).toEqual([]);
      const other = await app.anyone.get(`/api/v1/receipts/${receipts[1]?.receipt_id}/status`);
      expect(other.body).toMatchObject({ status: 'success', revocation_status: 'revoked' });
      expect((await app.own.finalize(receipt_id, SUCCESS)).body).toMatchObject({
        reason_code: 'receipt_already_finalized',
        error: lost,
      });
      // The key that took over since is in use again, from when it did, and the log goes on where it was.
      const { body } = await app.anyone.get('/api/v1/public-key');
      const activated = await app.service.trust.store.read(({ connection: { sqlite } }) =>
        sqlite
          .query<{ at: string }, [string]>(
            `SELECT json_extract(entry, '$.at') AS at FROM key_leaf JOIN signing_key USING (key_seq)
             WHERE event = 'activated' AND kid = ?`,
          )
          .get(String(body.kid)),
      );
      expect(body.valid_from).toBe(activated?.at ?? '');
      expect(Object(body.rotation).previous).toHaveLength(1);
      const fresh = await finalized(app.own);
      expect(fresh.kid).toBe(body.kid);
      await publish(app);
      expect(await provenEntry(app, fresh.receipt_id)).toMatchObject({ receipt_id: fresh.receipt_id });
      expect((await latest(app.anyone)).body).toMatchObject({
        origin: 'localhost:3000/receipts',
        tree_size: 8,
      });
    });
  });

  test('lets nothing else be signed of a revocation that the log alone has, and it is not made again', async () => {
    await served(async (app) => {
      const { receipt_id } = await finalized(app.own);
      const entry = 'stands for what a copy of the log said';
      await app.service.trust.store.writeAsService(({ connection: { sqlite } }) => {
        sqlite
          .query(
            'INSERT INTO revocation_leaf (receipt_seq, leaf_hash, entry) SELECT receipt_seq, ?, ? FROM receipt',
          )
          .run(leafHashOf(entry), entry);
      });
      const lost = 'The log contains a revocation of this receipt, which the database has lost.';
      const path = `/api/v1/receipts/${receipt_id}`;
      const status = await app.anyone.get(`${path}/status`);
      expect([status.status, status.body]).toMatchObject([409, { reason_code: 'conflict', error: lost }]);
      expect((await app.anyone.get(`${path}/public-manifest`)).body).toMatchObject({ lost });
      const revoked = await app.own.revoke(receipt_id);
      expect([revoked.status, revoked.body]).toMatchObject([
        409,
        { reason_code: 'receipt_already_revoked', error: lost, receipt: { receipt_id } },
      ]);
    });
  });

  test('also reads a copy over HTTP', async () => {
    await beyondTheBackup();
    await served(async (app) => {
      const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: (request) => app.fetch(request) });
      const other = join(root, 'other');
      cpSync(data, other, { recursive: true, filter: (path) => !/-(wal|shm)$|lock$/.test(path) });
      cpSync(backup, join(other, 'trust.db'));
      const report = await withServiceStopped(other, new Map(), LOG, trustModules, (context, path) =>
        recoverLogs(context, path, logSource(`http://127.0.0.1:${server.port}`), () => undefined),
      );
      expect(report.receipts).toMatchObject({ tree_size: 5, recovered: 2 });
      await server.stop(true);
    });
  });

  test('takes nothing from a copy that is behind, of another log, changed, or incomplete', async () => {
    await beyondTheBackup();
    const copy = await served(copied);
    cpSync(backup, join(data, 'trust.db'));
    const entries = join(copy, 'receipts/tile/entries/000.p/5');
    const whole = readFileSync(entries);
    const checkpoint = readFileSync(join(copy, 'receipts/checkpoint'), 'utf8');
    const cases: [() => void, RegExp][] = [
      [
        () => writeFileSync(join(copy, 'receipts/checkpoint'), checkpoint.replace('\n5\n', '\n4\n')),
        /is invalid/,
      ],
      [
        () =>
          writeFileSync(join(copy, 'receipts/checkpoint'), checkpoint.replaceAll('localhost', 'localhosT')),
        /it is of localhosT:3000/,
      ],
      [() => writeFileSync(join(copy, 'receipts/checkpoint'), ''), /is not a valid one of/],
      [() => writeFileSync(entries, changedNearTheEnd(whole)), /the copy is damaged|entry/],
      [() => writeFileSync(entries, whole.subarray(0, -1)), /is damaged/],
      [
        () => writeFileSync(entries, whole.subarray(0, 2 + whole.readUInt16BE(0))),
        /has 1 entries instead of 5/,
      ],
      [
        () => writeFileSync(entries, Buffer.concat([whole, Buffer.from([0, 1, 9])])),
        /has more than 5 entries/,
      ],
      [() => rmSync(entries), /cannot be read/],
    ];
    for (const [change, reason] of cases) {
      change();
      await expect(recovered(copy)).rejects.toThrow(reason);
      writeFileSync(entries, whole);
      writeFileSync(join(copy, 'receipts/checkpoint'), checkpoint);
    }
    await expect(recovered(join(root, 'nowhere'))).rejects.toThrow(/cannot be read/);
    // After all of these nothing was changed, and the good copy is taken.
    expect((await recovered(copy)).receipts).toMatchObject({ tree_size: 5, recovered: 2 });
  });

  test.each([
    ['http://127.0.0.1:1', /cannot be read/],
    ['/nowhere', /cannot be read/],
  ])('reads nothing from %s', async (place, reason) => {
    await expect(logSource(place).read('receipts/checkpoint')).rejects.toThrow(reason);
  });

  test('names a server that responds with an error, with its status', async () => {
    const server = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      fetch: () => new Response('', { status: 404 }),
    });
    const source = logSource(`http://127.0.0.1:${server.port}/`);
    await expect(source.read('receipts/checkpoint')).rejects.toThrow(
      /\/log\/receipts\/checkpoint returned status 404/,
    );
    await server.stop(true);
  });

  test('takes no copy without the mark of what was published: nobody knows whether it has all', async () => {
    await beyondTheBackup();
    const copy = await served(copied);
    cpSync(backup, join(data, 'trust.db'));
    rmSync(join(data, HIGH_WATER_FILE));
    await expect(recovered(copy)).rejects.toThrow(/log\.high-water is missing/);
    await expect(recovered(copy)).rejects.toMatchObject({ hint: expect.stringContaining('--trust-copy') });
  });

  test('takes a trusted copy in place of the mark that was lost, and the log goes on from it', async () => {
    const receipts = await beyondTheBackup();
    const mark = readFileSync(join(data, HIGH_WATER_FILE), 'utf8');
    const copy = await served(copied);
    cpSync(backup, join(data, 'trust.db'));
    rmSync(join(data, HIGH_WATER_FILE));
    expect((await recovered(copy, true)).receipts).toMatchObject({ tree_size: 5, recovered: 2 });
    expect(JSON.parse(readFileSync(join(data, HIGH_WATER_FILE), 'utf8'))).toEqual(JSON.parse(mark));
    // Given again after it was cut short before the mark.
    rmSync(join(data, HIGH_WATER_FILE));
    expect((await recovered(copy, true)).receipts).toMatchObject({ tree_size: 5, recovered: 0 });
    await served(async (app) => {
      const fresh = await finalized(app.own);
      await publish(app);
      for (const receipt_id of [receipts[0]?.receipt_id, fresh.receipt_id]) {
        expect(await provenEntry(app, receipt_id)).toMatchObject({ receipt_id });
      }
      expect((await latest(app.anyone)).body.tree_size).toBe(6);
    });
  });

  test('trusts no copy that another or a compromised key has signed, or that is behind the database', async () => {
    await beyondTheBackup();
    const copy = await served(copied);
    const early = join(root, 'early');
    cpSync(copy, early, { recursive: true });
    await served(async (app) => {
      await finalized(app.own);
      await publish(app);
    });
    rmSync(join(data, HIGH_WATER_FILE));
    await expect(recovered(early, true)).rejects.toThrow(/has 5 leaves of .*, but 6 were published/);
    expect(existsSync(join(data, HIGH_WATER_FILE))).toBe(false);
    cpSync(backup, join(data, 'trust.db'));
    // The keys of another installation are in keys/.
    renameSync(join(data, 'keys'), join(root, 'keys'));
    const own = data;
    data = join(root, 'stranger');
    await served(async () => undefined);
    data = own;
    cpSync(join(root, 'stranger', 'keys'), join(data, 'keys'), { recursive: true });
    await expect(recovered(copy, true)).rejects.toThrow(/keys|does not verify|no key/);
    rmSync(join(data, 'keys'), { recursive: true });
    renameSync(join(root, 'keys'), join(data, 'keys'));
    const database = new Database(join(data, 'trust.db'));
    database.run("UPDATE signing_key SET status = 'compromised' WHERE purpose = 'receipts-log'");
    database.close();
    await expect(recovered(copy, true)).rejects.toThrow(/is not a valid one of localhost:3000\/receipts/);
    expect(existsSync(join(data, HIGH_WATER_FILE))).toBe(false);
  });

  test('trusts no key that adds itself to the key log of the copy', async () => {
    await beyondTheBackup();
    const copy = await served(copied);
    cpSync(backup, join(data, 'trust.db'));
    rmSync(join(data, HIGH_WATER_FILE));
    // Somebody has a key of this directory that the backup does not know, such as one for receipts.
    const { kid, privateKey, publicKey } = generateKeyPair('Ed25519');
    saveKeyPair(join(data, 'keys'), { algorithm: 'Ed25519', kid, privateKey, publicKey });
    const added = {
      event: 'added' as const,
      kid,
      algorithm: 'Ed25519',
      public_key: publicKey,
      purpose: 'keys-log',
      at: new Date().toISOString(),
      receipts_tree_size: 5,
    };
    const message = keyEntryMessage(nativePrimitives, added);
    const signatures = [{ kid, signature: bytesToHex(signEd25519(privateKey, message)) }];
    const bundle = readFileSync(join(copy, `keys/${tilePath('entries', 0, FIRST_ENTRIES)}`));
    const entries = [
      ...decodeEntries(bundle).map((entry) => Buffer.from(entry).toString()),
      keyEntryText({ ...added, signatures }),
    ];
    const key = { privateKey, algorithm: 'Ed25519' as const, public_key: publicKey, kid };
    const forged = smallLog('localhost:3000/keys', entries, [key]);
    writeFileSync(join(copy, 'keys/checkpoint'), forged.checkpoint);
    writeFileSync(
      join(copy, `keys/${tilePath('entries', 0, entries.length)}`),
      encodeEntries(entries.map((entry) => Buffer.from(entry))),
    );
    await expect(recovered(copy, true)).rejects.toThrow(
      `entry ${FIRST_ENTRIES} of localhost:3000/keys in the copy cannot be recovered: it adds the key ${kid}, which no earlier key cross-signed`,
    );
    expect(existsSync(join(data, HIGH_WATER_FILE))).toBe(false);
  });

  test('takes no copy that is behind what was published', async () => {
    await beyondTheBackup();
    const copy = await served(copied);
    await served(async (app) => {
      await finalized(app.own);
      await publish(app);
    });
    cpSync(backup, join(data, 'trust.db'));
    await expect(recovered(copy)).rejects.toThrow(/has 5 leaves.*but 6 were published/);
  });
});
