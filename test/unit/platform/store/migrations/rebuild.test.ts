import { Database } from 'bun:sqlite';
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freshDatabase } from '../../../../../src/platform/store/migrations/apply-migration.ts';
import {
  MigrationError,
  migrate,
  pendingMigrations,
  type Schema,
} from '../../../../../src/platform/store/migrations/migrate.ts';

let directory: string;
let file: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'countersign-rebuild-'));
  file = join(directory, 'trust.db');
});
afterEach(() => rmSync(directory, { recursive: true }));

const SHELVES = {
  name: '0001_shelves',
  sql: `
    CREATE TABLE shelf (
      shelf_seq INTEGER PRIMARY KEY,
      label     TEXT NOT NULL UNIQUE,
      color     TEXT NOT NULL CHECK (color IN ('red', 'blue')),
      above_seq INTEGER REFERENCES shelf (shelf_seq)
    ) STRICT;
    CREATE INDEX shelf_by_color ON shelf (color);
    CREATE TRIGGER shelf_stays BEFORE DELETE ON shelf BEGIN SELECT RAISE(ABORT, 'shelves are never deleted'); END;
    CREATE TABLE book (
      book_seq  INTEGER PRIMARY KEY,
      shelf_seq INTEGER NOT NULL REFERENCES shelf (shelf_seq) ON DELETE CASCADE
    ) STRICT;
    CREATE TABLE price (
      label TEXT NOT NULL PRIMARY KEY REFERENCES shelf (label),
      cents INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE TRIGGER book_is_not_on_red BEFORE INSERT ON book
    WHEN (SELECT color FROM shelf WHERE shelf_seq = NEW.shelf_seq) = 'red'
    BEGIN SELECT RAISE(ABORT, 'no book is on a red shelf'); END;
    CREATE VIEW blue AS SELECT label FROM shelf WHERE color = 'blue';
    INSERT INTO shelf VALUES (1, 'a', 'blue', NULL), (2, 'b', 'blue', 1), (3, 'c', 'red', 2);
    INSERT INTO book VALUES (1, 1), (2, 1), (3, 2);
    INSERT INTO price VALUES ('a', 100), ('c', 300);`,
};

/** A table of the same name with another CHECK, which no ALTER TABLE changes. */
const NEW_SHELF = `
  CREATE TABLE new_shelf (
    shelf_seq INTEGER PRIMARY KEY,
    label     TEXT NOT NULL UNIQUE,
    color     TEXT NOT NULL CHECK (length(color) BETWEEN 1 AND 32),
    above_seq INTEGER REFERENCES shelf (shelf_seq)
  ) STRICT;`;
const REPLACE = 'DROP TABLE shelf; ALTER TABLE new_shelf RENAME TO shelf;';
const REST = `
  CREATE INDEX shelf_by_color ON shelf (color);
  CREATE TRIGGER shelf_stays BEFORE DELETE ON shelf BEGIN SELECT RAISE(ABORT, 'shelves are never deleted'); END;`;

const rebuild = (sql: string) => ({ name: '0002_colors', sql, rebuild: true });
const COLORS = rebuild(`${NEW_SHELF} INSERT INTO new_shelf SELECT * FROM shelf; ${REPLACE} ${REST}`);
const schema = (...migrations: Schema['migrations'][number][]): Schema => ({
  applicationId: 42,
  service: 'trust',
  migrations,
});

/** All rows, objects and recorded migrations. */
function contents() {
  const database = new Database(file, { readonly: true, strict: true });
  const all = (sql: string) => database.query(sql).values();
  const found = {
    shelves: all('SELECT * FROM shelf ORDER BY 1'),
    books: all('SELECT * FROM book ORDER BY 1'),
    prices: all('SELECT * FROM price ORDER BY 1'),
    objects: all('SELECT type, name, tbl_name, sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY 1, 2'),
    migrations: all('SELECT name FROM schema_migration ORDER BY 1'),
    dangling: all('PRAGMA foreign_key_check'),
  };
  database.close();
  return found;
}

describe('a rebuild', () => {
  test('replaces a table that others refer to, and keeps all rows, indexes, triggers and references', () => {
    migrate(file, schema(SHELVES));
    const before = contents();
    expect(migrate(file, schema(SHELVES, COLORS))).toEqual(['0002_colors']);
    const after = contents();
    expect({ ...after, objects: 0, migrations: 0 }).toEqual({ ...before, objects: 0, migrations: 0 });
    expect(after.migrations).toEqual([['0001_shelves'], ['0002_colors']]);
    const others = (objects: typeof after.objects) => objects.filter(([, name]) => name !== 'shelf');
    expect(others(after.objects)).toEqual(others(before.objects));
    expect(pendingMigrations(file, schema(SHELVES, COLORS))).toEqual([]);

    const database = new Database(file, { strict: true });
    database.run('PRAGMA foreign_keys = ON');
    database.run("INSERT INTO shelf VALUES (4, 'd', 'green', 3)");
    for (const [sql, refused] of [
      ["INSERT INTO shelf VALUES (5, 'e', '', NULL)", 'CHECK constraint failed'],
      ["INSERT INTO shelf VALUES (5, 'e', 'green', 9)", 'FOREIGN KEY constraint failed'],
      ['INSERT INTO book VALUES (4, 9)', 'FOREIGN KEY constraint failed'],
      ['INSERT INTO book VALUES (4, 3)', 'no book is on a red shelf'],
      ['DELETE FROM shelf WHERE shelf_seq = 1', 'shelves are never deleted'],
      ["UPDATE shelf SET label = 'z' WHERE label = 'a'", 'FOREIGN KEY constraint failed'],
    ] as const) {
      expect(() => database.run(sql), sql).toThrow(refused);
    }
    database.run('DROP TRIGGER shelf_stays');
    database.run('DELETE FROM shelf WHERE shelf_seq = 4');
    database.run('PRAGMA foreign_keys = OFF');
    database.run('DELETE FROM price');
    database.run('UPDATE shelf SET above_seq = NULL');
    database.run('PRAGMA foreign_keys = ON');
    database.run('DELETE FROM shelf WHERE shelf_seq = 1');
    expect(database.query('SELECT book_seq FROM book').values()).toEqual([[3]]);
    database.close();
  });

  test('is needed: with foreign keys on, the same SQL deletes the rows that cascade, or is refused', () => {
    migrate(file, schema(SHELVES));
    const before = contents();
    const { rebuild: _, ...plain } = COLORS;
    expect(() => migrate(file, schema(SHELVES, plain))).toThrow();
    expect(contents()).toEqual(before);
  });

  test('also runs on a new database, and leaves the settings of the connection as they were', () => {
    // Of the three, which one connection applies, the last needs foreign keys.
    const orphan = { name: '0003_orphan', sql: 'INSERT INTO book VALUES (9, 99);' };
    expect(() => migrate(file, schema(SHELVES, COLORS, orphan))).toThrow('FOREIGN KEY constraint failed');
    expect(pendingMigrations(file, schema(SHELVES, COLORS))).toEqual([]);
    const memory = freshDatabase(schema(SHELVES, COLORS));
    expect(memory.query('PRAGMA legacy_alter_table').values()).toEqual([[0]]);
    memory.close();
  });

  test.each([
    [
      'leaves a child without its parent',
      `${NEW_SHELF} INSERT INTO new_shelf SELECT iif(shelf_seq = 2, 12, shelf_seq), label, color, NULL FROM shelf; ${REPLACE} ${REST}`,
      /migration 0002_colors was undone: after it, row 3 of book refers to no row of shelf/,
    ],
    [
      'leaves a row of the table itself without the row that it refers to',
      `${NEW_SHELF} INSERT INTO new_shelf SELECT shelf_seq, label, color, iif(above_seq = 2, 7, above_seq) FROM shelf; ${REPLACE} ${REST}`,
      /row 3 of shelf refers to no row of shelf/,
    ],
    [
      'leaves a row of a table without rowids without its parent',
      `${NEW_SHELF} INSERT INTO new_shelf SELECT shelf_seq, upper(label), color, above_seq FROM shelf; ${REPLACE} ${REST}`,
      /a row of price refers to no row of shelf/,
    ],
    [
      'takes away the unique index that a foreign key needs',
      `${NEW_SHELF.replace('NOT NULL UNIQUE', 'NOT NULL')} INSERT INTO new_shelf SELECT * FROM shelf; ${REPLACE} ${REST}`,
      /foreign key mismatch - "price" referencing "shelf"/,
    ],
    [
      "takes away a column that another table's trigger reads",
      `CREATE TABLE new_shelf (shelf_seq INTEGER PRIMARY KEY, label TEXT NOT NULL UNIQUE) STRICT;
       INSERT INTO new_shelf SELECT shelf_seq, label FROM shelf; ${REPLACE}`,
      /error in (?:trigger book_is_not_on_red|view blue).*no such column: color/,
    ],
    [
      'fails before the table is dropped',
      `${NEW_SHELF} INSERT INTO new_shelf SELECT shelf_seq, label, '', above_seq FROM shelf; ${REPLACE} ${REST}`,
      /CHECK constraint failed/,
    ],
    [
      'fails after the table was dropped',
      `${NEW_SHELF} INSERT INTO new_shelf SELECT * FROM shelf; DROP TABLE shelf; SELECT no_such_function();`,
      /no such function/,
    ],
  ])('that %s is refused, and leaves everything as it was', (_, sql, said) => {
    migrate(file, schema(SHELVES));
    const before = contents();
    expect(() => migrate(file, schema(SHELVES, rebuild(sql)))).toThrow(said);
    expect(contents()).toEqual(before);
    expect(migrate(file, schema(SHELVES, COLORS))).toEqual(['0002_colors']);
  });

  test('says of a dangling reference what to do', () => {
    migrate(file, schema(SHELVES));
    const database = new Database(file);
    database.run('INSERT INTO price VALUES (?, 1)', ['damaged']);
    database.close();
    const thrown = (): unknown => {
      try {
        return migrate(file, schema(SHELVES, COLORS));
      } catch (error) {
        return error;
      }
    };
    expect(thrown()).toBeInstanceOf(MigrationError);
    expect(thrown()).toMatchObject({ hint: expect.stringContaining('countersign fsck') });
  });
});

test('a process that is killed in the middle of a rebuild leaves the database as it was', async () => {
  migrate(file, schema(SHELVES));
  const before = contents();
  // Writes more than the page cache holds, so that the write-ahead log has half of it, and then does not end.
  const sql = `${COLORS.sql}
    CREATE TABLE filler AS WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 8000)
      SELECT zeroblob(1000) AS bytes FROM n;
    SELECT count(*) FROM (WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n);`;
  const child = Bun.spawn(
    [
      process.execPath,
      '-e',
      `import { migrate } from ${JSON.stringify(join(import.meta.dir, '../../../../../src/platform/store/migrations/migrate.ts'))};
       migrate(...JSON.parse(await Bun.stdin.text()));`,
    ],
    {
      stdin: new Blob([JSON.stringify([file, schema(SHELVES, rebuild(sql))])]),
      stdout: 'inherit',
      stderr: 'inherit',
    },
  );
  const log = `${file}-wal`;
  while ((statSync(log, { throwIfNoEntry: false })?.size ?? 0) < 4_000_000) {
    expect(child.exitCode).toBeNull();
    await Bun.sleep(5);
  }
  child.kill('SIGKILL');
  await child.exited;
  expect(readFileSync(log).length).toBeGreaterThan(4_000_000);
  // Whoever opens it next finds a log without a COMMIT, which does not count.
  expect(migrate(file, schema(SHELVES))).toEqual([]);
  expect(contents()).toEqual(before);
  expect(migrate(file, schema(SHELVES, COLORS))).toEqual(['0002_colors']);
});
