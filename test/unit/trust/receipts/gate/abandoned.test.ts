import { Database } from 'bun:sqlite';
import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { timestampOf } from '../../../../../src/platform/time/timestamp.ts';
import { DAY_MS } from '../../../../../src/platform/time/units.ts';
import { isAbandoned } from '../../../../../src/trust/receipts/gate/verdict.ts';
import { trustDatabase } from '../../../../../src/trust/service/database.ts';

const NOW = Date.parse('2026-11-21T12:00:00.000Z');

/** The expression of the column `lapses_at`, from the text of its migration. */
const LAPSES_AT = (() => {
  const text = trustDatabase.schema.migrations.map(({ sql }) => sql).join('\n');
  const column = /ADD COLUMN lapses_at INTEGER GENERATED ALWAYS AS \((.*?)\) VIRTUAL;/s.exec(text);
  if (column?.[1] === undefined) throw new Error('no migration adds lapses_at');
  return column[1];
})();

const near = fc.oneof(
  fc.integer({ min: -70 * DAY_MS, max: 40 * DAY_MS }),
  fc.constantFrom(0, 1, -1, -30 * DAY_MS, -30 * DAY_MS + 1, -30 * DAY_MS - 1),
);
/** A time as the service writes it, and as clients write expiries: without milliseconds, or with an offset. */
const written = fc.constantFrom<(ms: number) => string>(
  timestampOf,
  (ms) => timestampOf(ms).replace(/\.\d+Z$/, 'Z'),
  (ms) => timestampOf(ms + 2 * 3_600_000).replace('Z', '+02:00'),
);

test('the gate, by the column lapses_at, and the manifest agree about which pending receipts are abandoned', () => {
  const database = new Database(':memory:');
  const lapsesAt = database.query<{ at: number }, { issued_at: string; expiry: string }>(
    `SELECT ${LAPSES_AT} AS at FROM (SELECT $issued_at AS issued_at, $expiry AS expiry)`,
  );
  fc.assert(
    fc.property(near, near, written, (issued, expires, write) => {
      const [issuedAt, expiry] = [timestampOf(NOW + issued), write(NOW + expires)];
      const row = lapsesAt.get(Object({ $issued_at: issuedAt, $expiry: expiry }));
      const receipt = { status: 'pending', revocationStatus: 'active', issuedAt, expiry };
      expect(isAbandoned(receipt, NOW)).toBe(Number(row?.at) <= NOW);
      expect(isAbandoned({ ...receipt, revocationStatus: 'revoked' }, NOW)).toBe(true);
      expect(isAbandoned({ ...receipt, status: 'success' }, NOW)).toBe(false);
    }),
    { numRuns: 2000 },
  );
  database.close();
});
