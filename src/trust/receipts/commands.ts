import { Command, InvalidArgumentError } from 'commander';
import { nativePrimitives } from '../../platform/crypto.ts';
import { Failure } from '../../platform/failure.ts';
import { JsonError, parseJson } from '../../proof/json.ts';
import { DOMAINS } from '../../proof/receipt.ts';
import { parseTimestamp } from '../../proof/timestamp.ts';
import { readTrustedKeys, type TrustedKey, TrustedKeysError } from '../../proof/trusted-keys.ts';
import { judgeText, VERDICTS } from '../../proof/verdict.ts';

interface Options {
  keys: string;
  at?: number;
  domain?: string;
}

export function verifyCommand(): Command {
  return new Command('verify')
    .description(
      'judge a receipt offline: the verdict in words on stderr, as JSON on stdout; exit 0 when valid',
    )
    .argument('<receipt>', 'a file with one receipt, or - for standard input')
    .requiredOption(
      '--keys <file|url>',
      'the trusted keys: a saved answer of /api/v1/transparency/keys, or its URL',
    )
    .option('--at <time>', 'judge expiry at this RFC 3339 time instead of now', time)
    .option('--domain <domain>', 'also check that the receipt is of this domain', domain)
    .action(verify);
}

async function verify(receipt: string, options: Options): Promise<void> {
  const text = await readText(receipt);
  const keys = await readKeys(options.keys);
  const { noblePrimitives } = await import('../../proof/noble.ts');
  const judged = { keys, now: options.at ?? Date.now(), domain: options.domain };
  const result = judgeText(nativePrimitives, text, judged);
  // Two implementations that share no code must agree, or neither is to be believed.
  if (!Bun.deepEquals(result, judgeText(noblePrimitives, text, judged), true)) {
    throw new Failure(
      'two implementations of Ed25519 disagree about this receipt',
      'please report it with the receipt',
    );
  }
  const wrongDomain = options.domain !== undefined && result.checks.domain !== 'ok';
  process.stdout.write(`${JSON.stringify(result, null, 2)}\n`);
  process.stderr.write(`${result.verdict}: ${VERDICTS[result.verdict]}\n`);
  for (const problem of result.problems) process.stderr.write(`  ${problem}\n`);
  if (wrongDomain) {
    const blind = result.checks.domain === 'unchecked' && result.verdict !== 'malformed';
    process.stderr.write(
      blind ? 'domain: cannot be checked without the blind_salt.\n' : `domain: not ${options.domain}.\n`,
    );
  }
  if (result.verdict !== 'valid' || wrongDomain) process.exitCode = 1;
}

async function readText(path: string): Promise<string> {
  try {
    return await (path === '-' ? Bun.stdin : Bun.file(path)).text();
  } catch (error) {
    throw new Failure(`${path} cannot be read: ${messageOf(error)}`);
  }
}

async function readKeys(source: string): Promise<TrustedKey[]> {
  const text = /^https?:\/\//.test(source) ? await fetchKeys(source) : await readText(source);
  try {
    return readTrustedKeys(nativePrimitives, parseJson(text));
  } catch (error) {
    if (error instanceof TrustedKeysError || error instanceof JsonError) {
      throw new Failure(
        `${source}: ${error.message}`,
        'save the answer of GET /api/v1/transparency/keys and name the file',
      );
    }
    throw error;
  }
}

async function fetchKeys(source: string): Promise<string> {
  const url = new URL(source);
  if (url.pathname === '/') url.pathname = '/api/v1/transparency/keys';
  const isLocal = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(url.hostname);
  if (url.protocol === 'http:' && !isLocal) {
    throw new Failure(
      `keys from ${url.host} could be anybody's over http`,
      'use https, or a file that you trust',
    );
  }
  try {
    const response = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(10_000) });
    if (!response.ok) throw new Error(`status ${response.status}`);
    return await response.text();
  } catch (error) {
    throw new Failure(
      `${url} gives no keys: ${messageOf(error)}`,
      'see that the service runs, or name a saved file',
    );
  }
}

function time(text: string): number {
  const parsed = parseTimestamp(text);
  if (parsed === null) throw new InvalidArgumentError('A time is RFC 3339, such as 2030-01-31T12:00:00Z.');
  return parsed;
}

function domain(text: string): string {
  if (!DOMAINS.some((known) => known === text))
    throw new InvalidArgumentError(`A domain is one of ${DOMAINS.join(', ')}.`);
  return text;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
