import { rmSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Logger } from 'pino';
import type { platformSettings } from '../platform/config/platform-settings.ts';
import type { Config, Setting } from '../platform/config/setting.ts';
import { type DataDirectory, takeDataDirectory } from '../platform/data-directory.ts';
import { asDiskFailure } from '../platform/files/disk-failure.ts';
import { requireWritable, writeSecretFile } from '../platform/files/write.ts';
import type { App } from '../platform/http/app.ts';
import type { GrowingApp } from '../platform/http/documented-app.ts';
import { listen, type Server } from '../platform/http/server.ts';
import { Traffic } from '../platform/http/traffic.ts';
import { createLog } from '../platform/monitoring/log.ts';
import { noopRecorder } from '../platform/monitoring/recorder.ts';
import { readTls } from '../platform/network/tls.ts';
import { type ScheduledTask, schedule } from '../platform/scheduler.ts';
import type { Background, RunningService, ServiceEnvironment } from '../platform/service-definition.ts';
import { systemTimers } from '../platform/time/clock.ts';
import { waitingMetric } from '../platform/turns/metric.ts';
import { Turns } from '../platform/turns/turns.ts';
import { announcedSecrets } from './first-start-secrets.ts';
import { commit, fullVersion, version } from './version.ts';

/** The grace period after SIGTERM or SIGINT for requests and tasks in progress. */
const GRACE_MS = 10_000;

/** The event loop turns of one request: accept the connection, read the request, write the response. */
const LOOP_TURNS_PER_REQUEST = 4;

/**
 * The interval of the lock check. After the lock is removed, another process may serve at the same time for
 * two intervals; only one of them writes.
 */
const LOCK_CHECK_MS = 1000;

/** The description of a server for `runServer`. */
export interface ServerDefinition {
  name: string;
  /** The name in messages, such as `trust service`. */
  title: string;
  settings: Omit<ReturnType<typeof platformSettings>, 'service' | 'keysPassphrase' | 'printSecrets'>;
  /** The setting `print_secrets`; absent for a server whose start makes no secrets. */
  printSecrets?: Setting<'on' | 'off'>;
  config: Config;
  /** Returns labels and URLs for the start message. */
  links(url: string): readonly [string, string][];
  open(opening: ServiceEnvironment): Promise<RunningServer>;
}

/** A running server. `control` is absent for a server without local commands, such as the witness. */
export interface RunningServer extends Omit<RunningService, 'app' | 'background'> {
  app(serverUrl: string): App & Partial<Pick<GrowingApp, 'load'>>;
  background(): Promise<Omit<Background, 'control'> & Partial<Pick<Background, 'control'>>>;
}

/**
 * Runs a server until it ends: data directory, listener, metrics, scheduled tasks, ready file and signals.
 * Ends the process. @throws Failure
 */
export async function runServer(definition: ServerDefinition): Promise<void> {
  const { settings, config } = definition;
  const tls = readTls(settings.tlsCert.in(config), settings.tlsKey.in(config));
  const { log, reopen } = await createLog(settings.logLevel.in(config), settings.logFile.in(config));
  const readyFile = readyFileOf(definition);
  const data = settings.data.in(config);
  const directory = takeDataDirectory(data === ':memory:' ? data : resolve(data), {
    allowShared: settings.allowSharedData.in(config) === 'on',
  });
  warnIfWritableByOthers(directory.path, log);
  const closing: (() => Promise<void>)[] = [];
  // Handles signals from now on, because a reader of the ready file may send one at once.
  const stopping = stopSignal();
  // Without a log file on a terminal, SIGHUP means that the terminal was closed; otherwise it means reopening
  // the log file.
  const hungUp = new Promise<NodeJS.Signals>((resolve) => {
    const isOnTerminal = process.stderr.isTTY && settings.logFile.in(config) === null;
    process.on('SIGHUP', () => (isOnTerminal ? resolve('SIGHUP') : reopen()));
  });
  try {
    // Listens before anything is created. If the port is in use, the first start must not have created
    // secrets that it cannot print.
    const traffic = new Traffic();
    const turns = new Turns({ inFlight: settings.inFlight.in(config) });
    const server = listen(settings.host.in(config), settings.port.in(config), tls, { traffic, turns });
    closing.push(() => server.stop(GRACE_MS));
    const metrics = await openMetrics(definition);
    if (metrics !== null) closing.push(metrics.stop);
    // Removes the file of a previous start: a program that waits for a ready file must wait for this start.
    if (readyFile !== null) rmSync(readyFile, { force: true });
    const recorder = metrics?.recorder ?? noopRecorder;
    const baseUrl = settings.baseUrl.in(config);
    const url = baseUrl ?? server.url;
    const service = await definition.open({
      directory,
      config,
      log,
      version,
      recorder,
      traffic,
      url,
      listener: server.url,
    });
    // Closed last, because requests may be in progress until then.
    closing.unshift(() => service.close());
    closing.push(async () => service.endStreams?.());
    // At once: a process that is killed after this start would leave nobody with the secrets.
    const secretLines =
      service.secrets == null
        ? []
        : announcedSecrets(service.secrets, {
            directory: directory.path,
            isTemporary: directory.durability === 'memory',
            readyFile,
            print: definition.printSecrets?.in(config) === 'on',
            isTerminal: process.stdout.isTTY === true,
          });
    const app = service.app(baseUrl ?? (tls === null ? '/' : server.url));
    server.serve(app);
    // Lets health checks that are already waiting finish before loading the rest.
    for (let turn = 0; turn < LOOP_TURNS_PER_REQUEST; turn += 1)
      await new Promise((resolve) => setImmediate(resolve));
    const { tasks, metrics: serviceMetrics, control } = await service.background();
    metrics?.add([...serviceMetrics, waitingMetric(turns)]);
    const scheduler = schedule([...tasks, lockWatch(directory, service.checkFiles, log)], {
      log,
      timers: systemTimers,
      recorder,
    });
    closing.push(() => scheduler.stop());
    const commands = control?.();
    if (commands !== undefined) closing.push(() => commands.stop());
    await app.load?.();
    announce(definition, service, {
      url,
      server,
      metricsUrl: metrics?.url ?? null,
      data: directory.path,
      secretLines,
    });
    if (readyFile !== null) {
      const ready = { url, service: definition.name, version, pid: process.pid, ...service.ready };
      writeSecretFile(readyFile, `${JSON.stringify(ready, null, 2)}\n`);
      closing.push(async () => rmSync(readyFile, { force: true }));
    }
    log.info({ version, commit, url, listening: server.url }, 'ready');
    log.info({ signal: await Promise.race([stopping, hungUp]) }, 'stopping');
  } catch (error) {
    throw asDiskFailure(error, directory.path);
  } finally {
    // Even after a failure, the server handles no requests once another process can lock the directory.
    for (const close of closing.reverse()) await close();
    directory.release();
    log.info('stopped');
  }
  // A pending DNS lookup cannot be cancelled and would keep the process alive for 20 s or more.
  process.exit();
}

/**
 * Returns the task that ends the process after its lock was removed or replaced, because another process may
 * serve the directory now. It ends like a kill: the socket, the ready file and the database may belong to the
 * other process. If the database was removed too, the process stays with the only copy, and writes nothing.
 * Removing a whole directory may remove the lock first, so only the second failed check ends the process.
 */
function lockWatch(directory: DataDirectory, checkFiles: () => string | null, log: Logger): ScheduledTask {
  let wasLocked = true;
  return {
    name: 'watch the lock',
    everyMs: LOCK_CHECK_MS,
    async run() {
      const isLocked = directory.isHeld();
      const isSecond = !wasLocked;
      wasLocked = isLocked;
      if (isLocked || !isSecond || checkFiles() !== null) return;
      const message = `the lock in ${directory.path} was removed or replaced while it was held`;
      log.fatal(message);
      process.stderr.write(`countersign: error: ${message}\n`);
      process.stderr.write('countersign: hint: do not touch that file; start again\n');
      process.exit(1);
    },
  };
}

function warnIfWritableByOthers(data: string, log: Logger): void {
  if ((statSync(data).mode & 0o022) === 0) return;
  log.warn(
    { data },
    'the data directory is writable by other users, who could replace its files: run chmod 700 on it',
  );
}

/** Opens the metrics listener; the code is loaded only when a metrics port is set. */
async function openMetrics({ name, settings, config }: ServerDefinition) {
  const port = settings.metricsPort.in(config);
  if (port === null) return null;
  const { createMetrics } = await import('../platform/monitoring/metrics.ts');
  const metrics = createMetrics(name, version);
  return { ...metrics, ...metrics.listen(settings.metricsHost.in(config), port) };
}

/**
 * Returns the path of the ready file; null if none is configured.
 * @throws Failure if the file is not writable
 */
function readyFileOf({ settings, config }: ServerDefinition): string | null {
  const path = settings.readyFile.in(config);
  if (path === null) return null;
  requireWritable(resolve(path));
  return resolve(path);
}

/** Resolves at the first signal; the second signal ends the process at once. */
function stopSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    let stopping = false;
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      process.on(signal, () => {
        if (stopping) process.exit(signal === 'SIGINT' ? 130 : 143);
        stopping = true;
        resolve(signal);
      });
    }
  });
}

interface StartupInfo {
  url: string;
  server: Server;
  metricsUrl: string | null;
  data: string;
  secretLines: readonly string[];
}

function announce(
  { title, settings, config, links }: ServerDefinition,
  { announcement }: RunningServer,
  { url, server, metricsUrl, data, secretLines }: StartupInfo,
): void {
  const lines = [
    `countersign ${fullVersion}, ${title}`,
    '',
    ...links(url).map(([label, link]) => `  ${label.padEnd(12)} ${link}`),
    `  Data         ${data}`,
  ];
  if (url !== server.url) lines.push(`  Listening    ${server.url}`);
  if (server.network !== null) {
    lines.push(`  Network      ${server.network.join(', ') || 'all addresses of this machine'}`);
  }
  if (metricsUrl !== null) lines.push(`  Metrics      ${metricsUrl}`);
  if (secretLines.length > 0) lines.push('', ...secretLines);
  if (announcement.length > 0) lines.push(...(announcement[0] === '' ? [] : ['']), ...announcement);
  if (settings.rateLimits.in(config) === 'off') {
    lines.push(
      '',
      '  WARNING: rate limits are off. Clients can send any number of requests. Use this only for tests.',
    );
  }
  process.stdout.write(`${lines.join('\n')}\n\n`);
}
