import { Database } from 'bun:sqlite';
import { expect, test } from 'bun:test';
import { staffingDatabase } from '../../../../src/staffing/service/database.ts';

const NAME = '0007_webhook_deliveries';

test('the deliveries of an older database get the partner and tier of their webhook, and those of a deleted webhook none', () => {
  const { migrations } = staffingDatabase.schema;
  const at = migrations.findIndex(({ name }) => name === NAME);
  const database = new Database(':memory:', { strict: true });
  for (const { sql } of migrations.slice(0, at)) database.exec(sql);
  database.exec(`
    INSERT INTO partner (partner_seq, partner_id, name, email, created_at)
      VALUES (7, randomblob(16), 'Firm', 'a@firm.example', '2026');
    INSERT INTO webhook VALUES (x'${'ab'.repeat(16)}', 7, 'live', 'https://ats.firm.example/', 'sealed', '2026');
  `);
  for (const endpoint of [`wh_${'ab'.repeat(16)}`, `wh_${'cd'.repeat(16)}`]) {
    database.run(
      `INSERT INTO delivery (delivery_id, endpoint, url, event_type, body, created_at, state, attempts, next_attempt_at)
        VALUES (randomblob(16), ?, 'https://ats.firm.example/', 'a.b', '{}', '2026', 'pending', 0, '2026')`,
      [endpoint],
    );
  }
  database.exec(migrations[at]?.sql ?? '');
  expect(database.query('SELECT owner FROM delivery ORDER BY delivery_seq').values()).toEqual([
    ['partner 7 live'],
    [null],
  ]);
  const plan = database
    .query(
      "EXPLAIN QUERY PLAN SELECT * FROM delivery WHERE owner = +'x' ORDER BY delivery_seq DESC LIMIT 100",
    )
    .values()
    .map((row) => String(row.at(-1)));
  expect(plan).toEqual(['SEARCH delivery USING INDEX delivery_owner (owner=?)']);
  database.close();
});
