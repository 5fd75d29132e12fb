import { Command } from 'commander';
import { examples, GROUPS } from '../../platform/command-help.ts';
import { milliseconds } from '../../platform/config/command-line.ts';
import { requireFile } from '../../platform/files/read.ts';
import type { CommandOptions } from '../verify/options/by-document.ts';

const KEYS = '--keys <file|url>';

/** Returns the command `credential`, with its subcommand `verify`. */
export function credentialCommand(): Command {
  return new Command('credential')
    .description('verify a W3C credential about an agent offline')
    .helpGroup(GROUPS.verify)
    .helpCommand(false)
    .addHelpText(
      'after',
      examples([
        'Verify a credential quickly: this trusts the keys that the service returns now',
        'countersign credential verify credential.json --keys https://trust.example',
      ]),
    )
    .addCommand(verifyCredentialCommand());
}

function verifyCredentialCommand(): Command {
  return new Command('verify')
    .description(
      'verify a credential offline: the verdict in words on stderr, as JSON on stdout; exit 0 when valid',
    )
    .addHelpText(
      'after',
      examples(
        [
          'Verify a credential and ask the service whether it was revoked',
          'countersign credential verify credential.json --keys https://trust.example --status https://trust.example',
        ],
        [
          'Verify offline, with a saved status list',
          'countersign credential verify credential.json --keys keys.json --status list.json',
        ],
        [
          'Accept the credential of one issuer only',
          'countersign credential verify credential.json --keys keys.json --issuer did:web:trust.example',
        ],
      ),
    )
    .argument(
      '<credential>',
      'a file with a credential, or with one in the member credential or verifiableCredential; - for standard input',
    )
    .option(
      KEYS,
      'the trusted keys: a saved response of /api/v1/transparency/keys, or the URL of the service (required)',
    )
    .option('--issuer <did>', 'accept this issuer only, instead of every issuer whose key is trusted')
    .option('--at <time>', 'check the dates at this RFC 3339 time instead of now', milliseconds)
    .option(
      '--status <file|url>',
      'also check that the credential is not revoked: a saved status list, its URL, or the URL of the service',
    )
    .addHelpText(
      'after',
      `
Keys are never taken from the credential. Without --status, revocation is not checked.
countersign verify does the same.`,
    )
    .action(
      async (
        credential: string,
        commandOptions: Pick<CommandOptions, 'keys' | 'issuer' | 'at' | 'status'>,
      ) => {
        // Checks the file before --keys, because a misspelt file name is the more likely mistake.
        requireFile(credential);
        const { verify } = await import('../verify/verify.ts');
        if (!(await verify(credential, { ...commandOptions, as: 'credential' }))) process.exitCode = 1;
      },
    );
}
