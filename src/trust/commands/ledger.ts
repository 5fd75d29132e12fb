import { resolve } from 'node:path';
import { Command } from 'commander';
import type { CommandSurroundings, LoadModules, ModuleCommand } from '../../platform/command-groups.ts';
import { examples, GROUPS } from '../../platform/command-help.ts';
import { addFlags, commandSettings } from '../../platform/config/command-line.ts';
import type { TrustModule } from '../service/module.ts';
import { trustSettings, trustSettingsOf } from '../service/settings.ts';

/** The commands of the ledger. */
export const commands = ({ modules }: CommandSurroundings<TrustModule>): readonly ModuleCommand[] => [
  { command: ledgerCommand(modules) },
];

interface CheckOptions {
  all?: true;
  json?: true;
}

function ledgerCommand(modules: LoadModules<TrustModule>): Command {
  const ledger = new Command('ledger')
    .description('check the ledger of a data directory')
    .helpGroup(GROUPS.verify)
    .addHelpText(
      'after',
      examples([
        'Check every credit, even while the service runs',
        'countersign ledger check --data ./data/trust',
      ]),
    )
    .helpCommand(false);
  const check = ledger
    .command('check')
    .description(
      'check that no credit or cent was created, lost or changed, even while the server runs; exit 0 without problems',
    )
    .addHelpText(
      'after',
      examples(
        ['Check the ledger', 'countersign ledger check --data ./data/trust'],
        [
          'Write every problem as a line of JSON',
          'countersign ledger check --all --json --data ./data/trust',
        ],
      ),
    );
  addFlags(check, [trustSettings.data, trustSettings.config])
    .option('--all', 'report every problem, not only the first')
    .option('--json', 'print problems and the result as lines of JSON')
    .addHelpText(
      'after',
      `
What it checks, and fsck too:
  movements   all are there; each names accounts that its kind may move between, and the balances that
              follow from the movement before it
  journals    the hash of every entry of every agent, and the end of each journal
  accounts    balances and totals are the sums of the movements; each class adds up to zero; none is
              below zero but issuance and what is owed
  escrow      locked credits are those of the open tasks; each task has the movements, the evidence and
              the receipt of its state
  returns     revoked agents have no credits, except what waits for open tasks and withdrawals, and what
              the server is about to return

It writes nothing. countersign fsck --only ledger checks the same; fsck also checks the database file
and everything else.`,
    )
    .action((options: CheckOptions, self: Command) => runCheck(modules, options, self));
  return ledger;
}

async function runCheck(
  modules: LoadModules<TrustModule>,
  { all, json }: CheckOptions,
  command: Command,
): Promise<void> {
  const { config } = commandSettings(command, trustSettingsOf(await modules()));
  // Loaded here, so that other commands start without it.
  const { fsckParts } = await import('../audit/parts.ts');
  await fsckParts(await modules(), resolve(trustSettings.data.in(config)), ['ledger'], {
    all: all === true,
    output: json === true ? 'json' : 'text',
    namesParts: false,
  });
}
