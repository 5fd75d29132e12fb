import { Command } from 'commander';
import type { CommandSurroundings, ModuleCommand } from '../../platform/command-groups.ts';
import { examples } from '../../platform/command-help.ts';
import { callCommand } from '../../platform/control/call-command.ts';
import { DOMAINS } from '../../proof/receipt/receipt.ts';
import type { TrustModule } from '../service/module.ts';
import { apiGroup } from './operations.ts';

const EXAMPLE = [
  'Check before a call',
  'countersign gate check op_cus_DemoInvoices000000000001 CODE_GENERATION',
] as const;

/** Returns the command of the gate. */
export async function commands(surroundings: CommandSurroundings<TrustModule>): Promise<ModuleCommand[]> {
  const command = new Command('gate')
    .description('check whether an operator may be called')
    .addHelpText('after', examples(EXAMPLE));
  const group = await apiGroup(command, surroundings);
  callCommand(group, 'check', 'verifyGate', {
    summary: 'check an operator in a domain; exit 1 if it is refused',
    reads: true,
    arguments: {
      operator_id: ['<operator>', 'the operator id, op_cus_…'],
      domain: ['<domain>', DOMAINS.join(', ')],
    },
    refusalIn: ({ allow_invocation: isAllowed, reason }) =>
      isAllowed === true ? null : `${reason ?? 'not allowed'}: the gate refuses the operator`,
    examples: [EXAMPLE],
  });
  return [{ command }];
}
