import { resolve } from 'node:path';
import { Command } from 'commander';
import { addFlags, milliseconds, settled } from '../../platform/config/command-line.ts';
import type { ModuleCommand } from '../../platform/module.ts';
import { trustSettings, trustSettingsTable } from '../settings.ts';

function receiptsCommand(): Command {
  const receipts = new Command('receipts')
    .description('work with the receipts of a data directory')
    .helpCommand(false);
  const exporting = receipts
    .command('export')
    .description("write all operators' receipts, oldest first, one a line (NDJSON), without salts");
  addFlags(exporting, [trustSettings.data, trustSettings.config])
    .option('--from <time>', 'issued at this RFC 3339 time or later', time)
    .option('--to <time>', 'issued before this RFC 3339 time', time)
    .option('--out <file>', 'a new file to write to, mode 0600, instead of stdout')
    .action(exportReceipts);
  return receipts;
}

async function exportReceipts(
  { from, to, out }: { from?: string; to?: string; out?: string },
  command: Command,
): Promise<void> {
  const data = resolve(trustSettings.data.in(settled(command, trustSettingsTable).config));
  // Loaded now: other commands start without it.
  const { exportTo } = await import('./export-file.ts');
  await exportTo(data, { from, to }, out);
}

/** The verbs of receipts. */
export const commands = (): readonly ModuleCommand[] => [{ command: receiptsCommand() }];

/** A time in its own words, which may be finer than a millisecond. */
function time(text: string): string {
  milliseconds(text);
  return text;
}
