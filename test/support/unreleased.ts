import { Database } from 'bun:sqlite';
import type { Schema } from '../../src/platform/store/migrations/migrate.ts';

/**
 * The migrations of each database before they were squashed, with the SHA-256 of their texts: no release had
 * them.
 */
export const UNRELEASED = {
  trust: [
    ['0001_operators', '2995906d6635bda4344e9d7508f99490e29483c9b1a874f9a80e4316fdaa6705'],
    ['0002_keys', 'eea25c019b84ee24cbcecfbc96b588721e9e8f084d8fbfab9a3d30d6e91c191c'],
    ['0003_receipts', '11c20cb08d9ed95b3229ed734bee61bb7d2e628767578ee992a4b339f43d7c21'],
    ['0004_gate', '7babe49179b811cd6e2addabccc63ae171679f4f45a3ad45758477122503c1b2'],
    ['0005_log', '4ef91e4df4ed45b67a1b1a6811ddccced94d953ee867572057e10938c3a8808b'],
    ['0006_witnesses', '753445f204854dea10e7fa3092b28039adde7932135cb6c3e6a2b3c69171d9ee'],
    ['0007_agents', '4c91667a04825216f6ad0da5044dd1d8fbc5d5be4fa077d5d13c69f5cb3d2d1e'],
    ['0008_evidence', '414c7b8063d5bfbc310ef3e621d79b06f05748730bf7cd93a4b8fcf0d86dbd4f'],
    ['0009_reputation', '5b0f735df299305a8e01366ee4e24cbe046d3f47377d4401ddf4ce2a2772cd50'],
    ['0010_webhooks', '6c19d8e5264384517bc619712ab16a1698c489e07f3571dea677e305733ef135'],
    ['0011_idempotency', '2839b169d9240f19ea11672595fb9e22f0a591bf9e778d94b1ac1a57fc08762a'],
    ['0012_cursors', '62c4dd694213f2fc9eb383cb3a3188e8b09920a01505aad240e0416905b6ebb9'],
    ['0013_quotas', '10a795b1a2a80a204d38940913843e43ed7f5ed3c5cd81bc953114f077bd751f'],
    ['0014_authority', 'dbaeb85ae1907940b1d7f4f7dc09900e977bcbb057b7aabbdc7559c9225ddeed'],
  ],
  staffing: [
    ['0001_accounts', '522bb778dd7e28ac551447480d5a90eb2df2abcdd6c31fe099dffadc6982764e'],
    ['0002_suppressed_records', '2585dfd8113c4c2d9273213e7feb65485f9724812949ed2de5b2298133b0d096'],
  ],
  witness: [['0001_witness', '604e4a0d15929c8fa27986f262898f49a57bddd29667e731bac6dcd709e4bbef']],
} as const satisfies Record<string, readonly (readonly [name: string, sha256: string])[]>;

/** Creates a database file of an unreleased version, with the first `count` migrations of that version. */
export function unreleasedDatabase(
  file: string,
  { applicationId, service }: Schema,
  count = Number.POSITIVE_INFINITY,
): void {
  const database = new Database(file, { create: true, strict: true });
  database.run('PRAGMA journal_mode = WAL');
  database.run(`PRAGMA application_id = ${applicationId}`);
  database.run(
    'CREATE TABLE schema_migration (name TEXT NOT NULL PRIMARY KEY, sha256 TEXT NOT NULL, applied_at TEXT NOT NULL) STRICT',
  );
  // A table that only unreleased versions had.
  database.run('CREATE TABLE evidence_unindexed (evidence_seq INTEGER PRIMARY KEY) STRICT');
  const former: readonly (readonly [string, string])[] = Object(UNRELEASED)[service];
  for (const [name, sha256] of former.slice(0, count)) {
    database.run('INSERT INTO schema_migration VALUES (?, ?, ?)', [name, sha256, '2026-01-01T00:00:00.000Z']);
  }
  database.close();
}
