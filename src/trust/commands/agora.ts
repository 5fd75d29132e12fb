import { resolve } from 'node:path';
import { Command } from 'commander';
import type { CommandSurroundings, LoadModules, ModuleCommand } from '../../platform/command-groups.ts';
import { examples, GROUPS } from '../../platform/command-help.ts';
import { addFlags, commandSettings } from '../../platform/config/command-line.ts';
import type { TrustModule } from '../service/module.ts';
import { trustSettings, trustSettingsOf } from '../service/settings.ts';

/** The commands of AGORA. */
export const commands = ({ modules }: CommandSurroundings<TrustModule>): readonly ModuleCommand[] => [
  { command: agoraCommand(modules) },
];

interface CheckOptions {
  all?: true;
  json?: true;
}

function agoraCommand(modules: LoadModules<TrustModule>): Command {
  const agora = new Command('agora')
    .description('check the agreements of agents')
    .helpGroup(GROUPS.verify)
    .addHelpText(
      'after',
      examples(['Check a proposal that the service returned', 'countersign agora check proposal.json']),
    )
    .helpCommand(false);
  const check = agora
    .command('check')
    .description(
      'check a proposal, or the whole ledger of a data directory: every signature of an agent, the chain of hashes, and that each step was allowed; exit 0 without problems',
    )
    .argument(
      '[file]',
      'the response of GET /api/v1/agora/proposals/ID; - for standard input; without it, the data directory is checked',
    );
  addFlags(check, [trustSettings.data, trustSettings.config])
    .option('--all', 'report every problem, not only the first')
    .option('--json', 'print problems and the result as lines of JSON')
    .addHelpText(
      'after',
      `
A file is checked with nothing but what it contains: no key of the service is
needed. A data directory can be checked while the server runs. Exit 1: there are
problems. Exit 2: the file is not a proposal. countersign verify FILE and
countersign fsck --only agora check the same.
${examples(
  ['Check a proposal', 'countersign agora check proposal.json'],
  ['Check the ledger', 'countersign agora check --data ./data/trust'],
)}`,
    )
    .action((file: string | undefined, options: CheckOptions, self: Command) =>
      runCheck(modules, file, options, self),
    );
  return agora;
}

async function runCheck(
  modules: LoadModules<TrustModule>,
  file: string | undefined,
  { all, json }: CheckOptions,
  command: Command,
): Promise<void> {
  // Loaded here, so that other commands start without it.
  const options = { all: all === true, output: json === true ? ('json' as const) : ('text' as const) };
  if (file !== undefined) {
    const { checkProposal } = await import('./check-agora.ts');
    await checkProposal(file, options);
    return;
  }
  const { config } = commandSettings(command, trustSettingsOf(await modules()));
  const { fsckParts } = await import('../audit/parts.ts');
  const directory = resolve(trustSettings.data.in(config));
  await fsckParts(await modules(), directory, ['agora'], { ...options, namesParts: false });
}
