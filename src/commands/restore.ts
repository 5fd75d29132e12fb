import { resolve } from 'node:path';
import { Command } from 'commander';
import { examples, GROUPS } from '../platform/command-help.ts';
import type { Config } from '../platform/config/setting.ts';
import { restoreKeys } from '../platform/crypto/key-backup.ts';
import { takeWritableDirectory } from '../platform/data-directory.ts';
import { refuseDemonstration } from '../platform/demo/directory.ts';
import { requireFile } from '../platform/files/read.ts';
import type { ServiceDefinition } from '../platform/service-definition.ts';
import { readPassphrase } from '../platform/terminal/passphrase.ts';
import { shellWord } from '../platform/terminal/shell-word.ts';
import { systemClock } from '../platform/time/clock.ts';
import { keysRestored } from './keys.ts';
import type { Services } from './services.ts';

export function restoreCommand(services: Services): Command {
  const command = new Command('restore')
    .description('replace the database with a backup while no server uses it')
    .argument('<file>', 'the file that countersign backup wrote')
    .helpGroup(GROUPS.backup)
    .helpCommand(false)
    .addHelpText(
      'after',
      examples(
        [
          'Restore a backup into a data directory without a database',
          'countersign restore trust-backup.db --data ./data/trust',
        ],
        [
          'Restore the database and the keys on a new machine',
          'countersign restore trust-backup.db --keys trust-keys.backup --data ./data/trust',
        ],
        ['Replace an existing database', 'countersign restore trust-backup.db --data ./data/trust --force'],
      ),
    )
    .option('--keys <file>', 'also restore the keys from the file that countersign keys backup wrote')
    .option('--force', 'replace an existing database; it is moved to backups/');
  return services
    .writingFlags(command)
    .addHelpText(
      'after',
      `
The whole backup is checked and migrated to this version before anything is
replaced. Sessions and open challenges of the backup end. The passphrase of
--keys is read as countersign keys restore reads it; a wrong one changes
nothing. The last line is the command to run next. In the trust service,
withdrawals, settlements and payouts wait for countersign restore accept. No log
is restarted.`,
    )
    .action(async (file: string, options: { force?: true; keys?: string }, self: Command) => {
      requireFile(file);
      if (options.keys !== undefined) requireFile(options.keys);
      // Loaded on demand, so that other commands start faster.
      const { restore } = await import('../platform/restore.ts');
      const { data, sharing, definition, config } = services.dataOf(self);
      const directory = takeWritableDirectory(data, sharing);
      try {
        refuseDemonstration(data, 'restore');
        if (options.keys !== undefined)
          await restoreKeysFrom(resolve(options.keys), data, definition, config);
        const { migrations, changes, replaced } = restore(resolve(file), directory, definition.database, {
          force: options.force === true,
          clock: systemClock,
        });
        for (const name of migrations) process.stderr.write(`migrated: ${name}\n`);
        for (const change of changes) process.stderr.write(`${change}\n`);
        if (replaced !== null) process.stderr.write(`the replaced database is now ${replaced}\n`);
        process.stderr.write(`${data} is restored from ${resolve(file)}\n`);
        const problems = await definition.restoreChecks(data);
        for (const { what: problem, hint } of problems) {
          process.stderr.write(`countersign: warning: ${problem}\n`);
          process.stderr.write(`countersign: hint: ${hint}\n`);
        }
        const start = `countersign serve --service ${definition.name} --data ${shellWord(data)}`;
        process.stderr.write(`next: ${problems[0]?.next ?? start}\n`);
      } finally {
        directory.release();
      }
    });
}

/** Restores keys before the database: a wrong passphrase must change nothing. @throws Failure */
async function restoreKeysFrom(
  file: string,
  data: string,
  { name, isKey, settings: { keysPassphrase } }: ServiceDefinition,
  config: Config,
): Promise<void> {
  const passphrase = await readPassphrase(keysPassphrase.in(config), keysPassphrase.env, false);
  const restored = restoreKeys({ service: name, isKey }, data, file, passphrase);
  process.stderr.write(keysRestored(restored));
}
