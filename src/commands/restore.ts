import { resolve } from 'node:path';
import { Command } from 'commander';
import { examples, GROUPS } from '../platform/command-help.ts';
import { takeWritableDirectory } from '../platform/data-directory.ts';
import { refuseDemonstration } from '../platform/demo/directory.ts';
import { requireFile } from '../platform/files/read.ts';
import { systemClock } from '../platform/time/clock.ts';
import type { Services } from './services.ts';

export function restoreCommand(services: Services): Command {
  const command = new Command('restore')
    .description('replace the database with a backup while no server uses it')
    .argument('<file>', 'the file that countersign backup wrote')
    .helpGroup(GROUPS.backup)
    .addHelpText(
      'after',
      examples(
        [
          'Restore a backup into a data directory without a database',
          'countersign restore trust-backup.db --data ./data/trust',
        ],
        ['Replace an existing database', 'countersign restore trust-backup.db --data ./data/trust --force'],
      ),
    )
    .option('--force', 'replace an existing database; it is moved to backups/');
  return services
    .dataFlags(command)
    .addHelpText(
      'after',
      `
The whole backup is checked and migrated to this version before anything is
replaced. Sessions and open challenges of the backup end. To restore signing
keys, use countersign keys restore.`,
    )
    .action(async (file: string, options: { force?: true }, self: Command) => {
      requireFile(file);
      // Loaded on demand, so that other commands start faster.
      const { restore } = await import('../platform/restore.ts');
      const { data, definition } = services.dataOf(self);
      const directory = takeWritableDirectory(data);
      try {
        refuseDemonstration(data, 'restore');
        const { migrations, changes, replaced } = restore(resolve(file), directory, definition.database, {
          force: options.force === true,
          clock: systemClock,
        });
        for (const name of migrations) process.stderr.write(`migrated: ${name}\n`);
        for (const change of changes) process.stderr.write(`${change}\n`);
        if (replaced !== null) process.stderr.write(`the replaced database is now ${replaced}\n`);
        process.stderr.write(`${data} is restored from ${resolve(file)}\n`);
        for (const { what: problem, hint } of await definition.restoreChecks(data)) {
          process.stderr.write(`countersign: warning: ${problem}\n`);
          process.stderr.write(`countersign: hint: ${hint}\n`);
        }
      } finally {
        directory.release();
      }
    });
}
