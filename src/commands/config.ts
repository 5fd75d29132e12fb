import { Command } from 'commander';
import { examples, GROUPS } from '../platform/command-help.ts';
import { addFlags, manualHelp } from '../platform/config/command-line.ts';
import type { EffectiveSetting } from '../platform/config/resolve.ts';
import type { Services } from './services.ts';

export function configCommand(services: Services): Command {
  const command = new Command('config')
    .description('show every setting and where its value comes from; takes the flags of serve')
    .option('--json', 'as JSON')
    .helpGroup(GROUPS.serve)
    .addHelpText(
      'after',
      examples(
        [
          'Show the settings that a start with this file uses',
          'countersign config --config countersign.toml',
        ],
        ['Show the settings of the staffing service as JSON', 'countersign config --service staffing --json'],
      ),
    );
  return manualHelp(addFlags(command, services.allSettings(), { serving: true })).action(
    (options: { json?: true }, command: Command) => {
      const rows = services.chosen(command).effective.map(rowOf);
      process.stdout.write(options.json === true ? `${JSON.stringify(rows, null, 2)}\n` : tableOf(rows));
    },
  );
}

interface Row {
  key: string;
  /** Secrets are masked. */
  value: string;
  source: string;
  /** Values from sources with lower precedence. */
  overridden: { value: string; source: string }[];
}

function rowOf({ setting, sources }: EffectiveSetting): Row {
  const shown = sources.map(({ name, text }) => ({
    value: setting.secret ? '********' : text,
    source: name,
  }));
  const [winner, ...overridden] = shown;
  const { value, source } = winner ?? { value: setting.fallbackText, source: 'default' };
  return { key: setting.key, value, source, overridden };
}

function tableOf(rows: readonly Row[]): string {
  const width = (column: 'key' | 'value'): number => Math.max(...rows.map((row) => row[column].length));
  const [keys, values] = [width('key'), Math.min(width('value'), 40)];
  return rows
    .map(({ key, value, source, overridden }) => {
      const overriddenValues = overridden
        .map((setting) => `${setting.value} from ${setting.source}`)
        .join(', ');
      const note = overriddenValues === '' ? '' : ` (not ${overriddenValues})`;
      return `${key.padEnd(keys)}  ${value.padEnd(values)}  ${source}${note}\n`;
    })
    .join('');
}
