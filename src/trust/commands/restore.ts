import { Command } from 'commander';
import type { CommandSurroundings, ModuleCommand } from '../../platform/command-groups.ts';
import { callCommand } from '../../platform/control/call-command.ts';
import type { TrustModule } from '../service/module.ts';
import { operationGroup } from './operations.ts';

const NOTES = `
irrevocable.ndjson in the data directory has each deletion of a key and each end of
a payout. "deleted_keys" and "ended_payouts" are those that the restored database
does not have. "unknown_payouts" were paid after the backup, and the database does
not have them: the credits are with the agent again. "other_ends" ended otherwise
in the database. "unknown" is a time of which the file knows nothing, such as after
a loss of the disk: look there yourself which keys were deleted and what was paid.
`;

/** Returns the commands that follow a restore. */
export async function commands(surroundings: CommandSurroundings<TrustModule>): Promise<ModuleCommand[]> {
  const group = await operationGroup(new Command(), surroundings);
  callCommand(group, 'show', 'showRestore', {
    summary: 'show what was done after the backup (trust service)',
    reads: true,
    notes: NOTES,
    examples: [['Show what was done after the backup', 'countersign restore show']],
  });
  callCommand(group, 'accept', 'acceptRestore', {
    summary: 'do that again, and let money move (trust service)',
    asks: () =>
      'delete keys again and end payouts, as countersign restore show lists, and let withdrawals, settlements and payouts continue',
    notes: NOTES,
    examples: [['Accept a restored database', 'countersign restore accept']],
    remarks: async () =>
      'check the payouts that are still held: countersign payouts list --status queued, and --status submitted\n',
  });
  return group.command.commands.map((command) => ({ command, under: 'restore' as const }));
}
