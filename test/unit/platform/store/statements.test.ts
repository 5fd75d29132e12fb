import { Database } from 'bun:sqlite';
import { describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadModule, parseSync } from 'libpg-query';
import registrySchema from '../../../../db/staffing/registry/schema.sql' with { type: 'text' };
import { freshDatabase } from '../../../../src/platform/store/migrations/apply-migration.ts';
import { staffingDatabase } from '../../../../src/staffing/service/database.ts';
import { trustDatabase } from '../../../../src/trust/service/database.ts';
import { witnessDatabase } from '../../../../src/witness/database.ts';
import { type DefinedStatement, definedStatements } from '../../../support/defined-statements.ts';

/** The tables that do not grow with use, so that reading them as a whole costs little. */
const SMALL = new Set([
  'authority_mark',
  'clock_mark',
  'cosigning_key',
  'cursor_key',
  'delivery_clock',
  'identity',
  'key_leaf',
  'log',
  'registry',
  'reputation_clock',
  'secret',
  'service_token',
  'signing_key',
]);

const schemas = [trustDatabase, staffingDatabase, witnessDatabase].map(({ schema }) => schema);
const registry = new Database(':memory:', { strict: true });
registry.exec(registrySchema);
const databases = [...schemas.map(freshDatabase), registry].map((sqlite) => {
  const tables = new Set(tablesOf(sqlite));
  return { sqlite, tables };
});

interface Statement extends DefinedStatement {
  sqlite: Database;
}
const statements: Statement[] = [];
const unprepared: string[] = [];
for (const defined of await definedStatements()) {
  const owner = databases.find(
    ({ sqlite, tables }) =>
      defined.tables.every((table) => tables.has(table)) && prepares(sqlite, defined.text),
  );
  if (owner === undefined) unprepared.push(defined.text);
  else statements.push({ ...defined, sqlite: owner.sqlite });
}

function tablesOf(sqlite: Database): string[] {
  const tables = sqlite
    .query<{ name: string }, []>("SELECT name FROM sqlite_schema WHERE type = 'table'")
    .all();
  return tables.map(({ name }) => name);
}

function prepares(sqlite: Database, text: string): boolean {
  try {
    sqlite.prepare(text).finalize();
    return true;
  } catch {
    return false;
  }
}

test('every statement is accepted by the database of its service', () => {
  expect(unprepared).toEqual([]);
  expect(statements.length).toBeGreaterThan(10);
});

test('every statement returns the columns that its type says', () => {
  for (const { text, columns, sqlite } of statements) {
    if (columns === null) continue;
    const prepared = sqlite.prepare(text);
    expect([text, prepared.columnNames.length]).toEqual([text, columns.length]);
    for (const [index, column] of columns.entries()) {
      if (column === null) continue;
      const reported = [prepared.columnNames[index], prepared.declaredTypes[index]];
      expect([text, ...reported]).toEqual([text, column.name, column.type]);
    }
  }
});

describe('the plan of a statement', () => {
  test('reads and sorts no table that grows as a whole, unless the statement says why', () => {
    const faults = statements.flatMap(({ text, scans, isAudit, sqlite }) => {
      if (isAudit || scans !== null) return [];
      return wholeReads(sqlite, text).map((step) => `${step}: ${text}`);
    });
    expect(faults).toEqual([]);
  });

  test('a statement that says why it reads a whole table does so', () => {
    const idle = statements.filter(
      ({ text, scans, sqlite }) => scans !== null && wholeReads(sqlite, text).length === 0,
    );
    expect(idle.map(({ text }) => text)).toEqual([]);
  });
});

/** Returns the steps of a plan that read or sort a whole table that grows. */
function wholeReads(sqlite: Database, text: string): string[] {
  const steps = sqlite.query<{ detail: string }, []>(`EXPLAIN QUERY PLAN ${text}`).all();
  const names = tableNames(sqlite, text);
  const sorts = steps.filter(({ detail }) => /^USE TEMP B-TREE FOR (?:ORDER|GROUP) BY/.test(detail));
  // The first rows of an index, without a condition that could make them many.
  if (sorts.length === 0 && / LIMIT /.test(text) && !/ WHERE /.test(text)) return [];
  return steps.flatMap(({ detail }) => {
    if (sorts.some((step) => step.detail === detail) || detail.includes('AUTOMATIC')) return detail;
    const table = names.get(/^SCAN (\w+)(?! VIRTUAL)/.exec(detail)?.[1] ?? '');
    return table === undefined || SMALL.has(table) ? [] : detail;
  });
}

/** Returns the tables of a text by their names and aliases. */
function tableNames(sqlite: Database, text: string): Map<string, string> {
  return new Map(
    tablesOf(sqlite).flatMap((name) => {
      const pattern = new RegExp(`\\b(?:FROM|JOIN|,)\\s+${name}\\b(?:\\s+(?:AS\\s+)?(\\w+))?`, 'g');
      const found = [...text.matchAll(pattern)];
      return found.flatMap(([, alias = name]) => [[name, name] as const, [alias, name] as const]);
    }),
  );
}

test('most statements are text that PostgreSQL takes as it is', async () => {
  await loadModule();
  const refused = statements.filter(({ text }) => !isPostgres(text));
  const taken = `${statements.length - refused.length} of ${statements.length} statements`;
  const lines = refused.map(({ text }) => `  not: ${text.replace(/\s+/g, ' ')}\n`);
  process.stderr.write(`PostgreSQL would take ${taken} as they are\n${lines.join('')}`);
  const architecture = readFileSync(join(import.meta.dir, '../../../../docs/architecture.md'), 'utf8');
  expect(architecture.match(/\d+ of \d+ statements/)?.[0]).toBe(taken);
});

/** Functions that PostgreSQL has with the same name and meaning. */
const COMMON = new Set([
  'count',
  'sum',
  'max',
  'min',
  'coalesce',
  'lower',
  'upper',
  'length',
  'abs',
  'substr',
  'replace',
]);

function isPostgres(text: string): boolean {
  let parameter = 0;
  const numbered = text.replace(/\+?\?/g, () => `$${++parameter}`);
  try {
    const tree = JSON.stringify(parseSync(numbered));
    const called = [...tree.matchAll(/"funcname":\[(.*?)\]/g)].flatMap(([, list = '']) =>
      [...list.matchAll(/"sval":"(\w+)"/g)].map(([, name = '']) => name),
    );
    return called.every((name) => COMMON.has(name));
  } catch {
    return false;
  }
}
