import { Command, InvalidArgumentError } from 'commander';
import { examples, GROUPS } from '../../platform/command-help.ts';
import { Failure } from '../../platform/failure.ts';
import { serviceUrl } from '../../platform/network/service-url.ts';
import { Progress } from '../../platform/terminal/progress.ts';
import { DAY_MS } from '../../platform/time/units.ts';
import type { JsonObject } from '../../proof/encoding/json.ts';
import { parseTimestamp } from '../../proof/encoding/timestamp.ts';
import { apiKeyIn } from '../service-options.ts';
import type { Hall } from './hall.ts';

const MAX_RACKS = 100;

interface SimulateOptions {
  cluster: string;
  date?: number;
  seed: number;
  racks: number;
  minutes: number;
  otlp?: true;
  url?: string;
  apiKeyFile?: string;
}

/** Returns the command `datacenter`, with its subcommand `simulate`. */
export function datacenterCommand(): Command {
  return new Command('datacenter')
    .description('try the data center endpoints with simulated telemetry')
    .helpGroup(GROUPS.datacenter)
    .helpCommand(false)
    .addHelpText(
      'after',
      examples(['Print a simulated day of telemetry', 'countersign datacenter simulate > day.ndjson']),
    )
    .addCommand(simulateCommand());
}

function simulateCommand(): Command {
  return new Command('simulate')
    .description(
      'print a simulated day of telemetry of a cluster, one request body per line (NDJSON), or post it to a service',
    )
    .addHelpText(
      'after',
      examples(
        [
          'Print the energy of three racks on one day, every 15 minutes',
          'countersign datacenter simulate --date 2026-05-01 --racks 3 --minutes 15',
        ],
        [
          'Post yesterday to a service, as evidence',
          'countersign datacenter simulate --cluster my-hall --url https://trust.example --api-key-file api-key',
        ],
        [
          'Post it as an OpenTelemetry collector does',
          'countersign datacenter simulate --cluster my-hall --otlp --url https://trust.example --api-key-file api-key',
        ],
      ),
    )
    .option('--cluster <id>', 'the cluster_id of the telemetry', clusterId, 'simulated-hall-1')
    .option('--date <day>', 'the simulated day in UTC, such as 2026-05-01; default yesterday', day)
    .option('--seed <n>', 'the same seed and day give the same telemetry', wholeNumber(0, 2 ** 31 - 1), 1)
    .option('--racks <n>', `the number of racks, 1 to ${MAX_RACKS}`, wholeNumber(1, MAX_RACKS), 4)
    .option('--minutes <n>', 'the length of a window: 1, 5, 10, 15, 30 or 60', windowLength, 60)
    .option('--otlp', 'as OTLP/JSON requests of hw.* metrics instead of evidence')
    .option('--url <url>', 'post the bodies to this trust service instead of printing them', (text: string) =>
      serviceUrl(text, 'responses'),
    )
    .option('--api-key-file <file>', 'a file with an issuer API key, for --url')
    .addHelpText(
      'after',
      `
Every body is marked as synthetic: a service shows it as simulated, and never
counts it as measured or declared.`,
    )
    .action(simulate);
}

async function simulate({ cluster, date, otlp, url, apiKeyFile, ...hall }: SimulateOptions): Promise<void> {
  const apiKey = apiKeyFile === undefined ? null : apiKeyIn(apiKeyFile);
  if ((url === undefined) !== (apiKey === null)) {
    throw new Failure(
      '--url and --api-key-file belong together',
      'give both, or none to print the bodies',
      2,
    );
  }
  const dayStart = date ?? Math.floor(Date.now() / DAY_MS) * DAY_MS - DAY_MS;
  const bodies = await bodiesOf({ ...hall, clusterId: cluster, dayStart }, otlp === true);
  if (url === undefined || apiKey === null) {
    process.stdout.write(bodies.map((body) => `${JSON.stringify(body)}\n`).join(''));
    return;
  }
  const { EVIDENCE_PATH, OTLP_PATH, postAll } = await import('./post.ts');
  const progress = new Progress(process.stderr, 'bodies');
  const destination = { service: url, apiKey, path: otlp === true ? OTLP_PATH : EVIDENCE_PATH };
  try {
    const counts = await postAll(destination, bodies, (sent) => progress.at(sent, sent / bodies.length));
    progress.clear();
    process.stdout.write(`${JSON.stringify({ cluster_id: cluster, ...counts }, null, 2)}\n`);
  } finally {
    progress.clear();
  }
}

async function bodiesOf(hall: Hall, isOtlp: boolean): Promise<JsonObject[]> {
  if (isOtlp) {
    const { otlpOf } = await import('./otlp.ts');
    return otlpOf(hall);
  }
  const { evidenceOf } = await import('./evidence.ts');
  return evidenceOf(hall);
}

function clusterId(text: string): string {
  if (/^(?!\.{1,2}$)[A-Za-z0-9._:-]{1,128}$/.test(text)) return text;
  throw new InvalidArgumentError(
    'It must be 1 to 128 letters, digits and . _ : - characters, other than . and ..',
  );
}

/** Parses a day. @returns 00:00 UTC of it, in milliseconds since 1970 */
function day(text: string): number {
  const start = parseTimestamp(`${text}T00:00:00Z`);
  if (start === null) throw new InvalidArgumentError('It must be a day such as 2026-05-01.');
  return start;
}

function wholeNumber(least: number, most: number): (text: string) => number {
  return (text) => {
    const value = /^\d{1,10}$/.test(text) ? Number(text) : -1;
    if (value >= least && value <= most) return value;
    throw new InvalidArgumentError(`It must be a whole number from ${least} to ${most}.`);
  };
}

function windowLength(text: string): number {
  const minutes = [1, 5, 10, 15, 30, 60].find((length) => String(length) === text);
  if (minutes === undefined) throw new InvalidArgumentError('It must be 1, 5, 10, 15, 30 or 60.');
  return minutes;
}
