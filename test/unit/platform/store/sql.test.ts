import { Database } from 'bun:sqlite';
import { afterAll, describe, expect, expectTypeOf, test } from 'bun:test';
import { drizzle } from 'drizzle-orm/bun-sqlite';
import { alias, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { hexBlob, idBlob, jsonText } from '../../../../src/platform/store/columns.ts';
import { DuplicateRow } from '../../../../src/platform/store/errors.ts';
import { definitions, orNull, sqlOf } from '../../../../src/platform/store/sql.ts';
import { runQuery, snapshotOf } from '../../../../src/platform/store/transaction.ts';

const note = sqliteTable('note', {
  noteSeq: integer('note_seq').primaryKey(),
  noteId: idBlob('note_')('note_id').notNull(),
  authorSeq: integer('author_seq').notNull(),
  digest: hexBlob('digest'),
  labels: jsonText<string[]>()('labels').notNull(),
  state: text('state', { enum: ['draft', 'sent'] }).notNull(),
  isHidden: integer('is_hidden', { mode: 'boolean' }).notNull(),
});
const author = sqliteTable('author', {
  authorSeq: integer('author_seq').primaryKey(),
  name: text('name').notNull(),
  digest: text('digest'),
});
const editor = alias(author, 'editor');

const sqlite = new Database(':memory:', { strict: true });
sqlite.exec(`
  CREATE TABLE author (author_seq INTEGER PRIMARY KEY, name TEXT NOT NULL, digest TEXT) STRICT;
  CREATE TABLE note (note_seq INTEGER PRIMARY KEY, note_id BLOB NOT NULL UNIQUE, author_seq INTEGER NOT NULL, digest BLOB,
    labels TEXT NOT NULL, state TEXT NOT NULL, is_hidden INTEGER NOT NULL) STRICT;
`);
const connection = { sqlite, orm: drizzle({ client: sqlite }) };
const snapshot = snapshotOf(connection);
afterAll(() => sqlite.close());

const sql = sqlOf({ note, author });

/** What bun can expect of a promise of the store. */
const settled = async <T>(promise: Promise<T>): Promise<T> => await promise;

const insertAuthor = sql.insertReturning(author, ['authorSeq'], { without: ['authorSeq'] });
const insertNote = sql.insertRow(note, { without: ['noteSeq'], fixed: { state: 'draft' } });
const noteById = sql.row(note)`WHERE note_id = ${'noteId'}`;
const idOf = (digit: number) => `note_${String(digit).padStart(32, '0')}`;
const contentOf = (digit: number, authorSeq: number) => ({
  noteId: idOf(digit),
  authorSeq,
  digest: digit % 2 === 0 ? null : 'ab'.repeat(32),
  labels: ['a', 'b'],
  isHidden: digit > 2,
});

const { authorSeq: ada } = await insertAuthor(snapshot, { name: 'Ada', digest: null });
const { authorSeq: grace } = await insertAuthor(snapshot, { name: 'Grace', digest: 'x' });
for (const digit of [1, 2, 3]) await insertNote(snapshot, contentOf(digit, ada));

test('a row is stored and read with the encoding of each column', async () => {
  const stored = await noteById(snapshot, idOf(1));
  expect(stored).toEqual({ ...contentOf(1, ada), noteSeq: 1, state: 'draft' });
  expectTypeOf(stored).toEqualTypeOf<typeof note.$inferSelect | null>();
  expect(sqlite.query('SELECT hex(note_id) AS id, labels FROM note WHERE note_seq = 1').get()).toEqual({
    id: '1'.padStart(32, '0'),
    labels: '["a","b"]',
  });
  expect(await noteById(snapshot, idOf(9))).toBeNull();
});

test('a stored row is returned, with defaults and fixed values', async () => {
  expect(await insertNote(snapshot, contentOf(4, grace))).toEqual({
    ...contentOf(4, grace),
    noteSeq: 4,
    state: 'draft',
  });
});

test('a row that a unique index refuses rejects with DuplicateRow', async () => {
  await expect(settled(insertNote(snapshot, contentOf(1, ada)))).rejects.toBeInstanceOf(DuplicateRow);
});

test('several parameters are an object, and one that stands twice is given once', async () => {
  const between = sql.values(note.noteSeq)`
    WHERE author_seq = ${'authorSeq'} AND note_seq BETWEEN ${'from:noteSeq'} AND ${'to:noteSeq'}
      AND ${'from:noteSeq'} > 0 ORDER BY note_seq LIMIT ${'limit'}`;
  expect(await between(snapshot, { authorSeq: ada, from: 2, to: 4, limit: 9 })).toEqual([2, 3]);
  expectTypeOf<Parameters<typeof between>[1]>().toEqualTypeOf<{
    authorSeq: number;
    from: number;
    to: number;
    limit: number;
  }>();
});

test('a name of two tables is that of its own table, or is named with it', async () => {
  const own = sql.count(note)`WHERE digest = ${'digest'}`;
  expect(await own(snapshot, 'ab'.repeat(32))).toBe(2);
  const named = sql.run`UPDATE author SET digest = digest WHERE digest = ${'digest:author.digest'}`;
  expect(await named(snapshot, 'x')).toBe(1);
  const unclear = sql.run`UPDATE author SET digest = digest WHERE digest = ${'digest'}`;
  await expect(settled(unclear(snapshot, 'x'))).rejects.toThrow(/several tables have a column digest/);
});

test('only a parameter that is marked may be null', async () => {
  const set = sql.run`UPDATE note SET digest = ${'digest:note.digest?'} WHERE note_seq = ${'noteSeq'}`;
  expect(await set(snapshot, { digest: null, noteSeq: 3 })).toBe(1);
  expect(await sql.value(note.digest)`WHERE note_seq = ${'noteSeq'}`(snapshot, 3)).toBeNull();
  expect(await set(snapshot, { digest: 'ab'.repeat(32), noteSeq: 3 })).toBe(1);
  // @ts-expect-error a number is needed
  await expect(settled(set(snapshot, { digest: null, noteSeq: null }))).rejects.toThrow(
    'the parameter noteSeq has no value',
  );
  // @ts-expect-error a column that no table has
  expect(() => sql.row(note)`WHERE note_seq = ${'nothing'}`.on(connection, 1)).toThrow(
    /no table has a column/,
  );
});

test('joined rows have tables, columns, expressions and what may be absent', async () => {
  const states = sql.joined({
    note,
    name: author.name,
    editor: orNull(editor),
    editorName: orNull(editor.name),
    isNew: sql.flag`note.note_seq > ${'known:noteSeq'}`,
    newest: orNull(sql.like(note.digest)`(SELECT max(n.digest) FROM note n)`),
  });
  const rows = states.rows`FROM note JOIN author USING (author_seq)
    LEFT JOIN author editor ON editor.author_seq = note.note_seq + 1 WHERE note_seq < ${'before:noteSeq'} ORDER BY note_seq`;
  const found = await rows(snapshot, { known: 1, before: 3 });
  expect(found).toEqual([
    {
      note: { ...contentOf(1, ada), noteSeq: 1, state: 'draft' },
      name: 'Ada',
      editor: { authorSeq: grace, name: 'Grace', digest: 'x' },
      editorName: 'Grace',
      isNew: false,
      newest: 'ab'.repeat(32),
    },
    {
      note: { ...contentOf(2, ada), noteSeq: 2, state: 'draft' },
      name: 'Ada',
      editor: null,
      editorName: null,
      isNew: true,
      newest: 'ab'.repeat(32),
    },
  ]);
  expectTypeOf(found[0]?.editorName).toEqualTypeOf<string | null | undefined>();
  expectTypeOf(found[0]?.isNew).toEqualTypeOf<boolean | undefined>();
});

test('parts bring their parameters, and lists are one parameter', async () => {
  const listed = sql.part`note_seq IN (SELECT value FROM json_each(${'seqs:list'}))`;
  const find = sql.values(note.noteSeq)`WHERE ${listed} AND author_seq = ${'authorSeq'}
    AND EXISTS (SELECT 1 FROM ${sql.verbatim('author')})`;
  expect(await find(snapshot, { seqs: [1, 3, 4], authorSeq: ada })).toEqual([1, 3]);
});

describe('a change', () => {
  test('sets columns of an object, and says how many rows it changed', async () => {
    const setState = sql.update(note, ['state', 'isHidden'])`WHERE author_seq = ${'authorSeq'}`;
    expect(await setState(snapshot, { state: 'sent', isHidden: false, authorSeq: grace })).toBe(1);
    expect(await noteById(snapshot, idOf(4))).toMatchObject({ state: 'sent', isHidden: false });
  });

  test('returns members of the changed row', async () => {
    const hide = sql.returning({ noteSeq: note.noteSeq, wasSent: sql.flag`state = 'sent'` })`
      UPDATE note SET is_hidden = 1 WHERE note_id = ${'noteId'}`;
    expect(await hide(snapshot, idOf(4))).toEqual({ noteSeq: 4, wasSent: true });
    expect(await hide(snapshot, idOf(9))).toBeNull();
  });

  test('with ON CONFLICT says whether a row was stored', async () => {
    const put = sql.insert(note, { without: ['noteSeq'], end: 'ON CONFLICT DO NOTHING' });
    expect(await put(snapshot, { ...contentOf(1, ada), state: 'sent' })).toBe(0);
    const must = sql.insertReturning(note, ['noteSeq'], {
      without: ['noteSeq'],
      end: 'ON CONFLICT DO NOTHING',
    });
    await expect(settled(must(snapshot, { ...contentOf(1, ada), state: 'sent' }))).rejects.toThrow(
      /no row of note/,
    );
  });

  test('can have an expression for a column', async () => {
    const copy = sql.insertRow(note, {
      without: ['noteSeq'],
      fixed: { labels: sql.part`(SELECT labels FROM note WHERE author_seq = ${'authorSeq'} LIMIT 1)` },
    });
    const { labels: _, ...rest } = contentOf(5, grace);
    expect((await copy(snapshot, { ...rest, state: 'sent' })).labels).toEqual(['a', 'b']);
  });
});

test('several statements run at once in one query', async () => {
  const count = sql.count(author)``;
  const both = await runQuery(snapshot, (own) => [count.on(own), noteById.on(own, idOf(1))?.noteSeq]);
  expect(both).toEqual([2, 1]);
});

test('exists and value without a row are false and null', async () => {
  expect(await sql.exists(note)`WHERE note_seq = ${'noteSeq'}`(snapshot, 77)).toBe(false);
  expect(await sql.exists(note)`WHERE note_seq = ${'noteSeq'}`(snapshot, 1)).toBe(true);
  expect(
    await sql.value(sql.number`sum(note_seq)`)`FROM note WHERE note_seq > ${'noteSeq'}`(snapshot, 77),
  ).toBeNull();
});

test('a definition has the text and the columns of its statement', () => {
  sql.joined({ digest: note.digest, count: sql.number`count(*)` }, { scans: 'two rows' })
    .rows`FROM note WHERE author_seq = ${'authorSeq'}`;
  const last = definitions.at(-1);
  expect(last?.text()).toBe('SELECT note.digest, count(*) FROM note WHERE author_seq = +?');
  expect(last?.columns()).toEqual([note.digest, null]);
  expect(last?.scans).toBe('two rows');
});
