import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from 'pino';
import type { Config } from '../../platform/config/setting.ts';
import { type ContextOpener, requireService } from '../../platform/control/perform.ts';
import { type DataDirectory, refuseOthers, takeDataDirectory } from '../../platform/data-directory.ts';
import { Failure } from '../../platform/failure.ts';
import type { Demonstration } from '../../platform/http/openapi/demonstration.ts';
import { Traffic } from '../../platform/http/traffic.ts';
import { freshIds, type Ids } from '../../platform/ids.ts';
import { HealthMonitor } from '../../platform/monitoring/health.ts';
import { LimitedLog } from '../../platform/monitoring/log-limit.ts';
import { type MetricsRecorder, noopRecorder } from '../../platform/monitoring/recorder.ts';
import type { Resolve } from '../../platform/network/name-resolver.ts';
import { ReadOnly } from '../../platform/store/errors.ts';
import {
  openMigratedWriter,
  pendingMigrations,
  type Schema,
} from '../../platform/store/migrations/migrations.ts';
import { openStore, readOnlyStore } from '../../platform/store/store.ts';
import { type SteadyClock, systemClock } from '../../platform/time/clock.ts';
import { ClockWatch } from '../../platform/time/clock-watch.ts';
import { AgentCache } from '../agents/agent-cache.ts';
import { openAvatars } from '../attestations/avatars.ts';
import type { CommandContext, LogCommandContext, SigningContext, TrustContext } from '../context.ts';
import { openCursors } from '../cursors/cursors.ts';
import { trustDatabase, trustDatabaseOf } from '../database.ts';
import { openSigner, readSigner } from '../keys/signing-keys.ts';
import type { LogContent } from '../log/contents.ts';
import { healthOf } from '../log/health.ts';
import type { Origin } from '../log/lifecycle/create.ts';
import { openLogReadOnly, startLog } from '../log/lifecycle/open.ts';
import { logSettings } from '../log/settings.ts';
import type { TrustModule } from '../module.ts';
import { trustModules } from '../modules.ts';
import { Principals } from '../operators/auth/principals.ts';
import { policyOf } from '../policy.ts';
import { Quotas } from '../quotas/quotas.ts';
import { trustSettings } from '../settings.ts';
import { Events } from '../webhooks/events.ts';

/** The databases of the other services, with which this one does not share a data directory. */
const OTHER_DATABASES = ['staffing.db', 'witness.db'];

/** What whoever opens a service decides. */
export interface OpenOptions {
  version: string;
  /** The URL under which it is known. */
  url: string;
  recorder?: MetricsRecorder;
  /** The requests that are being answered. */
  traffic?: Traffic;
  clock?: SteadyClock;
  /** Where its identifiers and secrets come from; else they are random. */
  ids?: Ids;
  /** Its capabilities; else all that there are. */
  modules?: readonly TrustModule[];
  /** Resolves the names of webhooks' receivers; else hosts file and DNS do. */
  resolve?: Resolve;
  /** Lets webhooks go to this machine only. */
  loopbackOnly?: boolean;
  /** What it says about itself as a demonstration; null where it is none. */
  demonstration?: Demonstration | null;
}

interface Opened<Context> {
  context: Context;
  /** Commits what is under way and closes the database. */
  close(): Promise<void>;
}

/** How a data directory is opened. */
interface ContextOptions {
  clock: SteadyClock;
  ids: Ids;
  recorder: MetricsRecorder;
  traffic: Traffic;
  modules: readonly TrustModule[];
  readOnly: boolean;
  /** The URL under which the service is known; null for a command. */
  url: string | null;
  origin: Origin;
}

/** How a command opens it: without a name for the log, so that one has to be there. */
const commandOptions = (modules: readonly TrustModule[]): ContextOptions => ({
  clock: systemClock,
  ids: freshIds,
  recorder: noopRecorder,
  traffic: new Traffic(),
  modules,
  readOnly: false,
  url: null,
  origin: { configured: null, fallback: null },
});

/**
 * Opens the service's context with its keys and its log, of which the newest checkpoints are published.
 * @throws Failure when the log must not be signed on
 */
export async function openTrust(
  directory: DataDirectory,
  config: Config,
  log: Logger,
  {
    url,
    recorder = noopRecorder,
    clock = systemClock,
    ids = freshIds,
    traffic = new Traffic(),
    modules = trustModules,
  }: OpenOptions,
): Promise<Opened<TrustContext>> {
  const opened = await openContext(directory, config, log, {
    clock,
    ids,
    recorder,
    traffic,
    modules,
    readOnly: trustSettings.readOnly.in(config) === 'on',
    url,
    origin: { configured: logSettings.logOrigin.in(config), fallback: new URL(url).host },
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

/** How a command opens the service of which nobody holds the data directory. */
export function commandContextOpening(
  config: Config,
  log: Logger,
  modules: readonly TrustModule[],
): ContextOpener<CommandContext> {
  return {
    database: trustDatabase.name,
    open: (directory) => openCommandContext(directory, config, log, commandOptions(modules)),
  };
}

/** The same for what needs the keys and the log. */
export function trustContextOpening(
  config: Config,
  log: Logger,
  modules: readonly TrustModule[],
): ContextOpener<TrustContext> {
  return {
    database: trustDatabase.name,
    open: (directory) => openContext(directory, config, log, commandOptions(modules)),
  };
}

/**
 * Does something to a data directory that nobody serves, with its keys and without a look at its log.
 * @throws Failure when somebody serves it, or there is no such service
 */
export async function withServiceStopped<T>(
  path: string,
  config: Config,
  log: Logger,
  modules: readonly TrustModule[],
  act: (context: LogCommandContext, directory: string) => Promise<T>,
): Promise<T> {
  requireService(path, trustDatabase.name);
  const directory = takeDataDirectory(path);
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
  const { clock, recorder, modules, readOnly, url, origin } = options;
  const { path } = directory;
  const { context, close } = await openCommandContext(directory, config, logger, options);
  try {
    const { store } = context;
    const clockWatch = new ClockWatch(clock);
    const signer = await (readOnly ? readSigner(store, path) : openSigner(store, path, clock));
    const contents = await loadLogContents(modules, { ...context, signer });
    const base = { store, clock, clockWatch, signer, contents };
    const log = await (readOnly
      ? openLogReadOnly(base, path)
      : startLog(base, path, origin, recorder.checkpoint));
    const events = new Events();
    const agentCache = new AgentCache(store);
    const avatars = openAvatars(store);
    const parts = {
      ...context,
      clockWatch,
      signer,
      log,
      events,
      agentCache,
      avatars,
      directory: path,
      url,
      readOnly,
    };
    const failed = (err: unknown): void => logger.error({ err }, 'the server could not check itself');
    const health = new HealthMonitor(() => healthOf(parts), failed);
    return { context: { ...parts, health }, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Opens what needs no signing key. */
async function openCommandContext(
  directory: DataDirectory,
  config: Config,
  log: Logger,
  { recorder, clock, ids, traffic, readOnly, modules }: ContextOptions,
): Promise<Opened<CommandContext>> {
  // Settings that contradict each other are found before anything is migrated or open.
  const policy = policyOf(config);
  const { name, schema } = trustDatabaseOf(modules);
  const file = join(directory.path, name);
  refuseOthers(directory.path, OTHER_DATABASES);
  refuseKeysAlone(directory.path, file);
  if (readOnly) requireMigrated(directory.path, file, schema);
  const failures = new LimitedLog(log);
  const failed = (err: unknown): void => {
    // Of what is noted by the way, such as when a key was used last, nobody expects more.
    if (!(err instanceof ReadOnly)) failures.error(err, {}, 'the store failed outside of a request');
  };
  const opened = openStore(
    file,
    directory.durability,
    { failed, group: recorder.commitGroup, openRequests: () => traffic.open },
    readOnly
      ? { forReading: true }
      : { connection: openMigratedWriter(file, directory.durability, schema, log) },
  );
  const store = readOnly ? readOnlyStore(opened) : opened;
  const close = () => opened.close();
  try {
    const quotas = new Quotas(clock, policy.quotas);
    const principals = new Principals(store, clock, quotas, failed);
    const cursors = await openCursors(store, clock, readOnly);
    return { context: { store, clock, ids, policy, principals, quotas, cursors, traffic }, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** @throws Failure when there is no database, or one that a migration would have to change */
function requireMigrated(directory: string, file: string, schema: Schema): void {
  requireService(directory, trustDatabase.name);
  const [lackingMigration] = pendingMigrations(file, schema);
  if (lackingMigration === undefined) return;
  throw new Failure(
    `the migration ${lackingMigration} was not applied to the database`,
    'apply it with countersign migrate',
  );
}

/** Keys that have signed, and nothing that tells what: this is no first start. @throws Failure */
function refuseKeysAlone(directory: string, file: string): void {
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  const keys = join(directory, 'keys');
  if (size > 0 || !existsSync(keys) || !readdirSync(keys).some((name) => name.endsWith('.pem'))) return;
  throw new Failure(
    `${directory} has signing keys, but ${trustDatabase.name} is ${existsSync(file) ? 'empty' : 'missing'}`,
    'restore a backup with countersign restore; to start with an empty database, move the keys directory away',
  );
}

/** Loads the contents of the logs from the modules. */
async function loadLogContents(
  modules: readonly TrustModule[],
  context: SigningContext,
): Promise<readonly LogContent[]> {
  const loaded = await Promise.all(modules.map((module) => module.logContents?.()));
  return loaded.flatMap((contents) => contents?.logContents(context) ?? []);
}
