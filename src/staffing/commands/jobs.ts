import { Command } from 'commander';
import { TIERS } from '../../../db/staffing/accounts-enums.ts';
import { STATUSES } from '../../../db/staffing/requisitions-enums.ts';
import type { CommandSurroundings, ModuleCommand } from '../../platform/command-groups.ts';
import { examples, GROUPS } from '../../platform/command-help.ts';
import { callCommand } from '../../platform/control/call-command.ts';
import { column, listCommand } from '../../platform/control/list-command.ts';
import { choice } from '../../platform/control/operation-command.ts';
import type { StaffingModule } from '../service/module.ts';
import { apiGroup } from './operations.ts';

/** Returns the commands that administer requisitions. */
export async function commands(surroundings: CommandSurroundings<StaffingModule>): Promise<ModuleCommand[]> {
  const command = new Command('jobs')
    .description('staffing: list requisitions and change the status of live ones, even while the server runs')
    .addHelpText('after', examples(['List the open requisitions', 'countersign jobs list --status open']));
  const group = await apiGroup(command, surroundings);
  listCommand(group, 'list', 'listAllJobs', {
    summary: 'list all requisitions, a line of JSON for each',
    options: {
      status: choice('--status <status>', 'only those', STATUSES),
      mode: choice('--mode <mode>', 'only those', TIERS),
    },
    rows: 'data',
    columns: [
      column('REQUISITION', 'id'),
      column('STATUS', 'status'),
      column('MODE', 'mode'),
      column('TITLE', 'title'),
      column('CREATED', 'created_at'),
    ],
    output: 'ndjson',
    notes: '\nThe newest come first, a line of JSON for each; --output table prints a table.\n',
    examples: [
      ['List the live requisitions that are open', 'countersign jobs list --status open --mode live'],
    ],
  });
  callCommand(group, 'status', 'setJobStatus', {
    summary: 'change the status of a live requisition',
    arguments: {
      id: ['<requisition>', 'the requisition id, req_…'],
      status: ['<status>', 'open, on_hold, filled, cancelled or closed'],
    },
    examples: [['Mark a requisition as filled', 'countersign jobs status REQUISITION filled']],
  });
  return [{ command: command.helpGroup(GROUPS.administration) }];
}
