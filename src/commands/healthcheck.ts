import { Command, Option } from 'commander';
import { examples, GROUPS } from '../platform/command-help.ts';
import { Failure } from '../platform/failure.ts';
import { displayUrl, fetchAll } from '../platform/network/fetch.ts';
import { localUrl } from '../platform/network/urls.ts';
import type { Chosen, Services } from './services.ts';

const LIMIT_MS = 5000;
const MAX_BYTES = 64 * 1024;
const FLAGS = ['service', 'host', 'port', 'tls_cert', 'config'];

export function healthcheckCommand(services: Services): Command {
  const command = new Command('healthcheck')
    .description('check whether a service works; exit 0 when it does')
    .helpGroup(GROUPS.serve)
    .addHelpText(
      'after',
      examples(
        ['Check the service that the settings name', 'countersign healthcheck'],
        ['Check a service at another address', 'countersign healthcheck --url https://trust.example'],
      ),
    )
    .addOption(
      new Option('--url <url>', 'the URL of the service; without it, the service that the settings name'),
    );
  return services.flags(command, FLAGS).action(async (options: { url?: string }, self: Command) => {
    const url = options.url ?? ownUrl(services.chosen(self));
    process.stdout.write(`${await health(url, options.url === undefined)}\n`);
  });
}

/** Returns the URL at which this machine can reach a service with these settings. */
function ownUrl({ definition, config }: Chosen): string {
  const { host: hosts, port: ports, tlsCert } = definition.settings;
  const [host, port] = [hosts.in(config), ports.in(config)];
  if (port === 0)
    throw new Failure('port 0 is assigned at start-up', 'pass the address of the service with --url', 2);
  const scheme = tlsCert.in(config) === null ? 'http' : 'https';
  return localUrl(scheme, host, port);
}

/**
 * Returns the health response as one line of printable ASCII.
 * @throws Failure when the service is not healthy
 */
async function health(url: string, here: boolean): Promise<string> {
  if (!URL.canParse(url))
    throw new Failure(`${shown(url)} is not a URL`, 'pass one, such as https://trust.example', 2);
  const { ok, status, bytes } = await fetchAll(
    new URL('/api/health', url).href,
    {
      maxBytes: MAX_BYTES,
      timeoutMs: LIMIT_MS,
      failed: 'does not respond',
      hint: 'check that the service runs there',
    },
    {
      // The certificate names the public host, usually not 127.0.0.1. The request contains no secret.
      ...(here ? { tls: { rejectUnauthorized: false } } : {}),
    },
  );
  const response = printable(bytes);
  const shownUrl = displayUrl(url);
  if (!ok)
    throw new Failure(
      `${shownUrl} returned status ${status}${response === null ? '' : `: ${response}`}`,
      'read the log of the service',
    );
  if (response === null)
    throw new Failure(`${shownUrl} does not return its health`, 'check that it is a countersign service');
  return response;
}

/**
 * Formats JSON without control characters, because the response is not trusted. A witness responds with text;
 * returns null for any other response than JSON and `healthy`.
 */
function printable(bytes: Uint8Array): string | null {
  const text = new TextDecoder().decode(bytes);
  try {
    return shown(JSON.stringify(JSON.parse(text)));
  } catch {
    return text.trim() === 'healthy' ? 'healthy' : null;
  }
}

/** Replaces all characters except printable ASCII by `\u` escapes. */
function shown(text: string): string {
  return text.replace(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
