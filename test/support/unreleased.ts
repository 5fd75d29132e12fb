import { Database } from 'bun:sqlite';
import type { Schema } from '../../src/platform/store/migrations/migrations.ts';

/** The migrations of each database before they were squashed, with the SHA-256 of their texts: no release had them. */
export const UNRELEASED = {
  trust: [
    ['0001_receipts', '2913174325ed415be440f0c51867f056b171214d18bad2bbdb93aaf4aebf47c8'],
    ['0002_lists', '85a1b4ac662bad8d27f47060e95997d5d3dc0413a5279fbbafbb970ebc2c63fb'],
    ['0003_operators', '1c98a20a27b1f5a08ff56bf0bceac4fcef9e161644d9d625f740b2ff372364f7'],
    ['0004_log', 'd1f0addf755495e5cb9eb58724e5ab176a5bb1522e682955af6b3a2e47b2e0a7'],
    ['0005_agents', '06d9be808686dbd835d24695993b85d5ceeff9170d17069d28fa342f93a84b8e'],
    ['0006_evidence_index', '705df3eb1a24d79756a9d344724cf25c7df6f920d1f4f640206dfd78321f87bb'],
    ['0007_challenges', '05797b4f963203d14930482f0daf65e0750819f24f0754013cdeec3164de2939'],
    ['0008_cursor_key', '1886c7523c5aaabb58b631d53153babb3ada91442565d3884b02f54caac2cd6e'],
    ['0009_receipts', '30b3152fb2c5e8252d8c603271e483eb6ab8885c6a8608509952a2cd4b5c3df5'],
    ['0010_quotas', '551ab7aab4b12bbc242357e78976c4d34bc930f245e628924fa0df8d73146fca'],
    ['0011_sponsorship', 'cc5ea27a7ec61aeb7941f504952bdcd3574091e25675921bb672d2f250671ca5'],
    ['0012_authority_mark', 'f544570f3cca8773b6e6681deb5158fa62b21536cfc95366a060f9dddb436766'],
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
