import { Database } from 'bun:sqlite';
import { expect, test } from 'bun:test';
import { WriteFence } from '../../../../src/platform/store/write-fence.ts';

const numberOf = (sqlite: Database) => sqlite.query('PRAGMA user_version').values();

test('a tenure of the database begins after the last there can be, and leaves nothing behind where it cannot', () => {
  using sqlite = new Database(':memory:');
  sqlite.run(`PRAGMA user_version = ${2 ** 31 - 1}`);
  WriteFence.begin(sqlite).check();
  expect(numberOf(sqlite)).toEqual([[0]]);
  sqlite.run('PRAGMA query_only = ON');
  expect(() => WriteFence.begin(sqlite)).toThrow('readonly');
  expect([sqlite.inTransaction, numberOf(sqlite)]).toEqual([false, [[0]]]);
});
