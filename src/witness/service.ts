import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from 'pino';
import type { Config } from '../platform/config/setting.ts';
import { type DataDirectory, refuseOthers } from '../platform/data-directory.ts';
import { Failure } from '../platform/failure.ts';
import type { App } from '../platform/http/app.ts';
import { RateLimiter } from '../platform/http/request/rate-limits.ts';
import { loadModules, metricsOf, tasksOf } from '../platform/module.ts';
import { type Health, HealthMonitor } from '../platform/monitoring/health.ts';
import { LimitedLog } from '../platform/monitoring/log-limit.ts';
import type { Metric } from '../platform/monitoring/metrics.ts';
import { type MetricsRecorder, noopRecorder } from '../platform/monitoring/recorder.ts';
import { walMetric } from '../platform/monitoring/wal-metric.ts';
import type { ScheduledTask } from '../platform/scheduler.ts';
import { openMigratedWriter } from '../platform/store/migrations/migrate.ts';
import { openStore, type Store } from '../platform/store/store.ts';
import { type SteadyClock, systemClock } from '../platform/time/clock.ts';
import { ClockWatch } from '../platform/time/clock-watch.ts';
import { formatVerifierKey } from '../proof/log/note.ts';
import { createWitnessApp } from './app.ts';
import { Forks } from './checkpoints/forks.ts';
import { trustedLogs } from './checkpoints/logs.ts';
import { checkpointsSettings } from './checkpoints/settings.ts';
import type { WitnessContext } from './context.ts';
import { witnessDatabase, witnessDatabaseOf } from './database.ts';
import { openIdentity } from './identity/identity.ts';
import { identitySettings } from './identity/settings.ts';
import type { WitnessModule } from './module.ts';
import { witnessModules } from './modules.ts';
import { witnessSettings } from './settings.ts';

/** The databases of the other services, which must not share the witness's data directory. */
const OTHER_DATABASES = ['trust.db', 'staffing.db'];
/** Options for opening a witness; tests replace the defaults. */
export interface OpenOptions {
  recorder?: MetricsRecorder;
  clock?: SteadyClock;
  /** All modules by default. */
  modules?: readonly WitnessModule[];
}

export interface WitnessService {
  witness: WitnessContext;
  app(): App;
  /** The verifier keys of its cosignatures (C2SP signed-note). */
  vkeys: readonly string[];
  /** Returns the scheduled tasks and the metrics. */
  background(): Promise<{ tasks: readonly ScheduledTask[]; metrics: readonly Metric[] }>;
  /** See `RunningService`. */
  checkFiles(): string | null;
  /** Commits the open transactions and closes the database. */
  close(): Promise<void>;
}

/** Opens a witness on its data directory. @throws Failure, KeyFileError, DataDirectoryError */
export async function openWitness(
  directory: DataDirectory,
  config: Config,
  log: Logger,
  { recorder = noopRecorder, clock = systemClock, modules = witnessModules }: OpenOptions = {},
): Promise<WitnessService> {
  const logs = trustedLogs(checkpointsSettings.logs.in(config));
  const limits = new RateLimiter({
    on: witnessSettings.rateLimits.in(config) === 'on',
    trustedProxies: witnessSettings.trustedProxies.in(config),
  });
  const { name, schema } = witnessDatabaseOf(modules);
  const file = join(directory.path, name);
  refuseOthers(directory.path, OTHER_DATABASES);
  requireDatabaseForKeys(directory.path, file);
  const failures = new LimitedLog(log);
  const failed = (err: unknown): void => failures.error(err, {}, 'the store failed outside a request');
  const connection = openMigratedWriter(file, directory.durability, schema, log);
  const hooks = { failed, group: recorder.commitGroup };
  const store = openStore(file, directory.durability, hooks, { connection });
  try {
    const identity = await openIdentity(store, directory.path, clock, identitySettings.name.in(config));
    const forks = new Forks(join(directory.path, 'forks'), log);
    const health = new HealthMonitor(
      () => healthOf(store, clockWatch),
      (err) => log.error({ err }, 'the health check failed'),
    );
    const clockWatch = new ClockWatch(clock);
    const witness: WitnessContext = { store, clock, clockWatch, identity, logs, forks, health, log };
    store.files.watchKeys(join(directory.path, 'keys'));
    await health.refresh();
    const loaded = await loadModules(modules);
    const running = { witness, config };
    return {
      witness,
      app: () => createWitnessApp({ ...running, modules: loaded, limits, recorder }),
      vkeys: identity.verifiers.map(formatVerifierKey),
      background: async () => ({
        tasks: [
          health.task,
          store.files.task,
          { name: 'watch the clock', everyMs: 1000, run: async () => void clockWatch.look() },
          ...tasksOf(loaded, running, clockWatch),
        ],
        metrics: metricsOf(loaded, running, [walMetric(file)]),
      }),
      checkFiles: () => store.files.check(),
      close: () => store.close(),
    };
  } catch (error) {
    await store.close();
    throw error;
  }
}

/** Returns whether the witness can cosign, and the problems that prevent it. */
export async function healthOf(store: Store, clockWatch: ClockWatch): Promise<Health> {
  const lost = store.files.check();
  if (lost !== null) return { isHealthy: false, problems: [lost] };
  if (!(await store.healthy())) {
    return {
      isHealthy: false,
      problems: ['The database does not respond, or the last write to the disk failed.'],
    };
  }
  const jump = clockWatch.look();
  if (jump === null) return { isHealthy: true, problems: [] };
  const seconds = Math.round(Math.abs(jump) / 1000);
  return {
    isHealthy: false,
    problems: [
      `The clock was set ${jump > 0 ? 'ahead' : 'back'} by ${seconds} seconds: nothing is cosigned until it is right again. If its new time is the right one, restart the witness.`,
    ],
  };
}

/**
 * Refuses to start with keys but without the database: the witness could then cosign a fork, because it no
 * longer knows which checkpoints it has cosigned. @throws Failure
 */
function requireDatabaseForKeys(directory: string, file: string): void {
  const keys = join(directory, 'keys');
  const hasKeys = existsSync(keys) && readdirSync(keys).some((name) => name.endsWith('.pem'));
  if (existsSync(file) || !hasKeys) return;
  throw new Failure(
    `${directory} has the keys of a witness, but its database ${witnessDatabase.name} is missing`,
    'these keys must not cosign again: create a witness with another name in a new directory',
  );
}
