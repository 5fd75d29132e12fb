import { join } from 'node:path';
import type { Logger } from 'pino';
import type { Config } from '../../platform/config/setting.ts';
import type { OperationApp } from '../../platform/control/operation-app.ts';
import { type ContextOpener, requireService } from '../../platform/control/perform.ts';
import { type DataDirectory, refuseOthers, takeWritableDirectory } from '../../platform/data-directory.ts';
import type { Demonstration } from '../../platform/http/openapi/demonstration.ts';
import { openCursors } from '../../platform/http/pagination/open-cursors.ts';
import { Traffic } from '../../platform/http/traffic.ts';
import { freshIds, type Ids } from '../../platform/ids.ts';
import { HealthMonitor } from '../../platform/monitoring/health.ts';
import { LimitedLog } from '../../platform/monitoring/log-limit.ts';
import { type MetricsRecorder, noopRecorder } from '../../platform/monitoring/recorder.ts';
import type { Resolve } from '../../platform/network/name-resolver.ts';
import { ReadOnly } from '../../platform/store/errors.ts';
import { type SteadyClock, systemClock } from '../../platform/time/clock.ts';
import { AgentCache } from '../agents/agent-cache.ts';
import { issuerOf } from '../agents/dids/issuer.ts';
import { processorOf } from '../billing/open-processor.ts';
import { type ProcessorChoice, processorChoiceOf } from '../billing/processor/choice.ts';
import { refuseSandboxBookings } from '../billing/refuse-live-key.ts';
import { Packages } from '../compliance/packages/packages.ts';
import { CredentialCache } from '../credentials/cache.ts';
import { openAvatars } from '../evidence/cards/avatar-cache.ts';
import { reputationRecords } from '../evidence/reputation/agent-records.ts';
import { deliveriesOf } from '../hires/escrow/deliver.ts';
import { hireProblems } from '../hires/escrow/waiting.ts';
import { Months } from '../ledger/statements/months.ts';
import { OperatorBuilds } from '../ledger/statements/operator-builds.ts';
import type { MeetsQuorum } from '../log/checkpoints/cosigned.ts';
import { newestCheckpointDate } from '../log/checkpoints/newest-date.ts';
import { openClockWatch } from '../log/clock/start.ts';
import type { LogContent } from '../log/contents.ts';
import { healthOf } from '../log/health.ts';
import { recordEndedKeys } from '../log/keys/recorded-ends.ts';
import { openSigner, readSigner } from '../log/keys/signing-keys.ts';
import type { Origin } from '../log/lifecycle/create.ts';
import { openLogReadOnly, startLog } from '../log/lifecycle/open.ts';
import { logSettings } from '../log/settings.ts';
import { Principals } from '../operators/auth/authenticate.ts';
import { Quotas } from '../operators/quotas/quotas.ts';
import { ACTS_FILE } from '../operators/restored/acts-file.ts';
import { deletedKeys, LastingActs, openLastingActs } from '../operators/restored/lasting-acts.ts';
import { restoreProblem } from '../operators/restored/pending.ts';
import { openWithdrawalsOf } from '../payments/payouts/cut.ts';
import { payoutProblems } from '../payments/payouts/runner.ts';
import { openTaskStreams } from '../protocols/a2a/streams/open.ts';
import { Events } from '../webhooks/events.ts';
import type { CommandContext, LogCommandContext, SigningContext, TrustContext } from './context.ts';
import { trustDatabase, trustDatabaseOf } from './database.ts';
import { openSharedMasterKey } from './master-key.ts';
import type { TrustModule } from './module.ts';
import { trustModules } from './modules.ts';
import { openForReading, openForWriting, requireDatabaseForKeys } from './open-store.ts';
import { policyOf } from './policy.ts';
import { orRefused } from './refused-part.ts';
import { trustSettings } from './settings.ts';

/** The databases of other services, which must not be in the same data directory. */
const OTHER_DATABASES = ['staffing.db', 'witness.db'];

/** Options for opening a service. */
export interface OpenOptions {
  version: string;
  /** The URL of the service for its clients. */
  url: string;
  recorder?: MetricsRecorder;
  /** The requests in progress. */
  traffic?: Traffic;
  clock?: SteadyClock;
  /** Source of identifiers and secrets; random by default. */
  ids?: Ids;
  /** Modules of the service; all by default. */
  modules?: readonly TrustModule[];
  /** Resolves the host names of webhooks; by the hosts file and DNS by default. */
  resolve?: Resolve;
  /** True if webhooks may go to this machine only. */
  loopbackOnly?: boolean;
  /** The URL at which this process listens; without one, the sandbox processor sends no events. */
  listener?: string;
  /** The text that the demonstration shows about itself; null for any other service. */
  demonstration?: Demonstration | null;
  /** What makes it a test service; null for any other. */
  testing?: Testing | null;
}

/** What makes a service a test service. */
interface Testing {
  /** The name of its logs. */
  origin: string;
  /** The routes that only a test service has. */
  module: TrustModule;
}

/** Options for opening a service's context. */
interface TrustOptions extends OpenOptions {
  /** The quorum of the witness policy; null for none. */
  quorum: MeetsQuorum | null;
  /** The number of servers of the witness policy, whose cosignatures confirm the clock. */
  witnessServers: number;
}

interface Opened<Context> {
  context: Context;
  /** Commits pending transactions and closes the database. */
  close(): Promise<void>;
}

/** Options for opening a data directory. */
interface ContextOptions {
  clock: SteadyClock;
  ids: Ids;
  recorder: MetricsRecorder;
  traffic: Traffic;
  modules: readonly TrustModule[];
  readOnly: boolean;
  /** True for a command: what it does not need may be missing, and it publishes no checkpoint. */
  isCommand: boolean;
  /** The URL of the service for its clients; null for a command. */
  url: string | null;
  origin: Origin;
  quorum: MeetsQuorum | null;
  witnessServers: number;
  /** The payment processor. Commands need none, and may lack the secrets of the service. */
  processor: ProcessorChoice;
}

/** Returns how a command opens a data directory: without a name for new logs, so the logs must exist. */
const commandOptions = (modules: readonly TrustModule[]): ContextOptions => ({
  clock: systemClock,
  ids: freshIds,
  recorder: noopRecorder,
  traffic: new Traffic(),
  modules,
  readOnly: false,
  isCommand: true,
  url: null,
  origin: { configured: null, default: null, isTest: false },
  quorum: null,
  witnessServers: 0,
  processor: null,
});

/**
 * Opens the service's context with its keys and its logs, and publishes the newest checkpoints.
 * @throws Failure when signing would fork the log
 */
export async function openTrust(
  directory: DataDirectory,
  config: Config,
  log: Logger,
  {
    url,
    quorum,
    witnessServers,
    recorder = noopRecorder,
    clock = systemClock,
    ids = freshIds,
    traffic = new Traffic(),
    modules = trustModules,
    testing = null,
  }: TrustOptions,
): Promise<Opened<TrustContext>> {
  // Contradicting settings are refused before a migration changes anything.
  const processor = processorChoiceOf(config);
  const opened = await openContext(directory, config, log, {
    clock,
    ids,
    recorder,
    traffic,
    modules,
    readOnly: trustSettings.readOnly.in(config) === 'on',
    isCommand: false,
    url,
    origin:
      testing === null
        ? { configured: logSettings.logOrigin.in(config), default: new URL(url).host, isTest: false }
        : { configured: null, default: testing.origin, isTest: true },
    quorum,
    witnessServers,
    processor,
  });
  const { store, health } = opened.context;
  try {
    store.files.watchKeys(join(directory.path, 'keys'));
    await health.refresh();
    return opened;
  } catch (error) {
    await opened.close();
    throw error;
  }
}

/** Returns how a command that calls operations opens the data directory while the service is stopped. */
export function localServiceOpening(
  config: Config,
  log: Logger,
  modules: readonly TrustModule[],
): ContextOpener<OperationApp> {
  return {
    database: trustDatabase.name,
    async open(directory) {
      const { context, close } = await openContext(directory, config, log, commandOptions(modules));
      const { openLocalApp } = await import('./local-app.ts');
      return { context: await openLocalApp(context, config, log, modules), close };
    },
  };
}

/**
 * Runs `act` on a data directory while the service is stopped, with its keys and without opening its logs.
 * @throws Failure when a server uses the directory, or it has no database of the service
 */
export async function withServiceStopped<T>(
  path: string,
  config: Config,
  log: Logger,
  modules: readonly TrustModule[],
  act: (context: LogCommandContext, directory: string) => Promise<T>,
): Promise<T> {
  requireService(path, trustDatabase.name);
  const directory = takeWritableDirectory(path, {
    allowShared: trustSettings.allowSharedData.in(config) === 'on',
  });
  try {
    const { context: commandContext, close } = await openCommandContext(
      directory,
      config,
      log,
      commandOptions(modules),
    );
    try {
      const signingContext = { ...commandContext, signer: await readSigner(commandContext.store, path) };
      return await act({ ...signingContext, contents: await loadLogContents(modules, signingContext) }, path);
    } finally {
      await close();
    }
  } finally {
    directory.release();
  }
}

/** Opens the parts of the service's context in order. A read-only server creates nothing. */
async function openContext(
  directory: DataDirectory,
  config: Config,
  logger: Logger,
  options: ContextOptions,
): Promise<Opened<TrustContext>> {
  const { clock, recorder, modules, readOnly, isCommand, url, origin, quorum } = options;
  const opened = isCommand ? orRefused : <Part>(open: () => Promise<Part>) => open();
  const { path } = directory;
  const { context, close } = await openCommandContext(directory, config, logger, options);
  try {
    const { store } = context;
    await refuseSandboxBookings(store, options.processor);
    // Before anything is dated by the clock.
    const clockWatch = await openClockWatch({
      store,
      clock,
      witnessServers: options.witnessServers,
      readOnly,
      newestDate: newestCheckpointDate,
    });
    const signer = await opened(() => (readOnly ? readSigner(store, path) : openSigner(store, path, clock)));
    const masterKey = await opened(() => openSharedMasterKey(store, path, readOnly));
    const contents = await loadLogContents(modules, { ...context, signer });
    const base = { store, clock, clockWatch, signer, contents, quorum };
    const log = await opened(() =>
      readOnly
        ? openLogReadOnly(base, path)
        : startLog(base, path, origin, { observed: recorder.checkpoint, publishes: !isCommand }),
    );
    // The ends of an earlier version, and those that were not recorded before the process was killed.
    if (!readOnly) await recordEndedKeys(store, path);
    const events = new Events();
    const agentCache = new AgentCache(store);
    const avatars = openAvatars(store);
    const databaseFile = join(path, trustDatabase.name);
    const did = () => issuerOf({ url, signer }).did;
    const packages = new Packages({ ...context, clockWatch, signer, log, readOnly }, databaseFile, did);
    const months = new Months(databaseFile, new OperatorBuilds(context.policy.monthsPerMinute));
    const failures = new LimitedLog(logger);
    const parts = {
      ...context,
      failures,
      clockWatch,
      signer,
      log,
      events,
      agentCache,
      avatars,
      credentialCache: new CredentialCache(),
      deliveries: deliveriesOf({ ...context, clockWatch, events }),
      openWithdrawals: openWithdrawalsOf({ events }),
      packages,
      months,
      openJournals: new Set<string>(),
      taskStreams: openTaskStreams({ ...context, failures }, config),
      processor: processorOf(options.processor, { ...context, masterKey, url, log: failures }),
      masterKey,
      ...{ directory: path, databaseFile, url, readOnly },
    };
    const failed = (err: unknown): void => logger.error({ err }, 'the server could not check itself');
    const health = new HealthMonitor(async () => {
      const { isHealthy, problems } = await healthOf(parts);
      // A database that does not work cannot be asked.
      const restore = isHealthy ? await restoreProblem(parts) : null;
      const wrong = [restore, parts.acts.problem].filter((problem) => problem !== null);
      const hires = isHealthy ? await hireProblems(parts) : [];
      const notices = [...payoutProblems(parts), ...hires, parts.quotas.problem, parts.acts.notice].filter(
        (notice) => notice !== null,
      );
      return {
        isHealthy: isHealthy && wrong.length === 0,
        problems: [...problems, ...wrong, ...notices],
      };
    }, failed);
    const closeAll = async (): Promise<void> => {
      parts.taskStreams.stop();
      packages.close();
      months.close();
      await close();
    };
    return { context: { ...parts, health }, close: closeAll };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Opens the parts of the context that need no signing key. */
async function openCommandContext(
  directory: DataDirectory,
  config: Config,
  log: Logger,
  { recorder, clock, ids, traffic, readOnly, modules }: ContextOptions,
): Promise<Opened<CommandContext>> {
  // Contradicting settings are refused before a migration changes anything.
  const policy = policyOf(config);
  const { name, schema } = trustDatabaseOf(modules);
  const file = join(directory.path, name);
  refuseOthers(directory.path, OTHER_DATABASES);
  requireDatabaseForKeys(directory.path, file);
  const failures = new LimitedLog(log);
  const failed = (err: unknown): void => {
    // Background writes such as last_used_at are expected to fail in a read-only service.
    if (!(err instanceof ReadOnly)) failures.error(err, {}, 'the store failed outside of a request');
  };
  const warn = (err: unknown): void => failures.error(err, {}, `${ACTS_FILE} cannot be written`);
  const { store, close } = readOnly
    ? openForReading(directory.path, file, schema, failed)
    : openForWriting(directory, file, schema, log, {
        failed,
        group: recorder.commitGroup,
        openRequests: () => traffic.open,
      });
  try {
    const quotas = new Quotas(clock, policy.quotas);
    const principals = new Principals(store, clock, quotas, failed);
    const cursors = await openCursors(store, clock, readOnly);
    const opening = {
      store,
      clock,
      directory: directory.path,
      failed: warn,
      corrections: schema.afterRestore ?? [],
    };
    const acts = readOnly ? new LastingActs(opening, 0) : await openLastingActs(opening);
    principals.refuse(await deletedKeys(opening));
    return {
      context: {
        store,
        clock,
        ids,
        policy,
        principals,
        quotas,
        cursors,
        acts,
        traffic,
        agentRecords: reputationRecords,
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Loads the contents of the logs from the modules. */
async function loadLogContents(
  modules: readonly TrustModule[],
  context: SigningContext,
): Promise<readonly LogContent[]> {
  const loaded = await Promise.all(modules.map((module) => module.logContents?.()));
  return loaded.flatMap((contents) => contents?.logContents(context) ?? []);
}
