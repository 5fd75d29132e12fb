import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { type Clock, systemClock } from '../platform/clock.ts';
import type { Config } from '../platform/config/setting.ts';
import { type DataDirectory, refuseOthers } from '../platform/data-directory.ts';
import { Failure } from '../platform/failure.ts';
import { type Health, HealthMonitor } from '../platform/health.ts';
import type { App } from '../platform/http/app.ts';
import { Limits } from '../platform/http/limits.ts';
import { LimitedLog } from '../platform/log-limit.ts';
import type { Figure } from '../platform/metrics.ts';
import { type Observer, unobserved } from '../platform/observer.ts';
import { readPolicyFile } from '../platform/policy-file.ts';
import type { Job } from '../platform/scheduler.ts';
import { logFigure as walFigure } from '../platform/store/figure.ts';
import { migrateAndTell } from '../platform/store/migrations.ts';
import { openStore, type Store } from '../platform/store/store.ts';
import { formatVerifierKey, type VerifierKey } from '../proof/log/note.ts';
import { createWitnessApp } from './app.ts';
import type { Witness } from './checkpoints/add.ts';
import { witnessFigures } from './checkpoints/figures.ts';
import { Forks } from './checkpoints/forks.ts';
import { witnessDatabase } from './database.ts';
import { openIdentity } from './identity/identity.ts';
import { witnessSettings } from './settings.ts';

/** Those of the services that a witness must not move in with. */
const OTHER_DATABASES = ['trust.db', 'staffing.db'];
/** What the name of a log may have for ML-DSA-44 to sign it (C2SP tlog-cosignature). */
const MAX_ORIGIN_BYTES = 255;
/** Of one log: their lines and the witness's own all stand in one note. */
const MAX_KEYS = 32;

export interface WitnessService {
  witness: Witness;
  app(): App;
  /** The keys that others verify its cosignatures with. */
  vkeys: readonly string[];
  jobs: readonly Job[];
  figures: readonly Figure[];
  /** See `RunningService`. */
  checkFiles(): string | null;
  /** Commits what is under way and closes the database. */
  close(): Promise<void>;
}

/** Opens a witness on its data directory. @throws Failure, KeyFileError, DataDirectoryError */
export async function openWitness(
  directory: DataDirectory,
  config: Config,
  log: Logger,
  { observer = unobserved, clock = systemClock }: { observer?: Observer; clock?: Clock } = {},
): Promise<WitnessService> {
  const logs = trustedLogs(witnessSettings.logs.in(config));
  const limits = new Limits({
    on: witnessSettings.rateLimits.in(config) === 'on',
    trustedProxies: witnessSettings.trustedProxies.in(config),
  });
  const file = join(directory.path, witnessDatabase.name);
  refuseOthers(directory.path, OTHER_DATABASES);
  refuseKeysAlone(directory.path, file);
  migrateAndTell(file, witnessDatabase.schema, log);
  const failures = new LimitedLog(log);
  const failed = (err: unknown): void => failures.error(err, {}, 'the store failed beside a request');
  const store = openStore(file, directory.durability, { failed, group: observer.group });
  try {
    const identity = await openIdentity(store, directory.path, clock, witnessSettings.name.in(config));
    const forks = new Forks(join(directory.path, 'forks'), log);
    const health = new HealthMonitor(
      () => healthOf(store),
      (err) => log.error({ err }, 'the witness could not check itself'),
    );
    const witness: Witness = { store, clock, identity, logs, forks, health, log };
    store.files.watchKeys(join(directory.path, 'keys'));
    await health.refresh();
    const policies = {
      submissions: { name: 'submissions', requests: witnessSettings.submissions.in(config), seconds: 60 },
      publicReads: { name: 'public-reads', requests: witnessSettings.publicReads.in(config), seconds: 60 },
    };
    return {
      witness,
      app: () => createWitnessApp(witness, limits, policies, observer),
      vkeys: identity.verifiers.map(formatVerifierKey),
      jobs: [health.task, store.files.task],
      figures: [...witnessFigures(witness), walFigure(file)],
      checkFiles: () => store.files.check(),
      close: () => store.close(),
    };
  } catch (error) {
    await store.close();
    throw error;
  }
}

/** Whether the witness can cosign, and what is wrong when it cannot. */
export async function healthOf(store: Store): Promise<Health> {
  const lost = store.files.check();
  if (lost !== null) return { isWell: false, problems: [lost] };
  if (await store.healthy()) return { isWell: true, problems: [] };
  return {
    isWell: false,
    problems: ['The database does not answer, or the disk did not take the last write.'],
  };
}

/** The keys of the logs of a policy, by origin. @throws Failure (exit code 2) */
function trustedLogs(path: string | null): ReadonlyMap<string, readonly VerifierKey[]> {
  if (path === null) {
    throw new Failure(
      'nobody said which logs are to be witnessed',
      'name a file with their log lines: --logs',
      2,
    );
  }
  const policy = readPolicyFile(path, 'logs', true);
  const logs = new Map<string, VerifierKey[]>();
  for (const { key } of policy.logs) {
    if (Buffer.byteLength(key.name) > MAX_ORIGIN_BYTES) {
      throw new Failure(
        `${path}: the name of a log has at most ${MAX_ORIGIN_BYTES} bytes`,
        `see ${key.name}`,
        2,
      );
    }
    const keys = [...(logs.get(key.name) ?? []), key];
    if (keys.length > MAX_KEYS)
      throw new Failure(`${path} has more than ${MAX_KEYS} keys of ${key.name}`, null, 2);
    logs.set(key.name, keys);
  }
  if (logs.size > 0) return logs;
  throw new Failure(`${path} names no log`, 'a line of it is "log <vkey>"', 2);
}

/** Keys that have cosigned, and nothing that tells what: they could be made to cosign something else. @throws Failure */
function refuseKeysAlone(directory: string, file: string): void {
  const keys = join(directory, 'keys');
  const hasKeys = existsSync(keys) && readdirSync(keys).some((name) => name.endsWith('.pem'));
  if (existsSync(file) || !hasKeys) return;
  throw new Failure(
    `${directory} has the keys of a witness, but ${witnessDatabase.name} is missing`,
    'a witness that does not know what it has cosigned begins anew, under another name, in another directory',
  );
}
