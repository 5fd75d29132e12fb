import { join } from 'node:path';
import type { Logger } from 'pino';
import type { Config } from '../../platform/config/setting.ts';
import { operationHandler } from '../../platform/control/operation.ts';
import type { ContextOpener } from '../../platform/control/perform.ts';
import { openMasterKey } from '../../platform/crypto/master-key.ts';
import { type DataDirectory, refuseOthers } from '../../platform/data-directory.ts';
import { Sender } from '../../platform/delivery/sender.ts';
import { outbox } from '../../platform/delivery/store.ts';
import type { TargetPolicy } from '../../platform/delivery/target.ts';
import { DailyLimit } from '../../platform/http/daily-limit/daily-limit.ts';
import type { GrowingApp } from '../../platform/http/documented-app.ts';
import type { Demonstration } from '../../platform/http/openapi/demonstration.ts';
import { Cursors } from '../../platform/http/pagination/cursor.ts';
import { RateLimiter } from '../../platform/http/request/rate-limits.ts';
import { Traffic } from '../../platform/http/traffic.ts';
import { freshIds, type Ids } from '../../platform/ids.ts';
import { lazy } from '../../platform/lazy.ts';
import { actionsOf, metricsOf, moduleLoader, tasksOf } from '../../platform/module.ts';
import { type Health, HealthMonitor } from '../../platform/monitoring/health.ts';
import { LimitedLog } from '../../platform/monitoring/log-limit.ts';
import { type MetricsRecorder, noopRecorder } from '../../platform/monitoring/recorder.ts';
import { walMetric } from '../../platform/monitoring/wal-metric.ts';
import { NameResolver, type Resolve } from '../../platform/network/name-resolver.ts';
import { type ServiceBackground, withControl } from '../../platform/service-definition.ts';
import { openMigratedWriter } from '../../platform/store/migrations/migrate.ts';
import { openStore, type Store } from '../../platform/store/store.ts';
import { TEST_DELIVERY_GRACE_MS } from '../../platform/test-service/times.ts';
import { type Clock, type SteadyClock, systemClock, systemTimers } from '../../platform/time/clock.ts';
import { ClockWatch } from '../../platform/time/clock-watch.ts';
import { startWorker } from '../../platform/workers/workers.ts';
import { type Bootstrap, bootstrap, cursorKeyOf } from '../accounts/bootstrap.ts';
import { workEmail } from '../accounts/create-sandbox-key.ts';
import { Principals } from '../accounts/keys/authenticate.ts';
import { Meter } from '../accounts/keys/meter.ts';
import { openMailer } from '../accounts/mail/mail.ts';
import { accountsSettings } from '../accounts/settings.ts';
import { adminSettings } from '../admin/settings.ts';
import { SearchThreads } from '../clinicians/search-threads.ts';
import { cliniciansSettings, searchThreadsOf } from '../clinicians/settings.ts';
import { Importer, type ImporterContext } from '../imports/importer.ts';
import { recoverImports } from '../imports/recover.ts';
import { oldData } from '../imports/rules.ts';
import { startInWorker } from '../imports/thread.ts';
import { RegistryLock } from '../registry/changes-lock.ts';
import type { RegistryHandle } from '../registry/handle.ts';
import { registrySettings } from '../registry/settings.ts';
import { allSuppressed } from '../suppressions/apply-again.ts';
import { webhooksSettings } from '../webhooks/settings.ts';
import { endpointOf, hasWebhooks } from '../webhooks/webhook.ts';
import { createStaffingApp } from './app.ts';
import type { CommandContext, StaffingContext } from './context.ts';
import { staffingDatabase, staffingDatabaseOf } from './database.ts';
import type { StaffingModule, StaffingRunning } from './module.ts';
import { staffingModules } from './modules.ts';
import { openRegistryOf, sampleIfNeeded } from './open-registry.ts';
import { policyOf } from './policy.ts';
import { staffingSettings } from './settings.ts';

/** Time limits: of one attempt to deliver a webhook, and of the attempts under way when the service stops. */
const DELIVERY_MS = 5000;
const SENDER_GRACE_MS = 5000;

/** The service signs nothing: a clock that was set counts as right after this time. */
const CLOCK_ACCEPTED_MS = 3_600_000;

/** With so many requests at once, searches go to other threads. */
const BUSY_REQUESTS = 3;

/** The databases of the other services, which must not share this service's data directory. */
const OTHER_DATABASES = ['trust.db', 'witness.db'];

/** Options for opening a data directory. */
interface ContextOptions {
  recorder: MetricsRecorder;
  traffic: Traffic;
  modules: readonly StaffingModule[];
  clock: SteadyClock;
  ids: Ids;
  /** Resolves the names of webhooks' receivers. */
  resolve: Resolve;
  loopbackOnly: boolean;
  random(): number;
}

/** Options for opening the service; tests and demonstrations replace the defaults. */
export interface OpenOptions {
  version: string;
  recorder?: MetricsRecorder;
  /** The requests in progress. */
  traffic?: Traffic;
  /** All modules by default. */
  modules?: readonly StaffingModule[];
  clock?: SteadyClock;
  /** The source of identifiers and secrets; random by default. */
  ids?: Ids;
  /** Resolves the host names of webhook receivers; by the hosts file and DNS by default. */
  resolve?: Resolve;
  /** Lets webhooks go to this machine only. */
  loopbackOnly?: boolean;
  /** The description of the demonstration; null when the service is not one. */
  demonstration?: Demonstration | null;
  /** The routes that only a test service has; null for any other service. */
  testing?: StaffingModule | null;
  /** Returns a number from 0 up to 1, for the jitter of webhooks' retries. */
  random?: () => number;
}

export interface StaffingService {
  staffing: StaffingContext;
  firstStart: Bootstrap;
  /**
   * Returns the HTTP application. `serverUrl`: the server in its OpenAPI document; `/` means the document's
   * origin.
   */
  app(serverUrl: string): GrowingApp;
  /** Loads the scheduled tasks, metrics and commands. @throws Failure when two modules have the same one */
  background(): Promise<ServiceBackground<CommandContext>>;
  /** See `RunningService`. */
  checkFiles(): string | null;
  /** Commits the open transactions and closes the database and the registry. */
  close(): Promise<void>;
}

/**
 * Opens the staffing service on its data directory: migrations, store, registry, and the first start's
 * secrets.
 */
export async function openStaffingService(
  directory: DataDirectory,
  config: Config,
  log: Logger,
  options: OpenOptions,
): Promise<StaffingService> {
  const {
    version,
    recorder = noopRecorder,
    traffic = new Traffic(),
    clock = systemClock,
    ids = freshIds,
    resolve = new NameResolver().resolve,
    loopbackOnly = false,
    demonstration = null,
    testing = null,
    random = Math.random,
  } = options;
  const modules: readonly StaffingModule[] = options.modules ?? staffingModules;
  const sample = await sampleIfNeeded(join(directory.path, 'registry'), registrySettings.sample.in(config));
  const mailer = await openMailer(
    accountsSettings.smtpUrl.in(config),
    accountsSettings.smtpFrom.in(config),
    // A separate resolver: host names from partners' webhooks must not use up the capacity for configured
    // names.
    new NameResolver().resolve,
  );
  const email = accountsSettings.bootstrapEmail.in(config);
  const given = {
    adminToken: adminSettings.adminToken.in(config),
    email: email === null ? null : await workEmail(email),
  };
  const opened = await openContext(
    directory,
    config,
    log,
    { recorder, traffic, modules, clock, ids, resolve, loopbackOnly, random },
    (store) => bootstrap(store, { clock, ids }, given),
  );
  const { context, started } = opened;
  try {
    const registry = await openRegistryOf(context, sample, log);
    const meter = new Meter(context.store, context.clock, context.policy);
    const { adminTokenHash } = started;
    const registryChanged = (): void => void registry.reopen();
    void registry.keepWarm((err) => log.warn({ err }, 'the file of the registry cannot be read as a whole'));
    const importer = importerOf({ ...context, registryChanged }, log, false);
    const searchThreads = new SearchThreads(
      registry,
      searchThreadsOf(cliniciansSettings.searchThreads.in(config)),
      { start: () => startWorker('searcher'), isBusy: () => traffic.load >= BUSY_REQUESTS },
    );
    const health = new HealthMonitor(
      () => healthOf(context.store, registry, clock),
      (err) => log.error({ err }, 'the server could not check itself'),
    );
    const clockWatch = new ClockWatch(clock, { acceptAfterMs: CLOCK_ACCEPTED_MS });
    const staffing = {
      ...context,
      clockWatch,
      meter,
      mailer,
      registry,
      searchThreads,
      registryChanged,
      importer,
      health,
      adminTokenHash,
    };
    context.store.files.watchKeys(join(directory.path, 'keys'));
    await health.refresh();
    await context.sender.start();
    const limits = new RateLimiter({
      on: context.policy.limitsOn,
      trustedProxies: staffingSettings.trustedProxies.in(config),
    });
    const loader = await moduleLoader(testing === null ? modules : [...modules, testing]);
    const running: StaffingRunning = { staffing, config };
    return {
      ...running,
      firstStart: started,
      app: (serverUrl) =>
        createStaffingApp({
          ...running,
          ...loader,
          limits,
          log,
          recorder,
          version,
          serverUrl,
          demonstration,
          checksResponses: staffingSettings.checkResponses.in(config) === 'on',
        }),
      async background() {
        const loaded = await loader.loaded();
        const background = {
          tasks: [
            health.task,
            context.store.files.task,
            { name: 'watch the clock', everyMs: 1000, run: async () => void clockWatch.look() },
            ...tasksOf(loaded, running, clockWatch),
          ],
          metrics: metricsOf(loaded, running, [walMetric(join(directory.path, staffingDatabase.name))]),
          actions: [
            ...actionsOf(loaded),
            operationHandler(
              lazy(async () => (await import('./local-app.ts')).localStaffingApp(staffing, log)),
            ),
          ],
        };
        return withControl<CommandContext>(background, directory, staffing, log);
      },
      checkFiles: () => context.store.files.check(),
      async close() {
        await importer.stop();
        await context.sender.stop(testing === null ? SENDER_GRACE_MS : TEST_DELIVERY_GRACE_MS);
        // A write error must not prevent the remaining parts from closing.
        await meter.flush().catch((err: unknown) => log.error({ err }, 'the usage was not written'));
        searchThreads.end();
        registry.close();
        await opened.close();
      },
    };
  } catch (error) {
    await opened.close();
    throw error;
  }
}

/** Checks that no other service has its data in a directory. @throws DataDirectoryError */
export function refuseOtherServices(path: string): void {
  refuseOthers(path, OTHER_DATABASES);
}

/** Returns how a command opens the service when no server uses the data directory. */
export function staffingOpening(
  config: Config,
  log: Logger,
  modules: readonly StaffingModule[],
): ContextOpener<CommandContext> {
  return {
    database: staffingDatabase.name,
    async open(directory) {
      const options = {
        recorder: noopRecorder,
        traffic: new Traffic(),
        modules,
        clock: systemClock,
        ids: freshIds,
        resolve: new NameResolver().resolve,
        loopbackOnly: false,
        random: Math.random,
      };
      const { context, close } = await openContext(directory, config, log, options, async (store) => ({
        cursorKey: await cursorKeyOf(store),
      }));
      // The command itself reports how its import ended.
      const importer = importerOf(context, log.child({}, { level: 'fatal' }), true);
      await recoverImports(context, log);
      return {
        context: { ...context, importer },
        async close() {
          await importer.stop();
          await close();
        },
      };
    },
  };
}

/** The context of commands, and what the importer also uses. */
type WithoutImporter = Omit<CommandContext, 'importer'> & Pick<ImporterContext, 'databasePath'>;

/** @param hasPriority whether nothing else runs that its threads could delay */
function importerOf(context: WithoutImporter, log: Logger, hasPriority: boolean): Importer {
  return new Importer({
    ...context,
    log,
    startWork: startInWorker(hasPriority),
    suppressedNpis: () => allSuppressed(context),
  });
}

/** @param secretsOf returns the secrets that the service needs, and creates those that are missing */
async function openContext<Secrets extends { cursorKey: Uint8Array }>(
  directory: DataDirectory,
  config: Config,
  log: Logger,
  { recorder, traffic, modules, clock, ids, resolve, loopbackOnly, random }: ContextOptions,
  secretsOf: (store: Store) => Promise<Secrets>,
) {
  refuseOtherServices(directory.path);
  const { name, schema } = staffingDatabaseOf(modules);
  const file = join(directory.path, name);
  const failures = new LimitedLog(log);
  const failed = (err: unknown): void => failures.error(err, {}, 'the store failed outside of a request');
  const connection = openMigratedWriter(file, directory.durability, schema, log);
  const hooks = { failed, group: recorder.commitGroup, openRequests: () => traffic.open };
  const store = openStore(file, directory.durability, hooks, { connection });
  const close = () => store.close();
  try {
    const started = await secretsOf(store);
    const masterKey = openMasterKey(directory.path, await store.read(hasWebhooks));
    const targets: TargetPolicy = {
      allowPrivate: webhooksSettings.allowPrivateWebhooks.in(config) === 'on',
      loopbackOnly,
      resolve,
    };
    const sender = new Sender({
      store,
      outbox,
      endpoint: (snapshot, webhookId) => endpointOf(snapshot, webhookId, masterKey),
      attemptOptions: { targets, timeoutMs: DELIVERY_MS },
      clock,
      timers: systemTimers,
      log,
      random,
    });
    const policy = policyOf(config);
    const context: WithoutImporter = {
      store,
      clock,
      ids,
      policy,
      dailyKeys: new DailyLimit(clock, policy.limitsOn ? policy.newAccountsPerDay : null),
      principals: new Principals(store),
      cursors: new Cursors(started.cursorKey),
      sender,
      targets,
      masterKey,
      registryPath: join(directory.path, 'registry'),
      databasePath: file,
      registryLock: new RegistryLock(),
      registryChanged: () => undefined,
      unappliedSuppressions: new Set(),
    };
    return { context, started, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function healthOf(store: Store, registry: RegistryHandle, clock: Clock): Promise<Health> {
  const lost = store.files.check();
  if (lost !== null) return { isHealthy: false, problems: [lost] };
  const problems: string[] = [];
  if (!(await store.healthy())) {
    problems.push('The database does not respond, or the disk did not accept the last write.');
  }
  if (!registry.isInPlace) problems.push('The file of the registry that is served was removed or replaced.');
  const isHealthy = problems.length === 0;
  const old = isHealthy ? oldData(await registry.info(), clock) : null;
  return { isHealthy, problems: old === null ? problems : [old] };
}
