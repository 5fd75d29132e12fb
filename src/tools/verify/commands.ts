import { Command, InvalidArgumentError } from 'commander';
import { examples, GROUPS } from '../../platform/command-help.ts';
import { milliseconds } from '../../platform/config/command-line.ts';
import { requireFile } from '../../platform/files/read.ts';
import { DOMAINS } from '../../proof/receipt/receipt.ts';
import type { VerifyOptions } from './verify.ts';

const KEYS = '--keys <file|url>';
/** Commander's own code for it. */
const MISSING = 'commander.missingMandatoryOptionValue';

/** What is on the command line. */
type Asked = Omit<VerifyOptions, 'keys'> & Partial<Pick<VerifyOptions, 'keys'>>;

/** Verifies receipts offline. */
export function verifyCommand(): Command {
  return new Command('verify')
    .description(
      'judge a receipt offline: the verdict in words on stderr, as JSON on stdout; exit 0 when valid',
    )
    .helpGroup(GROUPS.verify)
    .addHelpText(
      'after',
      examples(
        [
          'Verify a receipt by the keys of its service',
          'countersign verify receipt.json --keys https://trust.example',
        ],
        [
          'Verify offline, and check that the log holds the receipt',
          'countersign verify receipt.json --keys keys.json --proof receipt.tlog-proof',
        ],
      ),
    )
    .argument('<receipt>', 'a file with one receipt, or with many, one a line; - for standard input')
    .option(KEYS, 'the trusted keys: a saved answer of /api/v1/transparency/keys, or its URL (required)')
    .option('--at <time>', 'judge expiry at this RFC 3339 time instead of now', milliseconds)
    .option('--domain <domain>', 'also check that the receipt is of this domain', domain)
    .option(
      '--proof <file|url>',
      'also check that the log holds the receipt: a saved /api/v1/receipts/<id>/proof or public manifest, or the URL of the service',
    )
    .option(
      '--log-key <vkey|file>',
      'trust this key of a log (C2SP) and not those in --keys; may be repeated',
      (key: string, keys: string[] = []) => [...keys, key],
    )
    .option(
      '--status <file|url>',
      'also check that the receipt is current and not revoked: a saved /api/v1/receipts/<id>/status, or the URL of the service',
    )
    .option(
      '--revocations <directory|url>',
      'also look for the receipt in the log of revocations: where a copy of the logs lies, or the URL of the service',
    )
    .option('--ndjson', 'one receipt a line, even if the first line is none')
    .addHelpText(
      'after',
      `
Whatever is also checked has to be in order for exit 0. With a proof, the place in the log decides
whether a receipt is older than the end of the key that signed it; without one its date does, and
a compromised key vouches for nothing.

Of many receipts, those that are not valid are on stdout, a line of JSON each in the order of the
input, and last a summary; exit 0 when there is one and all are valid. They are judged on all cores.`,
    )
    .action(async (receipt: string, { keys, ...others }: Asked, self: Command) => {
      // Before the keys are asked for: who tries the command out has misspelt a file more often than left a flag out.
      requireFile(receipt);
      if (keys === undefined) {
        self.error(`error: required option '${KEYS}' not specified`, { code: MISSING });
      }
      const { verify } = await import('./verify.ts');
      await verify(receipt, { keys, ...others });
    });
}

function domain(text: string): string {
  if (!DOMAINS.some((known) => known === text))
    throw new InvalidArgumentError(`A domain is one of ${DOMAINS.join(', ')}.`);
  return text;
}
