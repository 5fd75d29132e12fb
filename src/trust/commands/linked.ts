import { Command } from 'commander';
import type { ModuleCommand } from '../../platform/command-groups.ts';
import { examples } from '../../platform/command-help.ts';
import { addFlags } from '../../platform/config/command-line.ts';
import { printJson } from '../../platform/control/run-action.ts';
import type { TrustModule } from '../service/module.ts';
import { trustSettings } from '../service/settings.ts';
import { trustActionRunner } from './action-runner.ts';

/** The commands of linked accounts. */
export const commands = (modules: readonly TrustModule[]): readonly ModuleCommand[] => [
  { command: linkCommand(modules), under: 'operators' },
];

/** Links an account, beside a running server or without one. */
function linkCommand(modules: readonly TrustModule[]): Command {
  const act = trustActionRunner(modules, () => import('../receipts/linked/actions.ts'));
  const command = new Command('link')
    .summary('log all issues of an account publicly')
    .description(
      'link the account of an operator: from now on the log of accounts has a leaf for each receipt that it issues, finalizes or revokes',
    )
    .addHelpText(
      'after',
      examples(
        ['Link the account of an operator', 'countersign operators link OPERATOR'],
        ['Unlink it', 'countersign operators link OPERATOR --off'],
      ),
    )
    .argument('<operator>', 'the operator id, op_cus_…');
  return addFlags(command, [trustSettings.data, trustSettings.config])
    .option('--off', 'unlink the account: a leaf of the same sequence says so')
    .addHelpText(
      'after',
      `
The log is public. Anyone who knows the operator id, or holds one of its receipts, sees how many
receipts the operator has, when, and their ids, also of pending ones.`,
    )
    .action(async (operator: string, { off }: { off?: true }, self: Command) => {
      printJson(await act(self, (actions) => actions.linkAction, { operator, linked: off !== true }));
    });
}
