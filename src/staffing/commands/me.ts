import { Command } from 'commander';
import type { CommandSurroundings, ModuleCommand } from '../../platform/command-groups.ts';
import { callCommand } from '../../platform/control/call-command.ts';
import type { StaffingModule } from '../service/module.ts';
import { partnerGroup } from './operations.ts';

/** Returns the command `me`, which shows the partner of the key. */
export async function commands(surroundings: CommandSurroundings<StaffingModule>): Promise<ModuleCommand[]> {
  const group = await partnerGroup(new Command(), surroundings);
  callCommand(group, 'me', 'getMe', {
    summary: 'staffing: show the account, the tier, the limits and the usage of the key',
    reads: true,
    examples: [['Show the account', 'countersign me']],
  });
  return group.command.commands.map((command) => ({ command: command.helpGroup('Use a service:') }));
}
