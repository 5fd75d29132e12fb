import type { Connection } from '../../platform/store/connection.ts';
import { schemaDifferences } from '../../platform/store/schema-check.ts';
import type { Finding } from '../../proof/log/finding.ts';
import { trustDatabase } from '../database.ts';
import { derivedRows } from './counts.ts';

/**
 * What follows from the rest: the counts by which lists, the gate and reputations go, from receipts and evidence, and the tables, indexes and triggers,
 * from the migrations. It is told last, since whatever it does not fit to is better told of by its own place.
 */
export function derivedFindings(connection: Connection): Finding[] {
  return connection.sqlite.transaction(() => [
    ...derivedRows({ connection }).map(({ table, what, row, expected, found }) => ({
      table,
      row,
      what,
      expected: String(expected),
      found: found === null ? 'no row' : String(found),
    })),
    ...schemaDifferences(connection.sqlite, trustDatabase.schema).map(({ type, name, what }) => ({
      table: 'sqlite_schema',
      row: { type, name },
      what,
    })),
  ])();
}
