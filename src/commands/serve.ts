import { resolve } from 'node:path';
import { Command, InvalidArgumentError, Option } from 'commander';
import { takeDataDirectory } from '../platform/data-directory.ts';
import { Failure } from '../platform/failure.ts';
import { listen } from '../platform/http/server.ts';
import { createLog } from '../platform/log.ts';
import { writeSecretFile } from '../platform/secrets.ts';
import { openTrustService } from '../trust/service.ts';
import { version } from './version.ts';

interface Options {
  service: string;
  host: string;
  port: number;
  data?: string;
  baseUrl?: string;
  readyFile?: string;
}

/** How long what is running may take to finish after SIGTERM or SIGINT. */
const GRACE_MS = 10_000;

export function serveCommand(): Command {
  return new Command('serve')
    .description('run a service')
    .addOption(env(new Option('--service <name>', 'the service to run: trust').default('trust'), 'SERVICE'))
    .addOption(env(new Option('--host <address>', 'the address to listen on').default('127.0.0.1'), 'HOST'))
    .addOption(
      env(
        new Option('--port <number>', 'the port; 0 takes a free one').default(3000).argParser(port),
        'PORT',
      ),
    )
    .addOption(
      env(
        new Option('--data <directory>', 'the data directory, or :memory: (default: ./data/<service>)'),
        'DATA',
      ),
    )
    .addOption(
      env(new Option('--base-url <url>', 'the URL that clients reach it at').argParser(url), 'BASE_URL'),
    )
    .addOption(
      env(new Option('--ready-file <path>', 'write a JSON file once requests are answered'), 'READY_FILE'),
    )
    .addHelpText(
      'after',
      `
Environment only, to fix the secrets of a first start:
  COUNTERSIGN_BOOTSTRAP_API_KEY   pp_ and 64 hexadecimal characters
  COUNTERSIGN_SERVICE_TOKEN       svc_ and 64 hexadecimal characters

SIGTERM and SIGINT let what is running finish (10 s); a second one ends at once.`,
    )
    .action(serve);
}

async function serve(options: Options): Promise<void> {
  // Whatever this process writes is its user's alone.
  process.umask(0o077);
  if (options.service !== 'trust') {
    const known =
      options.service === 'staffing' ? 'the staffing service is not part of this version' : 'no such service';
    throw new Failure(`${options.service}: ${known}`, 'use --service trust', 2);
  }
  const secrets = {
    apiKey: configuredSecret('COUNTERSIGN_BOOTSTRAP_API_KEY', 'pp_'),
    serviceToken: configuredSecret('COUNTERSIGN_SERVICE_TOKEN', 'svc_'),
  };
  const log = createLog('info');
  const directory = takeDataDirectory(
    options.data === undefined || options.data === '' ? resolve('data/trust') : dataPath(options.data),
  );
  const closing: (() => Promise<void>)[] = [];
  // Heard from now on: who reads the ready file may send one at once.
  const stopping = stopSignal();
  try {
    const service = await openTrustService(directory, secrets, log, version);
    closing.push(() => service.close());
    const server = listen(options.host, options.port);
    closing.push(() => server.stop(GRACE_MS));
    const url = options.baseUrl ?? server.url;
    server.answer(service.app(options.baseUrl ?? '/'));
    const { operatorId, created, apiKey, serviceToken } = service.firstStart;
    announce(url, directory.path, created ? service.firstStart : null);
    if (options.readyFile !== undefined) {
      const ready = {
        url,
        service: 'trust',
        version,
        pid: process.pid,
        operator_id: operatorId,
        api_key: apiKey,
        service_token: serviceToken,
      };
      writeSecretFile(resolve(options.readyFile), `${JSON.stringify(ready, null, 2)}\n`);
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

function announce(
  url: string,
  data: string,
  first: { operatorId: string; apiKey: string | null; serviceToken: string | null } | null,
): void {
  const lines = [
    `countersign ${version}, trust service`,
    '',
    `  API          ${url}`,
    `  Swagger UI   ${url}/swagger`,
    `  Data         ${data}`,
  ];
  if (first !== null) {
    lines.push(
      '',
      'First start. Keep these, they are not shown again:',
      '',
      `  Operator id    ${first.operatorId}`,
      `  API key        ${first.apiKey}`,
      `  Service token  ${first.serviceToken}`,
    );
  }
  process.stdout.write(`${lines.join('\n')}\n\n`);
}

function configuredSecret(name: string, prefix: string): string | null {
  const value = process.env[name];
  if (value === undefined || value === '') return null;
  if (new RegExp(`^${prefix}[0-9a-f]{64}$`).test(value)) return value;
  throw new Failure(
    `${name} is not ${prefix} and 64 lower-case hexadecimal characters`,
    `make one: echo ${prefix}$(openssl rand -hex 32)`,
    2,
  );
}

function dataPath(path: string): string {
  return path === ':memory:' ? path : resolve(path);
}

function env(option: Option, name: string): Option {
  return option.env(`COUNTERSIGN_${name}`);
}

function port(text: string): number {
  const number = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (!(number <= 65_535)) throw new InvalidArgumentError('A port is a number from 0 to 65535.');
  return number;
}

function url(text: string): string {
  const parsed = URL.canParse(text) ? new URL(text) : null;
  if (
    parsed === null ||
    !/^https?:$/.test(parsed.protocol) ||
    parsed.search !== '' ||
    parsed.hash !== '' ||
    parsed.username !== ''
  ) {
    throw new InvalidArgumentError('A base URL is http:// or https://, without query, fragment or user.');
  }
  return text.replace(/\/+$/, '');
}
