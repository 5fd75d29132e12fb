import { Database } from 'bun:sqlite';
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import pino from 'pino';
import { logSource } from '../../../../../src/platform/tlog/source.ts';
import { LOG_NAMES, type LogName } from '../../../../../src/proof/log/log-names.ts';
import { sentenceOf } from '../../../../../src/proof/log/problem.ts';
import { serviceLogKeys } from '../../../../../src/tools/monitor/keys/log-keys.ts';
import { auditRemote } from '../../../../../src/tools/monitor/remote-audit.ts';
import { storeCosignaturesIn } from '../../../../../src/trust/log/checkpoints/cosignatures.ts';
import { CosignedCheckpoints } from '../../../../../src/trust/log/checkpoints/cosigned.ts';
import { Thinning } from '../../../../../src/trust/log/checkpoints/thinning.ts';
import { restartLogs } from '../../../../../src/trust/log/lifecycle/restart.ts';
import { trustModules } from '../../../../../src/trust/service/modules.ts';
import { withServiceStopped } from '../../../../../src/trust/service/open-context.ts';
import { audited } from '../../../../support/audit.ts';
import { scratch } from '../../../../support/process.ts';
import { openTrustApp, type TrustApp } from '../../../../support/trust-app.ts';
import { VirtualTime } from '../../../../support/virtual-time.ts';

const MINUTE = 60_000;
const DAY = 86_400_000;
const KEEP_DAYS = 2;
/** The start of an hour, so that the intervals are in sight. */
const START = Date.parse('2026-03-01T00:00:00.000Z');

interface Row {
  checkpoint_seq: number;
  issued_at: string;
  cosignatures: number;
}

let directory: ReturnType<typeof scratch>;
let data: string;
let time: VirtualTime;
let app: TrustApp;

beforeEach(async () => {
  directory = scratch();
  data = join(directory.path, 'data');
  time = new VirtualTime(START);
  app = await openTrustApp({}, time, data);
});
afterEach(async () => {
  await app.close();
  directory.dispose();
});

const noQuorum = new CosignedCheckpoints(null);
const twoOfThem = new CosignedCheckpoints((cosignatures) => cosignatures.length >= 2);
const thinning = (cosigned = noQuorum) => new Thinning(app.service.trust.store, cosigned, KEEP_DAYS);
const sql = (statement: string) =>
  app.service.trust.store.writeAsService(({ connection: { sqlite } }) => void sqlite.run(statement));

/** Publishes a checkpoint of some logs every so often. */
async function publishFor(
  ms: number,
  everyMs: number,
  names: readonly LogName[] = ['receipts'],
): Promise<void> {
  const { publisher } = app.service.trust.log;
  for (const end = time.now() + ms; time.now() < end; time.advance(everyMs)) {
    for (const name of names) publisher.grown(name);
    await publisher.publish();
  }
}

/** Lets time pass while only the task that publishes runs. */
async function idleFor(ms: number): Promise<void> {
  for (const end = time.now() + ms; time.now() < end; time.advance(10 * MINUTE))
    await app.service.trust.log.publisher.publish();
}

function rowsOf(name: LogName): Promise<Row[]> {
  const { logSeq } = app.service.trust.log.open[name];
  return app.service.trust.store.read(({ connection: { sqlite } }) =>
    sqlite
      .query<Row, [number]>(
        `SELECT checkpoint_seq, issued_at,
           (SELECT count(*) FROM checkpoint_cosignature x WHERE x.checkpoint_seq = c.checkpoint_seq) AS cosignatures
         FROM checkpoint c WHERE log_seq = ? ORDER BY checkpoint_seq`,
      )
      .all(logSeq),
  );
}

/** Stores cosignatures by so many witnesses. */
async function cosign({ checkpoint_seq }: Row, witnesses: number): Promise<void> {
  const lines = Array.from({ length: witnesses }, (_, at) => ({
    witness: `w${at}`,
    keyId: at,
    line: `— w${at} AAAA\n`,
  }));
  await app.service.trust.store.writeAsService((tx) =>
    storeCosignaturesIn(tx, checkpoint_seq, lines, new Date(time.now()).toISOString()),
  );
}

/** Returns what the rules keep of a log's checkpoints, by the texts of the times. */
function kept(rows: readonly Row[], quorum: number | null): number[] {
  const newest = Date.parse(rows.at(-1)?.issued_at ?? '');
  const ageAtEnd = (interval: string, ms: number): number => newest - (Date.parse(interval) + ms);
  const intervalOf = ({ issued_at, checkpoint_seq }: Row): string => {
    const tens = `${issued_at.slice(0, 15)}0:00.000Z`;
    if (ageAtEnd(tens, 10 * MINUTE) >= KEEP_DAYS * DAY) return tens;
    const minute = `${issued_at.slice(0, 16)}:00.000Z`;
    return ageAtEnd(minute, MINUTE) >= 60 * MINUTE ? minute : String(checkpoint_seq);
  };
  const first = [
    rows.find(({ cosignatures }) => cosignatures > 0),
    rows.find(({ cosignatures }) => quorum !== null && cosignatures >= quorum),
  ].flatMap((row) => row?.checkpoint_seq ?? []);
  const ofIntervals = [...Map.groupBy(rows, intervalOf).values()].flatMap((group) => {
    const most = Math.max(...group.map(({ cosignatures }) => cosignatures));
    const meets = group.findLast(({ cosignatures }) => quorum !== null && cosignatures >= quorum);
    const best = meets ?? group.findLast(({ cosignatures }) => cosignatures > 0 && cosignatures === most);
    return [best ?? group.at(-1), group.at(-1)].flatMap((row) => row?.checkpoint_seq ?? []);
  });
  return [...new Set([...first, ...ofIntervals])].sort((a, b) => a - b);
}

const numbers = async (name: LogName = 'receipts') =>
  (await rowsOf(name)).map(({ checkpoint_seq }) => checkpoint_seq);

/** Grows without pause for a while, is idle, and grows again: over three days. */
async function threeDays(): Promise<void> {
  await publishFor(25 * MINUTE, 13_000, ['receipts', 'revocations']);
  await idleFor(DAY);
  await publishFor(12 * MINUTE, 7000);
  await idleFor(DAY + 3 * 3_600_000);
  await publishFor(70 * MINUTE, 17_000);
}

describe('of old checkpoints', () => {
  test('the newest of each minute stays, of still older ones that of each 10 minutes, and all of the last hour', async () => {
    await threeDays();
    const before = await Promise.all(LOG_NAMES.map(rowsOf));
    await thinning().run();
    for (const [at, name] of LOG_NAMES.entries())
      expect(await numbers(name)).toEqual(kept(before[at] ?? [], null));
    expect((await numbers()).length).toBeLessThan((before[0]?.length ?? 0) * 0.8);
    // Nothing is left to do, also for another instance.
    const now = await numbers();
    await thinning().run();
    expect(await numbers()).toEqual(now);
    expect((await audited(data)).reported).toEqual([]);
  }, 180_000);

  test('the newest cosigned one of each interval also stays, and what is deleted takes its cosignatures along', async () => {
    await threeDays();
    for (const [at, row] of (await rowsOf('receipts')).entries()) {
      // Some minutes have one that meets the quorum, some only one that does not, some none.
      const witnesses = at % 3 === 0 ? 1 : at % 7 === 0 ? 2 : 0;
      if (Math.floor(at / 40) % 2 === 0 && witnesses > 0) await cosign(row, witnesses);
    }
    const before = await rowsOf('receipts');
    await thinning(twoOfThem).run();
    expect(await numbers()).toEqual(kept(before, 2));
    const after = await rowsOf('receipts');
    const isKept = new Set(after.map(({ checkpoint_seq }) => checkpoint_seq));
    expect(after).toEqual(before.filter(({ checkpoint_seq }) => isKept.has(checkpoint_seq)));
    const orphans = await app.service.trust.store.read(({ connection: { sqlite } }) =>
      sqlite
        .query(
          'SELECT 1 FROM checkpoint_cosignature WHERE checkpoint_seq NOT IN (SELECT checkpoint_seq FROM checkpoint)',
        )
        .all(),
    );
    expect(orphans).toEqual([]);
  }, 180_000);

  test('the first cosigned one and the first that meets the quorum stay, so that later leaves have a bound', async () => {
    await publishFor(20 * MINUTE, 20_000);
    const rows = await rowsOf('receipts');
    for (const [at, row] of rows.entries()) if (at > 3) await cosign(row, at > 8 ? 2 : 1);
    await publishFor(70 * MINUTE, 5 * MINUTE);
    await thinning(twoOfThem).run();
    const [any, quorum] = [rows[4], rows[9]].map((row) => row?.checkpoint_seq ?? 0);
    expect(await numbers()).toEqual(expect.arrayContaining([any ?? 0, quorum ?? 0]));
    await app.close();
    time.advance(3 * DAY);
    app = await openTrustApp({}, time, data);
    await publishFor(MINUTE, MINUTE);
    await thinning(twoOfThem).run();
    expect((await numbers()).slice(0, 2)).toEqual([any ?? 0, quorum ?? 0]);
    expect((await audited(data)).reported).toEqual([]);
  }, 180_000);

  test('the same stay when the work is done step by step, and is interrupted', async () => {
    const all: Row[] = [];
    let worker = thinning();
    for (let part = 0; part < 8; part++) {
      await publishFor(20 * MINUTE, 11_000);
      const known = new Set(all.map(({ checkpoint_seq }) => checkpoint_seq));
      all.push(...(await rowsOf('receipts')).filter(({ checkpoint_seq }) => !known.has(checkpoint_seq)));
      if (part % 3 === 2) {
        const [, at] = await numbers();
        await sql(`CREATE TRIGGER broken BEFORE DELETE ON checkpoint WHEN OLD.checkpoint_seq > ${Number(at) + 20}
          BEGIN SELECT RAISE(ABORT, 'the disk is full'); END`);
        await worker.run().catch((error: Error) => expect(error.message).toContain('the disk is full'));
        await sql('DROP TRIGGER broken');
        const left = new Set(await numbers());
        expect(kept(all, null).filter((number) => !left.has(number))).toEqual([]);
        // A start knows nothing of what was done.
        if (part === 5) worker = thinning();
      }
      await worker.run();
      expect(await numbers()).toEqual(kept(all, null));
    }
  }, 180_000);

  test('the same stay over clocks that are set back and ahead', async () => {
    await publishFor(30 * MINUTE, 9000);
    time.jump(-50_000);
    await publishFor(30 * MINUTE, 9000);
    time.jump(50_000);
    await publishFor(30 * MINUTE, 9000);
    // Nothing is published while the clock is wrong, and then all that is old is old at once.
    time.jump(DAY);
    await publishFor(MINUTE, 9000);
    const before = await rowsOf('receipts');
    await thinning().run();
    expect(await numbers()).toEqual(kept(before, null));
    app.service.trust.clockWatch.accept();
    time.advance(61 * MINUTE);
    await publishFor(MINUTE, 9000);
    const later = await rowsOf('receipts');
    await thinning().run();
    expect(await numbers()).toEqual(kept(later, null));
    expect((await audited(data)).reported).toEqual([]);
  }, 180_000);

  test('those of a closed log are thinned too, and its last hour stays', async () => {
    await publishFor(100 * MINUTE, 15_000);
    const before = await rowsOf('receipts');
    await app.close();
    const silent = pino({ level: 'silent' });
    await withServiceStopped(data, new Map(), silent, trustModules, restartLogs);
    app = await openTrustApp({}, time, data);
    await thinning().run();
    const { logSeq } = app.service.trust.log.open.receipts;
    const left = await app.service.trust.store.read(({ connection: { sqlite } }) =>
      sqlite
        .query<Row, [number]>(
          "SELECT checkpoint_seq FROM checkpoint WHERE log_seq < ? AND log_seq IN (SELECT log_seq FROM log WHERE name = 'receipts')",
        )
        .all(logSeq),
    );
    expect(left.map(({ checkpoint_seq }) => checkpoint_seq)).toEqual(kept(before, null));
  }, 180_000);

  test('one run deletes some thousands, so that a stop does not wait for all', async () => {
    await publishFor(61 * MINUTE, 3_600_000);
    const [first] = await rowsOf('receipts');
    await sql('DROP TRIGGER checkpoint_follows');
    await sql(`WITH RECURSIVE copy (number) AS (VALUES (1) UNION ALL SELECT number + 1 FROM copy WHERE number < 6000)
      INSERT INTO checkpoint SELECT NULL, randomblob(16), log_seq, previous_id, previous_size, tree_size, root_hash, issued_at, key_seq, signature,
        note FROM copy JOIN checkpoint ON checkpoint_seq = ${first?.checkpoint_seq}`);
    await publishFor(10 * MINUTE, 5 * MINUTE);
    const worker = thinning();
    const before = (await numbers()).length;
    await worker.run();
    expect(before - (await numbers()).length).toBe(5000);
    await worker.run();
    // The start published one in the same minute as the first.
    expect(before - (await numbers()).length).toBe(6001);
  }, 180_000);
});

describe('the database itself refuses to delete', () => {
  beforeEach(async () => {
    await publishFor(75 * MINUTE, 4 * MINUTE);
  });

  test('the newest checkpoint, those of the last hour, and the last of its 10 minutes', async () => {
    const rows = await rowsOf('receipts');
    const newest = Date.parse(rows.at(-1)?.issued_at ?? '');
    const remaining = new Set(rows);
    const refused: number[] = [];
    for (const row of rows) {
      const tens = row.issued_at.slice(0, 15);
      const hasLater = [...remaining].some(
        (other) => other.checkpoint_seq > row.checkpoint_seq && other.issued_at.startsWith(tens),
      );
      const mayGo = hasLater && Date.parse(row.issued_at) <= newest - 3_600_000;
      const deleting = sql(`DELETE FROM checkpoint WHERE checkpoint_seq = ${row.checkpoint_seq}`);
      if (mayGo) {
        await deleting;
        remaining.delete(row);
      } else {
        refused.push(row.checkpoint_seq);
        await expect(deleting).rejects.toThrow('a checkpoint is deleted only when');
      }
    }
    expect([remaining.size < rows.length, await numbers()]).toEqual([true, refused]);
  });

  test('a cosignature without its checkpoint', async () => {
    const [first] = await rowsOf('receipts');
    if (first === undefined) throw new Error('no checkpoint');
    await cosign(first, 2);
    await expect(sql('DELETE FROM checkpoint_cosignature')).rejects.toThrow('only with their checkpoint');
    await sql(`DELETE FROM checkpoint WHERE checkpoint_seq = ${first.checkpoint_seq}`);
    expect((await rowsOf('receipts')).every(({ cosignatures }) => cosignatures === 0)).toBe(true);
  });

  test('several at once of which one must stay, and then none is deleted', async () => {
    const before = await numbers();
    await expect(sql('DELETE FROM checkpoint')).rejects.toThrow('a checkpoint is deleted only when');
    expect(await numbers()).toEqual(before);
  });
});

describe('a list of which old checkpoints were deleted', () => {
  beforeEach(async () => {
    await publishFor(100 * MINUTE, 20_000);
  });

  const page = async (cursor: unknown) => {
    const query = cursor === null ? '' : `&cursor=${cursor}`;
    const { status, body } = await app.anyone.get(`/api/v1/receipts/checkpoints?limit=30${query}`);
    expect(status).toBe(200);
    return body;
  };

  test('has stable pages while they are deleted, and each row is as it was published', async () => {
    const published = new Map<string, unknown>();
    for (let cursor: unknown = null, isFirst = true; isFirst || cursor !== null; isFirst = false) {
      const { checkpoints, next_cursor } = await page(cursor);
      for (const row of Object(checkpoints)) published.set(row.checkpoint_id, row);
      cursor = next_cursor;
    }
    const worker = thinning();
    const listed: { checkpoint_id: string; tree_size: number }[] = [];
    for (let cursor: unknown = null, pages = 0; pages === 0 || cursor !== null; pages++) {
      if (pages === 3) await worker.run();
      const { checkpoints, next_cursor } = await page(cursor);
      listed.push(...Object(checkpoints));
      cursor = next_cursor;
    }
    const order = [...published.keys()];
    const positions = listed.map(({ checkpoint_id }) => order.indexOf(checkpoint_id));
    expect(positions).toEqual(positions.toSorted((a, b) => a - b));
    expect(new Set(positions).size).toBe(positions.length);
    expect(listed.map(({ checkpoint_id }) => published.get(checkpoint_id))).toEqual(listed);
    const kept = (await rowsOf('receipts')).length;
    expect(listed.length).toBeGreaterThanOrEqual(kept);
    expect(listed.length).toBeLessThan(published.size);
  });

  test('is in order for an audit over HTTP, unless one of the last hour is missing or another is named', async () => {
    await thinning().run();
    let change = (rows: Record<string, unknown>[]) => rows;
    const server = Bun.serve({
      hostname: '127.0.0.1',
      port: 0,
      async fetch(request) {
        const { pathname, search } = new URL(request.url);
        const answer = await app.fetch(new Request(`http://localhost${pathname}${search}`));
        if (pathname !== '/api/v1/receipts/checkpoints') return answer;
        const body = Object(await answer.json());
        return Response.json({ ...body, checkpoints: change(body.checkpoints) });
      },
    });
    const problems = async () => {
      const url = `http://127.0.0.1:${server.port}/`;
      const sentences: string[] = [];
      for await (const step of auditRemote(
        logSource(url),
        new URL(url),
        await serviceLogKeys(url),
        time.now(),
      ))
        if ('problem' in step) sentences.push(sentenceOf(step.problem));
      return sentences;
    };
    expect(await problems()).toEqual([]);
    const rows = await rowsOf('receipts');
    const ids = async (at: number) => {
      const { checkpoints } = await page(null);
      return Object(checkpoints)[at].checkpoint_id;
    };
    const third = await ids(3);
    change = (listed) => listed.filter(({ checkpoint_id }) => checkpoint_id !== third);
    expect((await problems()).join('\n')).toContain(
      'previous_checkpoint_id is not the id of the previous checkpoint',
    );
    change = (listed) =>
      listed.map((row) => (row.checkpoint_id === third ? { ...row, previous_checkpoint_id: null } : row));
    expect((await problems()).join('\n')).toContain(
      'previous_checkpoint_id is not the id of the previous checkpoint',
    );
    expect(rows.length).toBeGreaterThan(180);
    await server.stop(true);
  }, 180_000);

  test.each([
    [
      'one of the last hour is missing',
      'DELETE FROM checkpoint WHERE checkpoint_seq = :recent',
      'previous_id is not the checkpoint before it',
    ],
    [
      'one of the last hour names another before it',
      'UPDATE checkpoint SET previous_id = zeroblob(16) WHERE checkpoint_seq = :recent',
      'previous_id is not the checkpoint before it',
    ],
    [
      'one of the last hour has another id',
      'UPDATE checkpoint SET checkpoint_id = zeroblob(16) WHERE checkpoint_seq = :recent',
      'previous_id is not the checkpoint before it',
    ],
    [
      'one that is old names none before it',
      'UPDATE checkpoint SET previous_id = NULL, previous_size = NULL WHERE checkpoint_seq = :old',
      'previous_id is not the checkpoint before it',
    ],
    [
      'one of the last hour has another size before it',
      'UPDATE checkpoint SET previous_size = 1 WHERE checkpoint_seq = :recent',
      'previous_size is not the size',
    ],
    [
      'one that is old has a larger size before it',
      'UPDATE checkpoint SET previous_size = 9 WHERE checkpoint_seq = :old',
      'previous_size is not the size',
    ],
    [
      'one that is old has a later date',
      "UPDATE checkpoint SET issued_at = '2026-03-01T01:00:00.000Z' WHERE checkpoint_seq = :old",
      'issued_at',
    ],
  ])('is wrong for fsck when %s', async (name, statement, problem) => {
    await thinning().run();
    expect((await audited(data)).reported).toEqual([]);
    const rows = await numbers();
    const copy = join(directory.path, name.replaceAll(' ', '-'));
    await app.close();
    cpSync(data, copy, { recursive: true });
    const database = new Database(join(copy, 'trust.db'), { readwrite: true, strict: true });
    database.run('PRAGMA ignore_check_constraints = ON; PRAGMA foreign_keys = OFF');
    const triggers = database
      .query<{ name: string; sql: string }, []>("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'")
      .all();
    for (const trigger of triggers) database.run(`DROP TRIGGER ${trigger.name}`);
    const text = statement.replace(':recent', String(rows.at(-50))).replace(':old', String(rows[10]));
    database.run(text);
    for (const trigger of triggers) database.run(trigger.sql);
    database.close();
    const { reported } = await audited(copy);
    expect(reported.map(({ sentence }) => sentence).join('\n')).toContain(problem);
    app = await openTrustApp({}, time, data);
  });
});
