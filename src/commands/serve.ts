import { rmSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { Command } from 'commander';
import { systemTimers } from '../platform/clock.ts';
import { addFlags, manualHelp, NAMES } from '../platform/config/command-line.ts';
import { takeDataDirectory } from '../platform/data-directory.ts';
import { listen } from '../platform/http/server.ts';
import { createLog } from '../platform/log.ts';
import { unobserved } from '../platform/observer.ts';
import { schedule } from '../platform/scheduler.ts';
import { mustBeWritable, writeSecretFile } from '../platform/secrets.ts';
import type { RunningService } from '../platform/service.ts';
import { readTls } from '../platform/tls.ts';
import { allSettings, type Chosen, chosen } from './services.ts';
import { version } from './version.ts';

/** How long what is running may take to finish after SIGTERM or SIGINT. */
const GRACE_MS = 10_000;

export function serveCommand(): Command {
  const secrets = allSettings().filter(({ secret }) => secret);
  return manualHelp(addFlags(new Command('serve').description('run a service'), allSettings()))
    .addHelpText(
      'after',
      `
${NAMES}

Secrets have no flag. COUNTERSIGN_NAME_FILE names a file that holds one:
${secrets.map(({ env, description }) => `  ${env}\n      ${description}`).join('\n')}

SIGTERM and SIGINT let what is running finish (10 s); a second one ends at
once. SIGHUP opens a log_file anew.`,
    )
    .action((_options, command: Command) => serve(chosen(command)));
}

async function serve(choice: Chosen): Promise<void> {
  const { kind, config } = choice;
  const { settings } = kind;
  const tls = readTls(settings.tlsCert.in(config), settings.tlsKey.in(config));
  const { log, reopen } = createLog(settings.logLevel.in(config), settings.logFile.in(config));
  const readyFile = readyFileOf(choice);
  const data = settings.data.in(config);
  const directory = takeDataDirectory(data === ':memory:' ? data : resolve(data));
  if ((statSync(directory.path).mode & 0o022) !== 0) {
    log.warn(
      { data: directory.path },
      'others may write in the data directory, and so replace it: chmod 700',
    );
  }
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
    const server = listen(settings.host.in(config), settings.port.in(config), tls);
    closing.push(() => server.stop(GRACE_MS));
    const metrics = await openMetrics(choice);
    if (metrics !== null) closing.push(metrics.stop);
    if (readyFile !== null) rmSync(readyFile, { force: true });
    const observer = metrics?.observer ?? unobserved;
    const baseUrl = settings.baseUrl.in(config);
    const url = baseUrl ?? server.url;
    const service = await kind.open({ directory, config, log, version, observer, url });
    // Closed last: until then somebody may still be answered.
    closing.unshift(() => service.close());
    metrics?.add(service.figures);
    closing.push(schedule(service.jobs, { log, timers: systemTimers, observer }));
    const control = service.control();
    closing.push(() => control.stop());
    server.answer(service.app(baseUrl ?? (tls === null ? '/' : server.url)));
    announce(choice, service, {
      url,
      listening: server.url,
      metricsUrl: metrics?.url ?? null,
      data: directory.path,
    });
    if (readyFile !== null) {
      const ready = { url, service: kind.name, version, pid: process.pid, ...service.ready };
      writeSecretFile(readyFile, `${JSON.stringify(ready, null, 2)}\n`);
      closing.push(async () => rmSync(readyFile, { force: true }));
    }
    log.info({ url, listening: server.url }, 'ready');
    log.info({ signal: await Promise.race([stopping, hungUp]) }, 'stopping');
  } finally {
    // Whatever failed, nothing may go on answering once the data directory is another's to take.
    for (const close of closing.reverse()) await close();
    directory.release();
    log.info('stopped');
  }
}

/** Metrics, loaded and served only where somebody asks for them. */
async function openMetrics({ kind, config }: Chosen) {
  const port = kind.settings.metricsPort.in(config);
  if (port === null) return null;
  const { createMetrics } = await import('../platform/metrics.ts');
  const metrics = createMetrics(kind.name, version);
  return { ...metrics, ...metrics.listen(kind.settings.metricsHost.in(config), port) };
}

/** Where the ready file goes. A former start's is taken away: whoever waits for one waits for this. @throws Failure */
function readyFileOf({ kind, config }: Chosen): string | null {
  const given = kind.settings.readyFile.in(config);
  if (given === null) return null;
  mustBeWritable(resolve(given));
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
  listening: string;
  metricsUrl: string | null;
  data: string;
}

function announce(
  { kind, config }: Chosen,
  { announcement }: RunningService,
  { url, listening, metricsUrl, data }: Whereabouts,
): void {
  const lines = [
    `countersign ${version}, ${kind.name} service`,
    '',
    `  API          ${url}`,
    `  Swagger UI   ${url}/swagger`,
    `  Data         ${data}`,
  ];
  if (url !== listening) lines.push(`  Listening    ${listening}`);
  if (metricsUrl !== null) lines.push(`  Metrics      ${metricsUrl}`);
  if (announcement.length > 0) lines.push('', ...announcement);
  if (kind.settings.rateLimits.in(config) === 'off') {
    lines.push(
      '',
      '  WARNING: rate limits are off. Anyone may ask as often as they like; this is for tests.',
    );
  }
  process.stdout.write(`${lines.join('\n')}\n\n`);
}
