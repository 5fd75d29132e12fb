import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AuditTask } from '../../../../src/platform/audit/examine.ts';
import { type Examiner, ExaminerPool, examinerOf } from '../../../../src/platform/audit/examiner.ts';
import { fsck } from '../../../../src/platform/audit/fsck.ts';
import { nothingExamined } from '../../../../src/platform/audit/run.ts';
import {
  type AuditedTable,
  gaps,
  NOTHING,
  RANGE_ROWS,
  type RowRange,
  rangeEnds,
} from '../../../../src/platform/audit/table.ts';
import { type Connection, openReader, openWriter } from '../../../../src/platform/store/connection.ts';
import { runQuery, type Snapshot } from '../../../../src/platform/store/transaction.ts';

const CREATE = 'CREATE TABLE item (item_seq INTEGER PRIMARY KEY, value INTEGER)';
const SCHEMA = {
  applicationId: 1,
  service: 'fake',
  salvage: 'none',
  migrations: [{ name: '0001_item', sql: `${CREATE};` }],
};

let directory: string;
let file: string;
let connection: Connection;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'countersign-audit-'));
  file = join(directory, 'fake.db');
  write(CREATE);
  connection = openReader(file);
});
afterEach(() => {
  connection.sqlite.close();
  rmSync(directory, { recursive: true });
});

/** Runs a statement on another connection, as a server during the audit would. */
function write(statement: string): void {
  const { sqlite } = openWriter(file, 'memory');
  sqlite.run(statement);
  sqlite.close();
}

const insert = (from: number, to: number) =>
  write(
    `WITH RECURSIVE n(i) AS (SELECT ${from} UNION ALL SELECT i + 1 FROM n WHERE i < ${to}) INSERT INTO item SELECT i, i FROM n`,
  );

const newest = (snapshot: Snapshot) =>
  runQuery(
    snapshot,
    ({ sqlite }) =>
      sqlite.query<{ seq: number | null }, []>('SELECT max(item_seq) AS seq FROM item').get()?.seq ?? 0,
  );

/** A table of items, whose value has to be their number. */
const items: AuditedTable = {
  name: 'item',
  stage: 'rows',
  rows: {
    column: 'item_seq',
    counted: 'items',
    cost: 1,
    async examine(snapshot, range) {
      const rows = await runQuery(snapshot, ({ sqlite }) =>
        sqlite
          .query<{ seq: number; value: number }, [number, number]>(
            'SELECT item_seq AS seq, value FROM item WHERE item_seq > ? AND item_seq <= ? ORDER BY 1',
          )
          .all(range.after, range.reach),
      );
      const numbers = rows.map(({ seq }) => seq);
      const wrong = rows.filter(({ seq, value }) => seq !== value);
      return {
        ...NOTHING,
        rows: rows.length,
        problems: [
          ...gaps('item', 'item_seq', numbers, range),
          ...wrong.map(({ seq }) => ({ table: 'item', row: { item_seq: seq }, what: 'value is another' })),
        ],
      };
    },
  },
  begin: async ({ snapshot }) => ({ reach: await newest(await snapshot) }),
};

/** A table that says one thing as a whole. */
const saying = (name: string, stage: AuditedTable['stage'], what = name): AuditedTable => ({
  name,
  stage,
  begin: async () => ({ whole: async () => ({ problems: [{ table: name, row: {}, what }] }) }),
});

const SILENT: Examiner = {
  async *reports() {
    yield NOTHING;
  },
};

async function audit(tables: readonly AuditedTable[], examiner = examinerOf(connection, tables), all = true) {
  const told: string[] = [];
  const shares: number[] = [];
  const outcome = await fsck({ connection, directory, schema: SCHEMA, tables, examiner }, SILENT, {
    all,
    problem: async ({ sentence }) => void told.push(sentence),
    progress: (_, share) => void shares.push(share),
  });
  // The schema of this database is not one that migrations made.
  return { outcome, shares, told: told.filter((sentence) => !sentence.startsWith('sqlite_schema')) };
}

/** The same, and notes the tasks. */
function noting(
  tables: readonly AuditedTable[],
  tasks: AuditTask[],
  before: (task: AuditTask) => void = () => undefined,
): Examiner {
  const examiner = examinerOf(connection, tables);
  return {
    async *reports(all) {
      for (const task of all) {
        tasks.push(task);
        before(task);
        yield* examiner.reports([task]);
      }
    },
  };
}

describe('ranges', () => {
  test.each([
    [0, []],
    [1, [[0, 1]]],
    [RANGE_ROWS, [[0, RANGE_ROWS]]],
    [
      RANGE_ROWS + 1,
      [
        [0, RANGE_ROWS],
        [RANGE_ROWS, RANGE_ROWS + 1],
      ],
    ],
  ])('cover a table of %i rows once, and count them', async (rows, expected) => {
    if (rows > 0) insert(1, rows);
    const tasks: AuditTask[] = [];
    const { outcome, shares, told } = await audit([items], noting([items], tasks));
    expect(tasks.map((task) => task.kind === 'range' && [task.range.after, task.range.reach])).toEqual(
      expected,
    );
    expect([outcome.examined, told]).toEqual([{ items: rows, signatures: 0 }, []]);
    expect(shares.at(-1)).toBe(rows === 0 ? undefined : 1);
  });

  test('of a table whose rows are deleted have as many rows as others, however many numbers lie between', async () => {
    insert(1, 5000);
    write('DELETE FROM item WHERE item_seq BETWEEN 10 AND 3000');
    const numbers = Array.from({ length: 5000 }, (_, at) => at + 1).filter((n) => n < 10 || n > 3000);
    const thinned: AuditedTable = {
      ...items,
      begin: async () => ({ reach: 5000, rangeEnds: rangeEnds(numbers) }),
    };
    const tasks: AuditTask[] = [];
    const { outcome, shares } = await audit([thinned], noting([items], tasks));
    expect(tasks.map((task) => task.kind === 'range' && [task.range.after, task.range.reach])).toEqual([
      [0, 4015],
      [4015, 5000],
    ]);
    expect([outcome.examined, shares.at(-1)]).toEqual([{ items: 2009, signatures: 0 }, 1]);
  });

  test('of a table with its own range size have this size, and the table takes the sums of each in order', async () => {
    insert(1, 5000);
    const rows = {
      column: 'item_seq',
      counted: 'items',
      cost: 1,
      rangeRows: 2048,
      examine: async (_: unknown, { after, reach }: RowRange) => ({
        ...NOTHING,
        rows: reach - after,
        sums: Float64Array.of(after, reach),
      }),
    };
    const taken: number[][] = [];
    const summed: AuditedTable = {
      ...items,
      rows,
      begin: async () => ({
        reach: 5000,
        takeSums: (sums) => void taken.push([...sums]),
        whole: async () => ({ problems: [{ table: 'item', row: {}, what: `${taken.length} ranges` }] }),
      }),
    };
    const { outcome, shares, told } = await audit([summed]);
    expect([taken, told]).toEqual([
      [
        [0, 2048],
        [2048, 4096],
        [4096, 5000],
      ],
      ['item: 3 ranges'],
    ]);
    expect([outcome.examined, shares]).toEqual([
      { items: 5000, signatures: 0 },
      [2048 / 5000, 4096 / 5000, 1],
    ]);
  });

  test('report rows that are missing or wrong in their order, across ranges', async () => {
    insert(1, 3000);
    write('DELETE FROM item WHERE item_seq BETWEEN 1000 AND 1100');
    write('UPDATE item SET value = 0 WHERE item_seq IN (7, 2900)');
    expect((await audit([items])).told).toEqual([
      'item (item_seq 1000 to 1024): these rows are missing',
      'item (item_seq 7): value is another',
      'item (item_seq 1101): the rows before it are missing: 1025 to 1100',
      'item (item_seq 2900): value is another',
    ]);
  });
});

describe('a table that changes while it is read', () => {
  test('is audited up to where it ended at the beginning', async () => {
    insert(1, 2000);
    let last = 2000;
    const examiner = noting([items], [], () => {
      insert(last + 1, last + 500);
      last += 500;
    });
    const { outcome, told } = await audit([items], examiner);
    expect([outcome.examined, told]).toEqual([{ items: 2000, signatures: 0 }, []]);
  });

  test('is at one moment for all that begin, whatever is written between', async () => {
    insert(1, 5);
    const reaches: number[] = [];
    const counting = (name: string, written: number): AuditedTable => ({
      name,
      stage: 'rows',
      async begin(start) {
        const snapshot = await start.snapshot;
        const reach = await newest(snapshot);
        insert(written, written);
        reaches.push(reach, await newest(snapshot));
        return {};
      },
    });
    await audit([counting('one', 100), counting('two', 200)]);
    expect(reaches).toEqual([5, 5, 5, 5]);
  });

  test('is one moment within a range', async () => {
    insert(1, 5);
    const counts: number[] = [];
    const table: AuditedTable = {
      ...items,
      rows: {
        column: 'item_seq',
        counted: 'items',
        cost: 1,
        async examine(snapshot) {
          counts.push(await newest(snapshot));
          insert(50, 60);
          counts.push(await newest(snapshot));
          return NOTHING;
        },
      },
    };
    await audit([table]);
    expect(counts).toEqual([5, 5]);
  });
});

describe('stages', () => {
  test('come in their order, and in each the modules in theirs', async () => {
    const tables = [
      saying('score', 'scores'),
      saying('count', 'counts'),
      saying('row', 'rows'),
      saying('mark', 'anchors'),
      saying('log', 'logs'),
      saying('key', 'anchors'),
    ];
    expect((await audit(tables)).told).toEqual([
      'mark: mark',
      'key: key',
      'log: log',
      'row: row',
      'count: count',
      'score: score',
    ]);
  });

  test('end with the first problem unless all are wanted', async () => {
    insert(1, 3000);
    const tasks: AuditTask[] = [];
    const tables = [saying('row', 'rows'), { ...items, stage: 'counts' as const }];
    const { outcome, told } = await audit(tables, noting(tables, tasks), false);
    expect([outcome.problems, told, tasks]).toEqual([1, ['row: row'], []]);
  });

  test('hand leaves to whoever makes trees of them, whose own turn is after those of its stage', async () => {
    insert(1, 3);
    const taken: string[] = [];
    const tree: AuditedTable = {
      name: 'tree',
      stage: 'leaves',
      begin: async () => ({
        takeLeaves: async (_, log, hashes) => {
          taken.push(`${log}: ${hashes.length}`);
          return [{ table: 'tree', row: {}, what: 'taken' }];
        },
        whole: async () => ({ problems: [{ table: 'tree', row: {}, what: 'ended' }] }),
      }),
    };
    const leaf: AuditedTable = {
      name: 'leaf',
      stage: 'leaves',
      rows: {
        column: 'leaf_seq',
        counted: 'leaves',
        cost: 1,
        log: 'fake',
        examine: async () => ({ ...NOTHING, rows: 3, hashes: new Uint8Array(96) }),
      },
      begin: async () => ({ reach: 3, origin: 'fake.example/fake' }),
    };
    const { told } = await audit([tree, leaf, saying('last', 'leaves')]);
    expect([taken, told]).toEqual([['fake: 96'], ['tree: taken', 'last: last', 'tree: ended']]);
  });

  test('count under the names of the tables, in their order', () => {
    const rows = (counted: string): AuditedTable => ({
      ...items,
      name: counted,
      rows: { column: 'x', counted, cost: 1, examine: async () => NOTHING },
    });
    const names = Object.keys(nothingExamined([rows('b'), saying('x', 'rows'), rows('a'), rows('b')]));
    expect(names).toEqual(['b', 'a', 'signatures']);
  });
});

describe('a check that throws', () => {
  const throwing = (origin?: string): AuditedTable => ({
    name: 'item',
    stage: 'rows',
    rows: {
      column: 'item_seq',
      counted: 'items',
      cost: 1,
      async examine(_, { after }) {
        if (after === 1024) throw new Error('no such thing');
        return NOTHING;
      },
    },
    begin: async () => ({ reach: 2048, ...(origin === undefined ? {} : { origin }) }),
  });

  test('in a range is a problem of that range, and the audit goes on', async () => {
    const { told } = await audit([throwing(), saying('count', 'counts')]);
    expect(told).toEqual(['item (item_seq 1025 to 2048): cannot be read: no such thing', 'count: count']);
  });

  test('in a range of leaves names the log and the first index', async () => {
    const { told } = await audit([throwing('acme.example/fake')]);
    expect(told).toEqual(['item, index 1024 of acme.example/fake: cannot be read: no such thing']);
  });

  test.each(['begin', 'whole'])('in %s ends the audit with a problem of the database', async (when) => {
    const broken: AuditedTable = {
      name: 'broken',
      stage: 'rows',
      begin: async () => {
        if (when === 'begin') throw new Error('no such thing');
        return { whole: () => Promise.reject(new Error('no such thing')) };
      },
    };
    const { told, outcome } = await audit([saying('mark', 'anchors'), broken, saying('count', 'counts')]);
    const expected = ['database: cannot be read: no such thing'];
    expect(told).toEqual(when === 'begin' ? expected : ['mark: mark', ...expected]);
    expect(outcome.ok).toBe(false);
  });
});

describe('a Worker', () => {
  const script = (body: string) =>
    new Worker(URL.createObjectURL(new Blob([`self.onmessage = ({ data }) => { ${body} }`])));
  const report = 'postMessage({ problems: [], rows: 1024, signatures: 0, hashes: new Uint8Array() })';

  test.each([
    ['dies', 'process.exit(0)', 'it ended'],
    ['throws', 'throw new Error("no more")', 'no more'],
  ])('that %s ends the audit, and the error says at which rows', async (_how, end, cause) => {
    insert(1, 4000);
    const start = () =>
      script(`if (data.kind === 'open') return; if (data.range.after === 1024) { ${end} } ${report}`);
    const crew = new ExaminerPool(start, file, 2);
    const failing = audit([items], crew);
    await expect(failing).rejects.toThrow('a worker thread failed at item, rows 1025 to 2048');
    await expect(failing).rejects.toThrow(cause);
    crew.end();
  });
});
