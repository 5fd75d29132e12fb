import { Command } from 'commander';
import type { CommandSurroundings, ModuleCommand } from '../../platform/command-groups.ts';
import { examples } from '../../platform/command-help.ts';
import { callCommand } from '../../platform/control/call-command.ts';
import { Failure } from '../../platform/failure.ts';
import { trustDatabase } from '../service/database.ts';
import type { TrustModule } from '../service/module.ts';
import { operationGroup } from './operations.ts';

/** Returns the commands of the clock. Only a running server performs them: its memory has the state. */
export async function commands(surroundings: CommandSurroundings<TrustModule>): Promise<ModuleCommand[]> {
  const command = new Command('clock')
    .description('show what the running server knows of its clock, or accept its time')
    .addHelpText(
      'after',
      `
A server whose clock was set by more than 60 seconds issues nothing with a date until
the clock is right again, or confirmed. A server that starts more than a day after its
newest data deletes, expires, refunds and pays nothing by schedule until the clock is
confirmed. Accept a time only after you compared it with another clock.
${examples(
  ['Show whether the clock counts as right', 'countersign clock show'],
  ['Accept the time that the clock shows', 'countersign clock accept'],
)}`,
    );
  const group = await operationGroup(command, surroundings, async () => refuseStopped);
  callCommand(group, 'show', 'showClock', {
    summary: 'show whether the clock counts as right',
    reads: true,
    examples: [['Show whether the clock counts as right', 'countersign clock show']],
  });
  callCommand(group, 'accept', 'acceptClock', {
    summary: 'accept the time that the clock shows as right',
    examples: [['Accept the time that the clock shows', 'countersign clock accept']],
  });
  return [{ command }];
}

const refuseStopped = () => ({
  database: trustDatabase.name,
  async open(): Promise<never> {
    throw new Failure(
      'no server uses this data directory, and the clock is that of a running server',
      'start the server first: a start says if the clock is in doubt',
    );
  },
});
