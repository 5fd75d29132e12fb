import { rmSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { Command } from 'commander';
import { addFlags, manualHelp, NAMES, settled } from '../platform/config/command-line.ts';
import type { Config } from '../platform/config/setting.ts';
import { openControl } from '../platform/control/server.ts';
import { takeDataDirectory } from '../platform/data-directory.ts';
import { listen } from '../platform/http/server.ts';
import { createLog } from '../platform/log.ts';
import { schedule } from '../platform/scheduler.ts';
import { mustBeWritable, writeSecretFile } from '../platform/secrets.ts';
import { readTls } from '../platform/tls.ts';
import { openTrustService, type TrustService } from '../trust/service.ts';
import { trustSettings, trustSettingsTable } from '../trust/settings.ts';
import { refuseOther } from './services.ts';
import { version } from './version.ts';

/** How long what is running may take to finish after SIGTERM or SIGINT. */
const GRACE_MS = 10_000;

export function serveCommand(): Command {
  const secrets = trustSettingsTable.filter(({ secret }) => secret);
  return manualHelp(addFlags(new Command('serve').description('run a service'), trustSettingsTable))
    .addHelpText(
      'after',
      `
${NAMES}

Secrets have no flag. COUNTERSIGN_NAME_FILE names a file that holds one:
${secrets.map(({ env, description }) => `  ${env}\n      ${description}`).join('\n')}

SIGTERM and SIGINT let what is running finish (10 s); a second one ends at
once. SIGHUP opens a log_file anew.`,
    )
    .action((_options, command: Command) => serve(settled(command, trustSettingsTable).config));
}

async function serve(config: Config): Promise<void> {
  refuseOther(trustSettings.service.in(config));
  const tls = readTls(trustSettings.tlsCert.in(config), trustSettings.tlsKey.in(config));
  const { log, reopen } = createLog(trustSettings.logLevel.in(config), trustSettings.logFile.in(config));
  if (trustSettings.logFile.in(config) !== null) process.on('SIGHUP', reopen);
  const readyFile = readyFileOf(config);
  const data = trustSettings.data.in(config);
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
  try {
    // Before anything is made or stored: a start that cannot be heard must not be the first one.
    const server = listen(trustSettings.host.in(config), trustSettings.port.in(config), tls);
    closing.push(() => server.stop(GRACE_MS));
    const metrics = await openMetrics(config);
    if (metrics !== null) closing.push(metrics.stop);
    if (readyFile !== null) rmSync(readyFile, { force: true });
    const trust = await openTrustService(directory, config, log, version, metrics?.observer);
    // Closed last: until then somebody may still be answered.
    closing.unshift(() => trust.close());
    metrics?.add(trust.figures);
    closing.push(schedule(trust.jobs, log));
    const control = openControl(directory.path, trust.trust, trust.actions, log);
    closing.push(() => control.stop());
    const baseUrl = trustSettings.baseUrl.in(config);
    const url = baseUrl ?? server.url;
    server.answer(trust.app(baseUrl ?? (tls === null ? '/' : server.url)));
    announce({
      url,
      metricsUrl: metrics?.url ?? null,
      data: directory.path,
      config,
      started: trust.firstStart,
    });
    if (readyFile !== null) {
      writeReadyFile(readyFile, url, trust);
      closing.push(async () => rmSync(readyFile, { force: true }));
    }
    log.info({ url }, 'ready');
    log.info({ signal: await stopping }, 'stopping');
  } finally {
    // Whatever failed, nothing may go on answering once the data directory is another's to take.
    for (const close of closing.reverse()) await close();
    directory.release();
    log.info('stopped');
  }
}

/** Metrics, loaded and served only where somebody asks for them. */
async function openMetrics(config: Config) {
  const port = trustSettings.metricsPort.in(config);
  if (port === null) return null;
  const { createMetrics } = await import('../platform/metrics.ts');
  const metrics = createMetrics('trust', version);
  return { ...metrics, ...metrics.listen(trustSettings.metricsHost.in(config), port) };
}

/** Where the ready file goes. A former start's is taken away: whoever waits for one waits for this. @throws Failure */
function readyFileOf(config: Config): string | null {
  const given = trustSettings.readyFile.in(config);
  if (given === null) return null;
  mustBeWritable(resolve(given));
  return resolve(given);
}

function writeReadyFile(path: string, url: string, { firstStart }: TrustService): void {
  const { operatorId, apiKey, serviceToken } = firstStart;
  const ready = {
    url,
    service: 'trust',
    version,
    pid: process.pid,
    operator_id: operatorId,
    api_key: apiKey,
    service_token: serviceToken,
  };
  writeSecretFile(path, `${JSON.stringify(ready, null, 2)}\n`);
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

interface Announcement {
  url: string;
  metricsUrl: string | null;
  data: string;
  config: Config;
  started: TrustService['firstStart'];
}

function announce({ url, metricsUrl, data, config, started }: Announcement): void {
  const lines = [
    `countersign ${version}, trust service`,
    '',
    `  API          ${url}`,
    `  Swagger UI   ${url}/swagger`,
    `  Data         ${data}`,
  ];
  if (metricsUrl !== null) lines.push(`  Metrics      ${metricsUrl}`);
  if (started.created) {
    lines.push(
      '',
      'First start. Keep these, they are not shown again:',
      '',
      `  Operator id    ${started.operatorId}`,
      `  API key        ${started.apiKey}`,
      `  Service token  ${started.serviceToken}`,
    );
  } else {
    lines.push(
      '',
      `  No API key at hand? countersign operators key ${started.operatorId} --admin --data ${data}`,
    );
  }
  if (trustSettings.rateLimits.in(config) === 'off') {
    lines.push(
      '',
      '  WARNING: rate limits are off. Anyone may ask as often as they like; this is for tests.',
    );
  }
  process.stdout.write(`${lines.join('\n')}\n\n`);
}
