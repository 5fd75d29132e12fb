import { join, resolve } from 'node:path';
import { Command } from 'commander';
import { addFlags, milliseconds, settled } from '../../platform/config/command-line.ts';
import { requireService } from '../../platform/control/perform.ts';
import type { ModuleCommand } from '../../platform/module.ts';
import { type Write, writeNewFile, writeOut } from '../../platform/output.ts';
import { Progress } from '../../platform/progress.ts';
import { openMigrated } from '../../platform/store/migrations.ts';
import { trustDatabase } from '../database.ts';
import { trustSettings, trustSettingsTable } from '../settings.ts';
import { exportPages } from './export.ts';
import { storedForm } from './read.ts';

interface ExportOptions {
  from?: string;
  to?: string;
  out?: string;
}

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

async function exportReceipts(options: ExportOptions, command: Command): Promise<void> {
  const data = resolve(trustSettings.data.in(settled(command, trustSettingsTable).config));
  requireService(data, trustDatabase.name);
  const connection = openMigrated(join(data, trustDatabase.name), trustDatabase.schema);
  const progress = new Progress(process.stderr, 'receipts');
  const range = { from: storedForm(options.from), to: storedForm(options.to) };
  const all = async (write: Write): Promise<number> => {
    let receipts = 0;
    for (const page of exportPages(connection, range)) {
      progress.clear();
      if (page.receipts > 0) await write(page.text);
      receipts += page.receipts;
      progress.at(receipts, page.share);
    }
    return receipts;
  };
  try {
    const receipts = await (options.out === undefined ? all(writeOut) : writeNewFile(options.out, all));
    progress.end(`${receipts} receipts exported`);
  } finally {
    progress.clear();
    connection.sqlite.close();
  }
}

/** The verbs of receipts. */
export const commands = (): readonly ModuleCommand[] => [{ command: receiptsCommand() }];

/** A time in its own words, which may be finer than a millisecond. */
function time(text: string): string {
  milliseconds(text);
  return text;
}
