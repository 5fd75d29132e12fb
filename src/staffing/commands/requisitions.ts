import { Command, Option } from 'commander';
import { STATUSES } from '../../../db/staffing/requisitions-enums.ts';
import type { CommandSurroundings, ModuleCommand } from '../../platform/command-groups.ts';
import { examples } from '../../platform/command-help.ts';
import { callCommand } from '../../platform/control/call-command.ts';
import { column, listCommand } from '../../platform/control/list-command.ts';
import { choice } from '../../platform/control/operation-command.ts';
import type { StaffingModule } from '../service/module.ts';
import { partnerGroup } from './operations.ts';

const REQUISITION = { id: ['<requisition>', 'the requisition id, req_…'] } as const;

const MEMBERS = `
The file has a JSON object with title, specialty and state, such as
{"title": "ICU travel nurse", "specialty": "RN critical care", "state": "TX"}, and if
you want city, weeks, positions, start_date, shift, employment_type, notes and
external_id (your own id).
`;
const CHANGED = `
The file has a JSON object with the members to change, such as {"weeks": 8, "notes": null}:
title, specialty, state, city, weeks, positions, start_date, shift, employment_type, notes.
`;

/** Returns the commands of a partner's requisitions. */
export async function commands(surroundings: CommandSurroundings<StaffingModule>): Promise<ModuleCommand[]> {
  const command = new Command('requisitions')
    .description("staffing: submit, list and cancel the partner's requisitions")
    .addHelpText(
      'after',
      examples(
        ['Submit a requisition', 'countersign requisitions submit --data-file requisition.json'],
        ['List the open ones', 'countersign requisitions list --status open'],
      ),
    );
  const group = await partnerGroup(command, surroundings);
  callCommand(group, 'submit', 'submitJob', {
    summary: 'submit a requisition',
    takesBody: true,
    notes: MEMBERS,
    examples: [['Submit a requisition', 'countersign requisitions submit --data-file requisition.json']],
  });
  listCommand(group, 'list', 'listJobs', {
    summary: 'list requisitions, the newest first',
    options: {
      status: choice('--status <status>', 'only those with this status', STATUSES),
      external_id: new Option('--external-id <id>', 'only the one with this id of your own'),
    },
    rows: 'data',
    columns: [
      column('REQUISITION', 'id'),
      column('STATUS', 'status'),
      column('EXTERNAL ID', 'external_id'),
      column('TITLE', 'title'),
      column('CREATED', 'created_at'),
    ],
    examples: [['List the open ones', 'countersign requisitions list --status open --all']],
  });
  callCommand(group, 'show', 'getJob', {
    summary: 'show a requisition',
    reads: true,
    arguments: REQUISITION,
    examples: [['Show a requisition', 'countersign requisitions show REQUISITION']],
  });
  callCommand(group, 'change', 'changeJob', {
    summary: 'change members of a requisition',
    arguments: REQUISITION,
    takesBody: true,
    notes: CHANGED,
    examples: [
      ['Change a requisition', 'countersign requisitions change REQUISITION --data-file change.json'],
    ],
  });
  callCommand(group, 'cancel', 'cancelJob', {
    summary: 'cancel a requisition',
    arguments: REQUISITION,
    examples: [['Cancel a requisition', 'countersign requisitions cancel REQUISITION']],
  });
  callCommand(group, 'delete', 'deleteJob', {
    summary: 'delete a requisition',
    arguments: REQUISITION,
    asks: ({ id }) => `delete the requisition ${id}`,
    examples: [['Delete a requisition', 'countersign requisitions delete REQUISITION']],
  });
  return [{ command }];
}
