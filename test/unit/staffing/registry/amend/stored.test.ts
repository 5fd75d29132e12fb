import { Database } from 'bun:sqlite';
import { afterAll, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openReader } from '../../../../../src/platform/store/connection.ts';
import { StoredClinicians } from '../../../../../src/staffing/registry/amend/stored.ts';
import { buildRegistry } from '../../../../../src/staffing/registry/build.ts';
import { madeUpClinicians } from '../../../../../src/staffing/registry/sample/sample.ts';
import { OPTIONS } from '../../../../support/registry.ts';

const directory = mkdtempSync(join(tmpdir(), 'countersign-stored-'));
afterAll(() => rmSync(directory, { recursive: true }));

const DAMAGE = [
  ['text that is no JSON', "UPDATE entry SET head = 'x' || head"],
  [
    'a member of another type',
    `UPDATE entry SET head = replace(head, '"first_name":"', '"first_name":7,"x":"')`,
  ],
  ['a city that is a list', `UPDATE entry SET tail = replace(tail, '"city":"', '"city":[],"x":"')`],
  ['a set of codes that is missing', 'DELETE FROM codes'],
] as const;

test.each(DAMAGE)('a clinician with %s is reported as damaged, with its NPI', (_, damage) => {
  const file = join(directory, buildRegistry(directory, madeUpClinicians(50, 5), OPTIONS).name);
  const database = new Database(file, { readwrite: true });
  database.run(damage);
  database.close();
  const connection = openReader(file);
  const stored = new StoredClinicians(connection);
  const [even = 0] = stored.pairs();
  expect(() => [...stored.cliniciansOf(even)]).toThrow(
    /^the record of the clinician \d{10} in the registry file is damaged$/,
  );
  connection.sqlite.close();
});
