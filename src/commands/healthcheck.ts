import { Command, Option } from 'commander';
import { addFlags } from '../platform/config/command-line.ts';
import { Failure } from '../platform/failure.ts';
import { localUrl } from '../platform/http/reach.ts';
import { allSettings, type Chosen, chosen } from './services.ts';

const LIMIT_MS = 5000;
const FLAGS = ['service', 'host', 'port', 'tls_cert', 'config'];

export function healthcheckCommand(): Command {
  const command = new Command('healthcheck')
    .description('ask a running service whether it works; exit 0 when it does')
    .addOption(new Option('--url <url>', 'the service, if not the one of these settings on this machine'));
  const flags = allSettings().filter(({ key }) => FLAGS.includes(key));
  return addFlags(command, flags).action(async (options: { url?: string }, self: Command) => {
    const url = options.url ?? ownUrl(chosen(self));
    process.stdout.write(`${await health(url, options.url === undefined)}\n`);
  });
}

/** Where a service of these settings is reached from this machine. */
function ownUrl({ kind, config }: Chosen): string {
  const { host: hosts, port: ports, tlsCert } = kind.settings;
  const [host, port] = [hosts.in(config), ports.in(config)];
  if (port === 0)
    throw new Failure('port 0 is a free one that nobody knows', 'name the service with --url', 2);
  const scheme = tlsCert.in(config) === null ? 'http' : 'https';
  return localUrl(scheme, host, port);
}

/** @returns what it answered. @throws Failure when it does not work */
async function health(url: string, here: boolean): Promise<string> {
  let response: Response;
  let text: string;
  try {
    response = await fetch(new URL('/api/health', url), {
      signal: AbortSignal.timeout(LIMIT_MS),
      // The certificate names the service as clients reach it, hardly as 127.0.0.1; nothing secret is sent.
      ...(here ? { tls: { rejectUnauthorized: false } } : {}),
    });
    text = await response.text();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Failure(`${url} does not answer: ${reason}`, 'see that the service runs there');
  }
  if (!response.ok) throw new Failure(`${url} answers ${response.status}: ${text}`, 'see its log');
  return text;
}
