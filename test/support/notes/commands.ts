import { Command } from 'commander';
import type { CommandSurroundings, ModuleCommand } from '../../../src/platform/command-groups.ts';
import { callCommand } from '../../../src/platform/control/call-command.ts';
import { operationGroup } from '../../../src/trust/commands/operations.ts';
import type { TrustModule } from '../../../src/trust/service/module.ts';

/** Returns the commands of notes. */
export async function commands(surroundings: CommandSurroundings<TrustModule>): Promise<ModuleCommand[]> {
  const command = new Command('notes').description('count the notes that are kept');
  const group = await operationGroup(command, surroundings);
  callCommand(group, 'count', 'countNotes', {
    summary: 'count notes',
    reads: true,
    examples: [['Count the notes', 'countersign notes count']],
  });
  return [{ command }];
}
