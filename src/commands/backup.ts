import { constants, setPriority } from 'node:os';
import { join, resolve } from 'node:path';
import { Command } from 'commander';
import { examples, GROUPS } from '../platform/command-help.ts';
import { requireService } from '../platform/control/perform.ts';
import { isReadOnlyDirectory, readOnlyFileSystem } from '../platform/data-directory.ts';
import { refuseDemonstration } from '../platform/demo/directory.ts';
import { Progress } from '../platform/terminal/progress.ts';
import type { Services } from './services.ts';

export function backupCommand(services: Services): Command {
  const command = new Command('backup')
    .description('write a copy of the database; works even while the server runs')
    .argument('<file>', 'a new file, mode 0600')
    .helpGroup(GROUPS.backup)
    .addHelpText(
      'after',
      examples([
        'Back up the trust service, even while it runs',
        'countersign backup trust-backup.db --data ./data/trust',
      ]),
    );
  return services
    .dataFlags(command)
    .addHelpText('after', '\nThe backup does not contain signing keys: countersign keys backup writes them.')
    .action(async (file: string, _options: object, self: Command) => {
      // Loaded on demand, so that other commands start faster.
      const { backUp } = await import('../platform/store/backup/backup.ts');
      const { data, definition } = services.dataOf(self);
      const { name, schema } = definition.database;
      requireService(data, name);
      // SQLite writes files beside a database that it reads.
      if (isReadOnlyDirectory(data)) throw readOnlyFileSystem(data);
      refuseDemonstration(data, 'backup');
      const out = resolve(file);
      // Requests of a running server have priority. Threads started later inherit this one. It is not the
      // lowest: on a busy machine the backup would not end, and it keeps the server's WAL from being emptied.
      setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
      const progress = new Progress(process.stderr, 'MiB');
      try {
        const bytes = await backUp(join(data, name), schema, out, (written, most) =>
          progress.at(written / 2 ** 20, written / most),
        );
        progress.end(`${out}: ${(bytes / 2 ** 20).toFixed(1)} MiB`);
      } finally {
        progress.clear();
      }
    });
}
