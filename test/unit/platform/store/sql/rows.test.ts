import { expect, test } from 'bun:test';
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import fc from 'fast-check';
import { hexBlob, idBlob, jsonText, nullableFlag } from '../../../../../src/platform/store/columns.ts';
import { type Reader, readerOfShape, rowReader } from '../../../../../src/platform/store/sql/rows.ts';
import { orNull } from '../../../../../src/platform/store/sql.ts';

const item = sqliteTable('item', {
  seq: integer('seq').notNull(),
  id: idBlob('item_')('id').notNull(),
  hash: hexBlob('hash'),
  flag: nullableFlag('flag'),
  more: jsonText<unknown>()('more'),
});
const owner = sqliteTable('owner', { name: text('name').notNull(), hash: hexBlob('hash').notNull() });

const shape = { item, owner: orNull(owner), 'a "quoted" name': owner.name, hash: orNull(item.hash) };

const bytes = fc.uint8Array({ minLength: 16, maxLength: 16 });
const maybe = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: null });
const name = fc.string({ unit: 'binary' });
const cells = fc.tuple(
  fc.integer(),
  bytes,
  maybe(bytes),
  fc.constantFrom(0, 1, null),
  maybe(fc.json()),
  maybe(name),
  maybe(bytes),
  name,
  maybe(bytes),
);

test('the compiled reader of rows reads what the interpreting one does', () => {
  const reader: Reader = readerOfShape(shape);
  const read = rowReader(reader);
  let rows = 0;
  fc.assert(
    fc.property(cells, (row) => {
      rows++;
      expect(read(row)).toEqual(reader.read(row, 0));
    }),
    { numRuns: 1000 },
  );
  expect(rows).toBeGreaterThan(900);
});
