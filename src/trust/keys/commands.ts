import { resolve } from 'node:path';
import { Command } from 'commander';
import { addFlags, settled } from '../../platform/config/command-line.ts';
import { passphraseOf } from '../../platform/passphrase.ts';
import { trustSettings, trustSettingsTable } from '../settings.ts';
import { backUpKeys, restoreKeys } from './backup.ts';

/** Back-up of the signing keys, which are no part of the database's. */
export function keysCommand(): Command {
  const keys = new Command('keys')
    .description('back the signing keys up, and restore them')
    .helpCommand(false);
  const { env } = trustSettings.keysPassphrase;
  const verb = (name: string, description: string, argument: string): Command => {
    const command = keys.command(name).description(description).argument('<file>', argument);
    return addFlags(command, [trustSettings.data, trustSettings.config]).addHelpText(
      'after',
      `\nThe passphrase comes from ${env}, from the file that\n${env}_FILE names, or from the terminal.`,
    );
  };

  verb(
    'backup',
    'write all signing keys to a file, sealed with a passphrase (scrypt, AES-256-GCM); also beside a running server',
    'a new file, mode 0600',
  ).action(async (file: string, _options: object, command: Command) => {
    const { data, passphrase } = await given(command, true);
    const kids = await backUpKeys(data, resolve(file), passphrase);
    process.stderr.write(`${kids.length} keys are in ${resolve(file)}: ${kids.join(', ')}\n`);
  });

  verb('restore', 'put the keys of a backup into the data directory', 'what keys backup wrote').action(
    async (file: string, _options: object, command: Command) => {
      const { data, passphrase } = await given(command, false);
      const kids = restoreKeys(data, resolve(file), passphrase);
      process.stderr.write(
        kids.length === 0 ? 'all keys were there\n' : `${kids.length} keys restored: ${kids.join(', ')}\n`,
      );
    },
  );
  return keys;
}

async function given(command: Command, fresh: boolean): Promise<{ data: string; passphrase: string }> {
  const { config } = settled(command, trustSettingsTable);
  const { keysPassphrase } = trustSettings;
  return {
    data: resolve(trustSettings.data.in(config)),
    passphrase: await passphraseOf(keysPassphrase.in(config), keysPassphrase.env, fresh),
  };
}
