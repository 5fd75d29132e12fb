import { rmSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Logger } from 'pino';
import type { platformSettings } from '../platform/config/platform-settings.ts';
import type { Config } from '../platform/config/setting.ts';
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
import { commit, fullVersion, version } from './version.ts';

/** How long what is running may take to finish after SIGTERM or SIGINT. */
const GRACE_MS = 10_000;

/** So many turns of the event loop take a connection, read its request and write the response. */
const TURNS = 4;

/** For twice as long another process can answer beside this one after the lock was removed; only one of them writes. */
const WATCH_MS = 1000;

/** A process that answers requests until a signal ends it. */
export interface Hosted {
  name: string;
  /** Names it for people: `trust service`. */
  title: string;
  settings: Omit<ReturnType<typeof platformSettings>, 'service' | 'keysPassphrase'>;
  config: Config;
  /** Where it is reached, for people: a label and a URL. */
  places(url: string): readonly [string, string][];
  open(opening: ServiceEnvironment): Promise<Running>;
}

/** What runs; a process that no command of this machine speaks to has no control. */
export interface Running extends Omit<RunningService, 'app' | 'background'> {
  app(serverUrl: string): App & Partial<Pick<GrowingApp, 'load'>>;
  background(): Promise<Omit<Background, 'control'> & Partial<Pick<Background, 'control'>>>;
}

/** Runs it to its end: data directory, listener, metrics, jobs, ready file, signals. Ends the process. @throws Failure */
export async function host(hosted: Hosted): Promise<void> {
  const { settings, config } = hosted;
  const tls = readTls(settings.tlsCert.in(config), settings.tlsKey.in(config));
  const { log, reopen } = await createLog(settings.logLevel.in(config), settings.logFile.in(config));
  const readyFile = readyFileOf(hosted);
  const data = settings.data.in(config);
  const directory = takeDataDirectory(data === ':memory:' ? data : resolve(data));
  warnOfOthers(directory.path, log);
  const closing: (() => Promise<void>)[] = [];
  // Heard from now on: who reads the ready file may send one at once.
  const stopping = stopSignal();
  // A terminal that goes away takes its program along; everywhere else this signal means the log.
  const hungUp = new Promise<NodeJS.Signals>((resolve) => {
    const isOnTerminal = process.stderr.isTTY && settings.logFile.in(config) === null;
    process.on('SIGHUP', () => (isOnTerminal ? resolve('SIGHUP') : reopen()));
  });
  try {
    // Before anything is made or stored: a start that cannot be heard must not be the first one.
    const traffic = new Traffic();
    const server = listen(settings.host.in(config), settings.port.in(config), tls, traffic);
    closing.push(() => server.stop(GRACE_MS));
    const metrics = await openMetrics(hosted);
    if (metrics !== null) closing.push(metrics.stop);
    if (readyFile !== null) rmSync(readyFile, { force: true });
    const recorder = metrics?.recorder ?? noopRecorder;
    const baseUrl = settings.baseUrl.in(config);
    const url = baseUrl ?? server.url;
    const service = await hosted.open({ directory, config, log, version, recorder, traffic, url });
    // Closed last: until then somebody may still be answered.
    closing.unshift(() => service.close());
    const app = service.app(baseUrl ?? (tls === null ? '/' : server.url));
    server.serve(app);
    // Whoever has asked already whether it works need not wait for what is loaded now.
    for (let turn = 0; turn < TURNS; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    const { tasks, metrics: ofService, control } = await service.background();
    metrics?.add(ofService);
    closing.push(
      schedule([...tasks, lockWatch(directory, service.checkFiles, log)], {
        log,
        timers: systemTimers,
        recorder,
      }),
    );
    const commands = control?.();
    if (commands !== undefined) closing.push(() => commands.stop());
    await app.load?.();
    announce(hosted, service, {
      url,
      server,
      metricsUrl: metrics?.url ?? null,
      data: directory.path,
    });
    if (readyFile !== null) {
      const ready = { url, service: hosted.name, version, pid: process.pid, ...service.ready };
      writeSecretFile(readyFile, `${JSON.stringify(ready, null, 2)}\n`);
      closing.push(async () => rmSync(readyFile, { force: true }));
    }
    log.info({ version, commit, url, listening: server.url }, 'ready');
    log.info({ signal: await Promise.race([stopping, hungUp]) }, 'stopping');
  } catch (error) {
    throw asDiskFailure(error, directory.path);
  } finally {
    // Whatever failed, nothing may go on answering once the data directory is another's to take.
    for (const close of closing.reverse()) await close();
    directory.release();
    log.info('stopped');
  }
  // The look-up of a name that never resolves cannot be taken back: it would keep the process for another 20 s or more.
  process.exit();
}

/**
 * Ends the process when its lock was removed or replaced, since another may serve the directory now. As a kill would: socket, ready
 * file and database are no longer this one's to close. A process whose database was removed too writes nothing more, and stays: it has
 * the only copy. Whoever removes a whole directory may remove the lock first, so the second check ends the process.
 */
function lockWatch(directory: DataDirectory, checkFiles: () => string | null, log: Logger): ScheduledTask {
  let wasHeld = true;
  return {
    name: 'watch the lock',
    everyMs: WATCH_MS,
    async run() {
      const isHeld = directory.isHeld();
      const isSecond = !wasHeld;
      wasHeld = isHeld;
      if (isHeld || !isSecond || checkFiles() !== null) return;
      const message = `the lock in ${directory.path} was removed or replaced while it was held`;
      log.fatal(message);
      process.stderr.write(`countersign: error: ${message}\n`);
      process.stderr.write('countersign: hint: do not touch that file; start again\n');
      process.exit(1);
    },
  };
}

function warnOfOthers(data: string, log: Logger): void {
  if ((statSync(data).mode & 0o022) === 0) return;
  log.warn({ data }, 'others may write in the data directory, and so replace it: chmod 700');
}

/** Metrics, loaded and served only where somebody asks for them. */
async function openMetrics({ name, settings, config }: Hosted) {
  const port = settings.metricsPort.in(config);
  if (port === null) return null;
  const { createMetrics } = await import('../platform/monitoring/metrics.ts');
  const metrics = createMetrics(name, version);
  return { ...metrics, ...metrics.listen(settings.metricsHost.in(config), port) };
}

/** Where the ready file goes. A former start's is taken away: whoever waits for one waits for this. @throws Failure */
function readyFileOf({ settings, config }: Hosted): string | null {
  const given = settings.readyFile.in(config);
  if (given === null) return null;
  requireWritable(resolve(given));
  return resolve(given);
}

/** Resolves at the first signal; the second ends the process where it stands, as a signal would. */
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

interface Whereabouts {
  url: string;
  server: Server;
  metricsUrl: string | null;
  data: string;
}

function announce(
  { title, settings, config, places }: Hosted,
  { announcement }: Running,
  { url, server, metricsUrl, data }: Whereabouts,
): void {
  const lines = [
    `countersign ${fullVersion}, ${title}`,
    '',
    ...places(url).map(([label, place]) => `  ${label.padEnd(12)} ${place}`),
    `  Data         ${data}`,
  ];
  if (url !== server.url) lines.push(`  Listening    ${server.url}`);
  if (server.network !== null) {
    lines.push(`  Network      ${server.network.join(', ') || 'all addresses of this machine'}`);
  }
  if (metricsUrl !== null) lines.push(`  Metrics      ${metricsUrl}`);
  if (announcement.length > 0) lines.push('', ...announcement);
  if (settings.rateLimits.in(config) === 'off') {
    lines.push(
      '',
      '  WARNING: rate limits are off. Clients can send any number of requests. Use this only for tests.',
    );
  }
  process.stdout.write(`${lines.join('\n')}\n\n`);
}
