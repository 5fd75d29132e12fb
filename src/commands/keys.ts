import { resolve } from 'node:path';
import { Command } from 'commander';
import { type Example, examples, GROUPS } from '../platform/command-help.ts';
import { addFlags } from '../platform/config/command-line.ts';
import { backUpKeys, type KeyFormat, restoreKeys } from '../platform/crypto/key-backup.ts';
import { refuseShared } from '../platform/data-directory.ts';
import { refuseDemonstration } from '../platform/demo/directory.ts';
import { requireFile } from '../platform/files/read.ts';
import { readPassphrase } from '../platform/terminal/passphrase.ts';
import type { Services } from './services.ts';

/** Returns the command `keys`: backup of the directory keys/, which the database backup does not contain. */
export function keysCommand(services: Services): Command {
  const keys = new Command('keys')
    .description('back up, restore and rotate the keys of a service')
    .helpGroup(GROUPS.backup)
    .addHelpText(
      'after',
      examples(
        [
          'Back up the keys; the command asks for a passphrase',
          'countersign keys backup trust-keys.backup --data ./data/trust',
        ],
        ['Replace the key that signs receipts', 'countersign keys rotate --purpose receipts'],
      ),
    )
    .helpCommand(false);
  const env = services.allSettings().find(({ key }) => key === 'keys_passphrase')?.env ?? '';
  const unlisted = services.allSettings().filter(({ key }) => key === 'allow_shared_data');
  const subcommand = (name: string, description: string, argument: string, example: Example): Command => {
    const command = keys
      .command(name)
      .description(description)
      .argument('<file>', argument)
      .addHelpText('after', examples(example));
    return addFlags(services.dataFlags(command), unlisted, { listed: false }).addHelpText(
      'after',
      `\nThe passphrase, of 12 characters or more, comes from ${env},\nfrom the file that ${env}_FILE names, or from the terminal.`,
    );
  };

  subcommand(
    'backup',
    'write all keys to a file, encrypted with a passphrase (scrypt, AES-256-GCM); works even while the server runs',
    'a new file, mode 0600',
    [
      'Back up the keys of the trust service',
      'countersign keys backup trust-keys.backup --data ./data/trust',
    ],
  ).action(async (file: string, _options: object, command: Command) => {
    const { ring, data, passphrase } = await resolveOptions(services, command, true);
    const names = await backUpKeys(ring, data, resolve(file), passphrase);
    process.stderr.write(`${names.length} keys are in ${resolve(file)}: ${names.join(', ')}\n`);
  });

  subcommand(
    'restore',
    'copy the keys of a backup into the data directory',
    'the file that keys backup wrote',
    ['Restore the keys on a new machine', 'countersign keys restore trust-keys.backup --data ./data/trust'],
  ).action(async (file: string, _options: object, command: Command) => {
    requireFile(file);
    const { data: path, sharing } = services.dataOf(command);
    refuseDemonstration(path, 'restore');
    if (sharing.allowShared !== true) refuseShared(path);
    const { ring, data, passphrase } = await resolveOptions(services, command, false);
    const names = restoreKeys(ring, data, resolve(file), passphrase);
    process.stderr.write(keysRestored(names));
  });
  return keys;
}

/** Returns the line about the keys that a restore added. */
export const keysRestored = (names: readonly string[]): string =>
  names.length === 0
    ? 'no key had to be restored: none was missing\n'
    : `${names.length} keys restored: ${names.join(', ')}\n`;

async function resolveOptions(
  services: Services,
  command: Command,
  fresh: boolean,
): Promise<{ ring: KeyFormat; data: string; passphrase: string }> {
  const { definition, config, data } = services.dataOf(command);
  const { keysPassphrase } = definition.settings;
  return {
    ring: { service: definition.name, isKey: definition.isKey },
    data,
    passphrase: await readPassphrase(keysPassphrase.in(config), keysPassphrase.env, fresh),
  };
}
