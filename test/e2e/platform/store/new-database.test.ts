import { Database } from 'bun:sqlite';
import { expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { staffingDatabase } from '../../../../src/staffing/service/database.ts';
import { trustDatabase } from '../../../../src/trust/service/database.ts';
import { witnessDatabase } from '../../../../src/witness/database.ts';
import { scratch, serve, witness } from '../../../support/process.ts';
import { SmallLog } from '../../../support/witness.ts';

function witnessOf(data: string) {
  const logs = `${data}.policy`;
  writeFileSync(logs, `${new SmallLog('small.example').policyLines}quorum none\n`);
  return witness(data, ['--name', 'witness.example/w1', '--logs', logs]);
}

test.each([
  ['trust', trustDatabase, (data: string) => serve(data)],
  ['staffing', staffingDatabase, (data: string) => serve(data, {}, ['--service', 'staffing'])],
  ['witness', witnessDatabase, witnessOf],
] as const)(
  'the executable makes a new database of the %s service at once, with all migrations',
  async (...[, { name, schema }, start]) => {
    const directory = scratch();
    try {
      const data = join(directory.path, 'data');
      await (await start(data)).stop();
      const database = new Database(join(data, name), { readonly: true });
      const recorded = database
        .query<{ name: string; applied_at: string }, []>('SELECT name, applied_at FROM schema_migration')
        .all();
      database.close();
      expect(recorded.map((row) => row.name).sort()).toEqual(schema.migrations.map((one) => one.name));
      expect(new Set(recorded.map((row) => row.applied_at)).size).toBe(1);
    } finally {
      directory.dispose();
    }
  },
);
