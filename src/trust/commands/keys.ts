import { resolve } from 'node:path';
import { Command, Option } from 'commander';
import type { ModuleCommand } from '../../platform/command-groups.ts';
import { examples } from '../../platform/command-help.ts';
import { addFlags, commandSettings, flagValue } from '../../platform/config/command-line.ts';
import { perform } from '../../platform/control/perform.ts';
import { printJson } from '../../platform/control/run-action.ts';
import { Failure } from '../../platform/failure.ts';
import { createLog } from '../../platform/monitoring/log.ts';
import { KEY_PURPOSES, type KeyPurpose } from '../../proof/log/key-purposes.ts';
import { keysSettings } from '../log/keys/settings.ts';
import type { TrustModule } from '../service/module.ts';
import { trustSettings, trustSettingsOf } from '../service/settings.ts';

/** The commands of signing keys. */
export const commands = (modules: readonly TrustModule[]): readonly ModuleCommand[] => [
  { command: rotateCommand(modules), under: 'keys' },
];

/** Changes signing keys, beside a running server or without one. */
function rotateCommand(modules: readonly TrustModule[]): Command {
  const command = new Command('rotate')
    .description('publish the next signing key of a purpose, or report a key as compromised (trust service)')
    .addHelpText(
      'after',
      examples(
        ['Replace the key that signs receipts', 'countersign keys rotate --purpose receipts'],
        ['Replace the keys of the receipts log', 'countersign keys rotate --purpose receipts-log'],
        ['Report a key as compromised', 'countersign keys rotate --compromised KID'],
      ),
    );
  return addFlags(command, [trustSettings.data, trustSettings.config, keysSettings.publishKeysAhead])
    .addOption(new Option('--purpose <purpose>', 'the purpose of the key').choices(KEY_PURPOSES))
    .option(
      '--compromised <kid>',
      'report this key as compromised: its signatures do not count from now on, and its successor signs at once',
    )
    .addHelpText(
      'after',
      `
The next key signs once it has been published for keys.publish_ahead_seconds. Each log has a pair
of keys of its own, which is replaced together; the old pair also signs for 30 days. Every step is
an entry of the key log. The old and the new key sign the entries of a rotation. A key of the key
log signs the report of a compromise, and with the new key the entries of the successor. Take a
new keys backup after each step.`,
    )
    .action((options: RotateOptions, self: Command) => rotateKeys(modules, options, self));
}

interface RotateOptions {
  purpose?: KeyPurpose;
  compromised?: string;
}

async function rotateKeys(
  modules: readonly TrustModule[],
  { purpose, compromised }: RotateOptions,
  command: Command,
): Promise<void> {
  // Loaded here, so that other commands start without it.
  const { compromisedAction, rotateAction } = await import('../log/keys/actions.ts');
  const { trustContextOpening: trustOpening } = await import('../service/open-context.ts');
  const { config } = commandSettings(command, trustSettingsOf(modules));
  const data = resolve(trustSettings.data.in(config));
  const opening = trustOpening(config, (await createLog('warn')).log, modules);
  const act = () => {
    if (compromised !== undefined && purpose === undefined) {
      return perform(data, opening, compromisedAction, { kid: compromised });
    }
    if (purpose !== undefined && compromised === undefined) {
      // A flag also applies to a running server, which has its own settings.
      const ahead = flagValue(command, keysSettings.publishKeysAhead);
      const options =
        ahead === undefined ? {} : { publish_ahead_seconds: keysSettings.publishKeysAhead.in(config) };
      return perform(data, opening, rotateAction, { purpose, ...options });
    }
    throw new Failure('use either --purpose or --compromised', 'see countersign keys rotate --help', 2);
  };
  printJson(await act());
  process.stderr.write(
    'make a new backup with countersign keys backup: the last one does not contain the new key\n',
  );
}
