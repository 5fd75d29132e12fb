import { Command, Option } from 'commander';
import type { CommandSurroundings, ModuleCommand } from '../../platform/command-groups.ts';
import { commandSettings, flagValue } from '../../platform/config/command-line.ts';
import { callCommand } from '../../platform/control/call-command.ts';
import { Failure } from '../../platform/failure.ts';
import { KEY_PURPOSES } from '../../proof/log/key-purposes.ts';
import { keysSettings } from '../log/keys/settings.ts';
import type { TrustModule } from '../service/module.ts';
import { trustSettingsOf } from '../service/settings.ts';
import { operationGroup } from './operations.ts';

/** Returns the command that changes signing keys. */
export async function commands(surroundings: CommandSurroundings<TrustModule>): Promise<ModuleCommand[]> {
  const group = await operationGroup(new Command(), surroundings);
  const settings = [...group.settings, keysSettings.publishKeysAhead];
  callCommand({ ...group, settings }, 'rotate', 'rotateKeys', {
    summary: 'replace a signing key (trust service)',
    options: {
      purpose: new Option('--purpose <purpose>', 'the purpose of the key').choices(KEY_PURPOSES),
      kid: new Option(
        '--compromised <kid>',
        'report this key as compromised: its signatures do not count from now on, and its successor signs at once',
      ),
    },
    asks: ({ purpose, kid }) =>
      kid === undefined ? `replace the key for ${purpose}` : `report the key ${kid} as compromised`,
    operationFor({ purpose, kid }) {
      if ((purpose === undefined) === (kid === undefined))
        throw new Failure('use either --purpose or --compromised', 'see countersign keys rotate --help', 2);
      return kid === undefined ? 'rotateKeys' : 'reportCompromised';
    },
    async valuesFor(values, command) {
      // A flag also applies to a running server, which has its own settings.
      if (values.kid !== undefined || flagValue(command, keysSettings.publishKeysAhead) === undefined)
        return values;
      const { config } = commandSettings(command, trustSettingsOf(await surroundings.modules()));
      return { ...values, publish_ahead_seconds: keysSettings.publishKeysAhead.in(config) };
    },
    notes: `
The next key signs once it has been published for keys.publish_ahead_seconds. Each log has a pair
of keys of its own, which is replaced together; the old pair also signs for 30 days. Every step is
an entry of the key log. The old and the new key sign the entries of a rotation. A key of the key
log signs the report of a compromise, and with the new key the entries of the successor. Take a
new keys backup after each step.
`,
    remarks: async () =>
      'make a new backup with countersign keys backup: the last one does not contain the new key\n',
    examples: [
      ['Replace the key that signs receipts', 'countersign keys rotate --purpose receipts'],
      ['Replace the keys of the receipts log', 'countersign keys rotate --purpose receipts-log'],
      ['Report a key as compromised', 'countersign keys rotate --compromised KID'],
    ],
  });
  return group.command.commands.map((command) => ({ command, under: 'keys' as const }));
}
