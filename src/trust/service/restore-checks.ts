import { join } from 'node:path';
import { hasMasterKey } from '../../platform/crypto/master-key.ts';
import type { RestoreProblem, ServiceDatabase } from '../../platform/service-definition.ts';
import { readMigrated } from '../../platform/store/migrations/migrations.ts';
import { missingKeys } from '../keys/files/missing-keys.ts';
import { openLogs } from '../log/logs.ts';
import { FORK_HINT, forkReason } from '../log/recovery/fork.ts';
import { HIGH_WATER_FILE, readHighWater } from '../log/recovery/high-water.ts';
import { hasWebhooks } from '../webhooks/webhooks.ts';

/** What a restored data directory lacks before the service can be served on it. */
export async function restoreProblems(data: string, database: ServiceDatabase): Promise<RestoreProblem[]> {
  const problems: RestoreProblem[] = [];
  const missing = await missingKeys(data, database);
  if (missing.length > 0) {
    problems.push({
      what: `keys/ lacks ${missing.length} of the signing keys that it names: ${missing.join(', ')}`,
      hint: 'countersign keys restore brings them back; without them the service does not start',
    });
  }
  if (await isMasterKeyMissing(data, database)) {
    problems.push({
      what: 'keys/ lacks master.key, which alone opens the secrets of webhooks',
      hint: 'countersign keys restore brings it back; without it the service does not start',
    });
  }
  const reason = await forkReasonIn(data, database);
  if (reason !== null) problems.push({ what: `the log must not be signed on: ${reason}`, hint: FORK_HINT });
  return problems;
}

async function isMasterKeyMissing(data: string, { name, schema }: ServiceDatabase): Promise<boolean> {
  return !hasMasterKey(data) && (await readMigrated(join(data, name), schema, hasWebhooks));
}

function forkReasonIn(data: string, { name, schema }: ServiceDatabase): Promise<string | null> {
  return readMigrated(join(data, name), schema, async (snapshot) => {
    const logs = await openLogs(snapshot);
    if (logs !== null) return forkReason(snapshot, logs, data);
    return readHighWater(data) === null
      ? null
      : `the database is older than the log of which ${HIGH_WATER_FILE} tells`;
  });
}
