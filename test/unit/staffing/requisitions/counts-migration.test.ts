import { Database } from 'bun:sqlite';
import { expect, test } from 'bun:test';
import { staffingDatabase } from '../../../../src/staffing/service/database.ts';

const NAME = '0008_lists';

test('the requisitions of an older database are counted by partner and tier, and those that follow too', () => {
  const { migrations } = staffingDatabase.schema;
  const at = migrations.findIndex(({ name }) => name === NAME);
  const database = new Database(':memory:', { strict: true });
  for (const { sql } of migrations.slice(0, at)) database.exec(sql);
  for (const partner of [1, 2]) {
    database.run(
      `INSERT INTO partner (partner_seq, partner_id, name, email, created_at)
        VALUES (?1, randomblob(16), 'Firm', 'a' || ?1 || '@firm.example', '2026')`,
      [partner],
    );
  }
  const insert = (partner: number, mode: string): void => {
    database.run(
      `INSERT INTO requisition (requisition_id, partner_seq, mode, status, title, specialty, state, positions, body_digest, created_at, updated_at)
        VALUES (randomblob(16), ?1, ?2, iif(?2 = 'live', 'open', 'submitted'), 'Nurse', 'RN', 'TX', 1, randomblob(32), '2026', '2026')`,
      [partner, mode],
    );
  };
  const counts = () => database.query('SELECT * FROM requisition_count').values();
  insert(1, 'live');
  insert(1, 'live');
  insert(1, 'sandbox');
  database.exec(migrations[at]?.sql ?? '');
  expect(counts()).toEqual([
    [1, 'live', 2],
    [1, 'sandbox', 1],
  ]);
  insert(1, 'live');
  insert(2, 'sandbox');
  insert(2, 'sandbox');
  database.run("DELETE FROM requisition WHERE partner_seq = 2 AND mode = 'sandbox' AND rowid % 2 = 0");
  database.run("DELETE FROM requisition WHERE partner_seq = 1 AND mode = 'sandbox'");
  expect(counts()).toEqual([
    [1, 'live', 3],
    [1, 'sandbox', 0],
    [2, 'sandbox', 1],
  ]);
  expect(() => database.run("UPDATE requisition SET partner_seq = 2 WHERE mode = 'live'")).toThrow(
    'never change',
  );
  database.close();
});
