import { Command, Option } from 'commander';
import type { CommandSurroundings, ModuleCommand } from '../../platform/command-groups.ts';
import { callCommand } from '../../platform/control/call-command.ts';
import type { TrustModule } from '../service/module.ts';
import { operationGroup } from './operations.ts';

/** Returns the command of linked accounts. */
export async function commands(surroundings: CommandSurroundings<TrustModule>): Promise<ModuleCommand[]> {
  const group = await operationGroup(new Command(), surroundings);
  callCommand(group, 'link', 'setLinked', {
    summary: 'log all issues of an account publicly',
    arguments: { operator: ['<operator>', 'the operator id, op_cus_…'] },
    options: { off: new Option('--off', 'unlink the account: a leaf of the same sequence says so') },
    valuesFor: ({ off }) => ({ linked: off !== true }),
    notes: `
From now on the log of accounts has a leaf for each receipt that the operator issues, finalizes or
revokes. The log is public. Anyone who knows the operator id, or holds one of its receipts, sees
how many receipts the operator has, when, and their ids, including those of pending ones.
`,
    examples: [
      ['Link the account of an operator', 'countersign operators link OPERATOR'],
      ['Unlink it', 'countersign operators link OPERATOR --off'],
    ],
  });
  return group.command.commands.map((command) => ({ command, under: 'operators' as const }));
}
