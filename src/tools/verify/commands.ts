import { Command, InvalidArgumentError } from 'commander';
import { examples, GROUPS } from '../../platform/command-help.ts';
import { milliseconds } from '../../platform/config/command-line.ts';
import { Failure } from '../../platform/failure.ts';
import { requireFile } from '../../platform/files/read.ts';
import { DOMAINS } from '../../proof/receipt/receipt.ts';
import type { CommandOptions } from './options/by-document.ts';

const KEYS = '--keys <file|url>';

/** Returns the command `verify`. */
export function verifyCommand(): Command {
  return new Command('verify')
    .description(
      'verify a receipt or another signed document offline: the verdict in words on stderr, as JSON on stdout; exit 0 when valid',
    )
    .helpGroup(GROUPS.verify)
    .addHelpText(
      'after',
      examples(
        [
          'Verify offline, and check that the log contains the receipt and that enough witnesses saw the same log',
          'countersign verify receipt.json --keys keys.json --proof receipt.tlog-proof --policy policy.txt',
        ],
        [
          'Prove that no receipt of a linked account is missing',
          'countersign verify receipts.ndjson --complete --operator OPERATOR --log https://trust.example --policy policy.txt --keys keys.json',
        ],
        [
          'Verify a credential, and check that it is not revoked',
          'countersign verify credential.json --keys keys.json --status https://trust.example',
        ],
      ),
    )
    .argument(
      '[file]',
      'a file with one receipt, another signed document, or one receipt or bundle per line; - for standard input',
    )
    .option(
      KEYS,
      'the trusted keys: a saved response of /api/v1/transparency/keys, or the URL of the service; required unless the document proves itself',
    )
    .option('--at <time>', 'check expiry at this RFC 3339 time instead of now', milliseconds)
    .option('--domain <domain>', 'also check that the receipt is of this domain', domain)
    .option(
      '--issuer <did>',
      'of a credential, a package, a scorecard or a passport: accept this issuer only, instead of that of --keys',
    )
    .option(
      '--proof <file|url>',
      'also check that the log contains the receipt or the item of evidence: the saved proof, a COSE receipt, a public manifest, or the URL of the service',
    )
    .option(
      '--log-key <key|file>',
      'trust this log key (C2SP verifier key), or a file with log keys, instead of the log keys in --keys; may be repeated',
      (key: string, keys: string[] = []) => [...keys, key],
    )
    .option(
      '--any-log',
      'accept any log of the keys where nothing names the one that is meant: --keys has no log.origin, and there is neither --log-key nor a log line',
    )
    .option(
      '--status <file|url>',
      'also check that the receipt is current and not revoked: a saved /api/v1/receipts/<id>/status, or the URL of the service; of a credential: its status list',
    )
    .option('--fresh', 'of a bundle: its status must be valid now, not only when the bundle was made')
    .option(
      '--revocations <directory|url>',
      'also search the log of revocations for the receipt: a directory with a copy of the logs, or the URL of the service',
    )
    .option(
      '--policy <file>',
      'also check that witnesses cosigned the checkpoints of --proof and --revocations, or of the package: a C2SP tlog-policy; with --page: the policy of the page',
    )
    .option(
      '--log <directory|url>',
      'also compare the checkpoint of a proof, of a package or by itself with a copy of the logs, such as the directory of a monitor, to find a fork; of a list of keys: the log of keys; with --complete: the log of accounts: a copy, or the URL of the service',
    )
    .option('--entry <file>', 'of a COSE receipt: the entry of the log, or the public manifest that has it')
    .option(
      '--journal <file>',
      'of a proof of a journal head or the statement of an account: also check that the whole journal, as NDJSON, agrees',
    )
    .option(
      '--complete',
      'prove that the receipts of a linked account are all there: needs --operator, --log and --policy',
    )
    .option('--operator <id>', 'with --complete: the operator of the account, op_cus_…')
    .option(
      '--allow-unlinked',
      'with --complete: accept that nothing is proven while the account was not linked',
    )
    .option(
      '--from <time>',
      'with --complete: judge only what was logged after this RFC 3339 time, as kept checkpoints confirm',
      milliseconds,
    )
    .option(
      '--predecessor <directory|url>',
      'with --complete, with --revocations and of a list of keys: a copy of a closed log that the log continues; may be repeated',
      (location: string, locations: string[] = []) => [...locations, location],
    )
    .option(
      '--linked',
      'also check that the log of accounts has a leaf for each act on the receipt: --proof is then its public manifest, or the URL of the service',
    )
    .option(
      '--head <hash>',
      'of a journal of credits: the entry_hash that its newest entry must have',
      entryHash,
    )
    .option('--page', 'write a page to stdout that verifies documents in a browser, and print its SHA-256')
    .option(
      '--trust <file|url>',
      'with --page: the trusted keys of the page, like --keys; without it, each visitor chooses keys',
    )
    .option('--ndjson', 'read one receipt per line, even if the first line is not a receipt')
    .addHelpText(
      'after',
      `
Exit 0 needs every check to succeed. With a proof, the position in the log decides whether a receipt
was signed before its key was retired; without one its date decides, and signatures of a compromised
key do not count.

A proof, a log and a package count only for the log that is meant: that of log.origin in --keys, or of
the names of --log-key and of log lines, or a closed log that --keys names. Another log of the same key
is wrong_log. A valid verdict says "not revoked" only with --status or --revocations.

A compliance package has its proofs in it. --revocations and --domain are for receipts. What the
service signs as JSON (statuses, manifests, decisions of the gate, profiles, leaderboards, attestations,
passports, meter receipts, scorecards) has a signature and cites no log. The same is true of what an agent
signs: {payload, signature, public_key}. This and an AGORA proposal need no --keys.

A list of keys (/api/v1/transparency/keys) is verified against the log of keys, with --log: whether the
keys concerned signed each event, and the list says of each key what the log says. Other documents are
a saved checkpoint, a saved proof of a log, an item of evidence, a bundle of one, a COSE receipt, an AGORA
proposal, a proof of a journal head and a W3C credential.

A whole journal of credits as NDJSON (Accept: application/x-ndjson) needs no --keys either: nobody signed
it. Its hashes, balances and totals are checked. A head that somebody kept (--head) shows that it is the
same for others, and that no entry before it was changed.

--complete names every receipt that is missing, extra, reordered, altered or never finalized, one line
of JSON each, and last a summary; exit 0 when nothing is named. --log can be the directory of
countersign monitor. Without --keys it trusts the keys that the service of --log returns now.

With many receipts, stdout has a line of JSON for each receipt that is not valid, in the order of the
input, and last a summary; exit 0 when there is at least one receipt and all are valid. With many
bundles, the summary also counts the statuses that are old.`,
    )
    .action(async (file: string | undefined, commandOptions: CommandOptions) => {
      if (commandOptions.page === true) {
        const { writePage } = await import('./page.ts');
        await writePage(file, commandOptions);
        return;
      }
      if (file === undefined)
        throw new Failure("missing required argument 'file'", 'specify a file, or --page', 2);
      // Checks the file before --keys, because a misspelt file name is the more likely mistake.
      requireFile(file);
      const { keys } = commandOptions;
      if (keys !== undefined && !URL.canParse(keys)) requireFile(keys);
      const { verify } = await import('./verify.ts');
      if (!(await verify(file, commandOptions))) process.exitCode = 1;
    });
}

function entryHash(text: string): string {
  if (!/^[0-9a-f]{64}$/.test(text))
    throw new InvalidArgumentError('An entry_hash is 64 lower-case hexadecimal characters.');
  return text;
}

function domain(text: string): string {
  if (!DOMAINS.some((known) => known === text))
    throw new InvalidArgumentError(`A domain is one of ${DOMAINS.join(', ')}.`);
  return text;
}
