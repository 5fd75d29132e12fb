import { resolve } from 'node:path';
import { Command, InvalidArgumentError } from 'commander';
import type { CommandSurroundings, LoadModules, ModuleCommand } from '../../platform/command-groups.ts';
import { examples, GROUPS } from '../../platform/command-help.ts';
import { addFlags, commandSettings, milliseconds } from '../../platform/config/command-line.ts';
import { OPERATOR_ID } from '../../proof/receipt/receipt-shape.ts';
import { trustDatabaseOf } from '../service/database.ts';
import type { TrustModule } from '../service/module.ts';
import { trustSettings, trustSettingsOf } from '../service/settings.ts';

function receiptsCommand(modules: LoadModules<TrustModule>): Command {
  const receipts = new Command('receipts')
    .description('export the receipts of a data directory')
    .helpGroup(GROUPS.administration)
    .addHelpText(
      'after',
      examples(['Write all receipts to a file', 'countersign receipts export --out receipts.ndjson']),
    )
    .helpCommand(false);
  const exporting = receipts
    .command('export')
    .description('write the receipts of all operators, oldest first, one per line (NDJSON), without salts')
    .addHelpText(
      'after',
      examples([
        'Write the receipts of January to a file',
        'countersign receipts export --from 2026-01-01T00:00:00Z --to 2026-02-01T00:00:00Z --out january.ndjson',
      ]),
    );
  addFlags(exporting, [trustSettings.data, trustSettings.config])
    .option('--from <time>', 'issued at this RFC 3339 time or later', time)
    .option('--to <time>', 'issued before this RFC 3339 time', time)
    .option('--operator <id>', 'only the receipts of this operator, op_cus_…', operatorId)
    .option('--out <file>', 'a new file to write to, mode 0600, instead of stdout')
    .action((options: ExportOptions, self: Command) => exportReceipts(modules, options, self));
  return receipts;
}

interface ExportOptions {
  from?: string;
  to?: string;
  operator?: string;
  out?: string;
}

async function exportReceipts(
  modules: LoadModules<TrustModule>,
  { from, to, operator, out }: ExportOptions,
  command: Command,
): Promise<void> {
  const data = resolve(
    trustSettings.data.in(commandSettings(command, trustSettingsOf(await modules())).config),
  );
  // Loaded here, so that other commands start without it.
  const { exportTo } = await import('../receipts/export/file.ts');
  await exportTo(data, trustDatabaseOf(await modules()), { from, to, operator }, out);
}

/** The commands of receipts. */
export const commands = ({ modules }: CommandSurroundings<TrustModule>): readonly ModuleCommand[] => [
  { command: receiptsCommand(modules) },
];

function operatorId(text: string): string {
  if (!OPERATOR_ID.test(text))
    throw new InvalidArgumentError('An operator id is op_cus_ and 24 letters and digits.');
  return text;
}

/** Keeps the time as text, which may be finer than a millisecond. */
function time(text: string): string {
  milliseconds(text);
  return text;
}
