import { join, resolve } from 'node:path';
import { Command, InvalidArgumentError } from 'commander';
import { addFlags, settled } from '../../platform/config/command-line.ts';
import { requireService } from '../../platform/control/perform.ts';
import { nativePrimitives } from '../../platform/crypto.ts';
import { Failure } from '../../platform/failure.ts';
import { bytesOf } from '../../platform/input.ts';
import { type Write, writeNewFile, writeOut } from '../../platform/output.ts';
import { Progress } from '../../platform/progress.ts';
import { openMigrated } from '../../platform/store/migrations.ts';
import { DOMAINS } from '../../proof/receipt.ts';
import { parseTimestamp } from '../../proof/timestamp.ts';
import { judgeBytes, VERDICTS, type VerdictOptions } from '../../proof/verdict.ts';
import { trustDatabase } from '../database.ts';
import { keysFrom } from '../keys/source.ts';
import { trustSettings, trustSettingsTable } from '../settings.ts';
import { readInput } from './bulk/input.ts';
import { domainProblems } from './bulk/judge.ts';
import { verifyLines } from './bulk/verify.ts';
import { exportPages } from './export.ts';
import { storedForm } from './read.ts';

interface VerifyOptions {
  keys: string;
  at?: number;
  domain?: string;
  ndjson?: boolean;
}

interface ExportOptions {
  from?: string;
  to?: string;
  out?: string;
}

export function verifyCommand(): Command {
  return new Command('verify')
    .description(
      'judge a receipt offline: the verdict in words on stderr, as JSON on stdout; exit 0 when valid',
    )
    .argument('<receipt>', 'a file with one receipt, or with many, one a line; - for standard input')
    .requiredOption(
      '--keys <file|url>',
      'the trusted keys: a saved answer of /api/v1/transparency/keys, or its URL',
    )
    .option('--at <time>', 'judge expiry at this RFC 3339 time instead of now', milliseconds)
    .option('--domain <domain>', 'also check that the receipt is of this domain', domain)
    .option('--ndjson', 'one receipt a line, even if the first line is none')
    .addHelpText(
      'after',
      `
Of many receipts, those that are not valid are on stdout, a line of JSON each in the order of the
input, and last a summary; exit 0 when there is one and all are valid. They are judged on all cores.`,
    )
    .action(verify);
}

export function receiptsCommand(): Command {
  const receipts = new Command('receipts')
    .description('work with the receipts of a data directory')
    .helpCommand(false);
  const exporting = receipts
    .command('export')
    .description("write all operators' receipts, oldest first, one a line (NDJSON), without salts");
  addFlags(exporting, [trustSettings.data, trustSettings.config])
    .option('--from <time>', 'issued at this RFC 3339 time or later', time)
    .option('--to <time>', 'issued before this RFC 3339 time', time)
    .option('--out <file>', 'a new file to write to, mode 0600, instead of stdout')
    .action(exportReceipts);
  return receipts;
}

async function exportReceipts(options: ExportOptions, command: Command): Promise<void> {
  const data = resolve(trustSettings.data.in(settled(command, trustSettingsTable).config));
  requireService(data, trustDatabase.name);
  const connection = openMigrated(join(data, trustDatabase.name), trustDatabase.schema);
  const progress = new Progress(process.stderr, 'receipts');
  const range = { from: storedForm(options.from), to: storedForm(options.to) };
  const all = async (write: Write): Promise<number> => {
    let receipts = 0;
    for (const page of exportPages(connection, range)) {
      progress.clear();
      if (page.receipts > 0) await write(page.text);
      receipts += page.receipts;
      progress.at(receipts, page.share);
    }
    return receipts;
  };
  try {
    const receipts = await (options.out === undefined ? all(writeOut) : writeNewFile(options.out, all));
    progress.end(`${receipts} receipts exported`);
  } finally {
    progress.clear();
    connection.sqlite.close();
  }
}

async function verify(receipt: string, options: VerifyOptions): Promise<void> {
  const bytes = bytesOf(receipt);
  const input = options.ndjson === true ? { lines: bytes } : await readInput(bytes);
  const keys = await keysFrom(options.keys);
  const judged = { keys, now: options.at ?? Date.now(), domain: options.domain };
  const isValid =
    'document' in input
      ? await verifyOne(input.document, judged)
      : await verifyLines(input.lines, receipt === '-' ? 0 : Bun.file(receipt).size, judged);
  if (!isValid) process.exitCode = 1;
}

/** @returns whether it is valid, and of the domain that was asked for. */
async function verifyOne(document: Uint8Array, options: VerdictOptions): Promise<boolean> {
  const { noblePrimitives } = await import('../../proof/noble.ts');
  const result = judgeBytes(nativePrimitives, document, options);
  // Two implementations that share no code must agree, or neither is to be believed.
  if (!Bun.deepEquals(result, judgeBytes(noblePrimitives, document, options), true)) {
    throw new Failure(
      'two implementations of Ed25519 disagree about this receipt',
      'please report it with the receipt',
    );
  }
  process.stdout.write(`${JSON.stringify(result, null, 2)}\n`);
  process.stderr.write(`${result.verdict}: ${VERDICTS[result.verdict]}\n`);
  for (const problem of result.problems) process.stderr.write(`  ${problem}\n`);
  for (const problem of domainProblems(result, options.domain)) process.stderr.write(`${problem}\n`);
  return result.verdict === 'valid' && (options.domain === undefined || result.checks.domain === 'ok');
}

function milliseconds(text: string): number {
  const parsed = parseTimestamp(text);
  if (parsed === null) throw new InvalidArgumentError('A time is RFC 3339, such as 2030-01-31T12:00:00Z.');
  return parsed;
}

/** A time in its own words, which may be finer than a millisecond. */
function time(text: string): string {
  milliseconds(text);
  return text;
}

function domain(text: string): string {
  if (!DOMAINS.some((known) => known === text))
    throw new InvalidArgumentError(`A domain is one of ${DOMAINS.join(', ')}.`);
  return text;
}
