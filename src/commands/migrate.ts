import { join } from 'node:path';
import { Command } from 'commander';
import { examples, GROUPS } from '../platform/command-help.ts';
import { requireService } from '../platform/control/perform.ts';
import { takeWritableDirectory } from '../platform/data-directory.ts';
import type { Services } from './services.ts';

export function migrateCommand(services: Services): Command {
  const command = new Command('migrate')
    .description('migrate the database to this version while no server uses it, as the next start would')
    .helpGroup(GROUPS.backup)
    .addHelpText(
      'after',
      examples([
        'List the migrations that a new version would apply',
        'countersign migrate --dry-run --data ./data/trust',
      ]),
    )
    .option('--dry-run', 'only list the migrations; works even while the server runs');
  return services.writingFlags(command).action(async (options: { dryRun?: true }, self: Command) => {
    // Loaded on demand, so that other commands start faster.
    const { pendingMigrations, migrate } = await import('../platform/store/migrations/migrate.ts');
    const { data, sharing, definition } = services.dataOf(self);
    const { name, schema } = definition.database;
    requireService(data, name);
    const file = join(data, name);
    if (options.dryRun === true) return printMigrations(pendingMigrations(file, schema), 'would be applied');
    const directory = takeWritableDirectory(data, sharing);
    try {
      printMigrations(migrate(file, schema), 'applied');
    } finally {
      directory.release();
    }
  });
}

function printMigrations(names: readonly string[], done: string): void {
  for (const name of names) process.stdout.write(`${name} ${done}\n`);
  if (names.length === 0) process.stdout.write('the database already has this version\n');
}
