import { join } from 'node:path';
import { restoreKeysCommand } from '../../platform/crypto/key-backup.ts';
import type { RestoreProblem, ServiceDatabase } from '../../platform/service-definition.ts';
import { readMigrated } from '../../platform/store/migrations/migrate.ts';
import { shellWord } from '../../platform/terminal/shell-word.ts';
import { HIGH_WATER_FILE, readHighWater } from '../log/high-water.ts';
import { missingKeys } from '../log/keys/files/missing-keys.ts';
import { FORK_HINT, forkReason } from '../log/lifecycle/fork.ts';
import { allLogs, earlierLogsOf, openLogsOf } from '../log/logs.ts';
import { ACTS_FILE } from '../operators/restored/acts-file.ts';
import { isRestorePending } from '../operators/restored/pending.ts';
import { countRestored } from '../payments/payouts/queue.ts';
import { masterKeyProblem } from './master-key.ts';

/** See `ServiceDefinition.restoreChecks`. */
export async function restoreProblems(data: string, database: ServiceDatabase): Promise<RestoreProblem[]> {
  const problems: RestoreProblem[] = [];
  const restoreKeys = restoreKeysCommand('trust', data);
  const missing = await missingKeys(data, database);
  if (missing.length > 0) {
    problems.push({
      what: `keys/ does not contain ${missing.length} of the signing keys that the database names: ${missing.join(', ')}`,
      hint: 'restore them with countersign keys restore; without them the service does not start',
      next: restoreKeys,
    });
  }
  const masterKey = await readMigrated(join(data, database.name), database.schema, (snapshot) =>
    masterKeyProblem(snapshot, data),
  );
  if (masterKey !== null) {
    problems.push({
      what: masterKey,
      hint: 'restore it with countersign keys restore; without the right one the service does not start',
      next: restoreKeys,
    });
  }
  const reason = await forkReasonIn(data, database);
  if (reason !== null)
    problems.push({
      what: `the log must not be continued: ${reason}`,
      hint: FORK_HINT,
      next: continueLog(data),
    });
  const isPending = await readMigrated(join(data, database.name), database.schema, isRestorePending);
  if (isPending)
    problems.push({
      what: 'withdrawals, settlements and payouts wait until you accept the restored database',
      hint: `copy ${ACTS_FILE} from the old data directory if this is a new one; then see countersign restore show`,
      next: `countersign restore show --data ${shellWord(data)} && countersign restore accept --data ${shellWord(data)}`,
    });
  const restored = await readMigrated(join(data, database.name), database.schema, countRestored);
  if (restored > 0) {
    problems.push({
      what: `${restored === 1 ? '1 withdrawal was' : `${restored} withdrawals were`} not paid yet in the backup, and may have been paid since; none is paid until you decide`,
      hint: 'see countersign payouts list; confirm those that were paid, release the others with countersign payouts release',
      next: `countersign payouts list --data ${shellWord(data)}`,
    });
  }
  return problems;
}

/** Returns the step that lets the log go on; `FORK_HINT` explains it. */
function continueLog(data: string): string {
  const at = `--data ${shellWord(data)}`;
  return readHighWater(data) === null
    ? `cp OLD_DATA/${HIGH_WATER_FILE} ${shellWord(data)}/; if it is lost, countersign recover --from-tiles COPY --trust-copy ${at}; without a copy of the log, countersign log restart ${at}`
    : `countersign recover --from-tiles COPY ${at}; without a copy of the log, countersign log restart ${at}`;
}

function forkReasonIn(data: string, { name, schema }: ServiceDatabase): Promise<string | null> {
  return readMigrated(join(data, name), schema, async (snapshot) => {
    const all = await allLogs(snapshot);
    const logs = openLogsOf(all) ?? earlierLogsOf(all);
    if (logs !== null) return forkReason(snapshot, logs, data);
    return readHighWater(data) === null
      ? null
      : `the database is older than the log: ${HIGH_WATER_FILE} states that a log was published`;
  });
}
