import { Command, Option } from 'commander';
import { ESCROW_STATUSES } from '../../../db/trust/escrow-enums.ts';
import type { CommandSurroundings, ModuleCommand } from '../../platform/command-groups.ts';
import { examples } from '../../platform/command-help.ts';
import { callCommand, choice, listCommand } from '../../platform/control/operation-commands.ts';
import { Failure } from '../../platform/failure.ts';
import { positiveInteger } from '../../platform/terminal/arguments.ts';
import type { TrustModule } from '../service/module.ts';
import { operationGroup } from './operations.ts';

const TASK = { taskId: ['<task>', 'the task_id'] } as const;

/** Returns the commands that administer engagements. */
export async function commands(surroundings: CommandSurroundings<TrustModule>): Promise<ModuleCommand[]> {
  const command = new Command('engagements')
    .description('list, show, create and end engagements, even while the server runs')
    .addHelpText(
      'after',
      `
The administrator reads every engagement. As with an admin key, hire, accept and
cancel work only for a hirer without a sponsor. For any other hirer, use a key
of its sponsor and the API.
${examples(
  ['List the newest engagements', 'countersign engagements list'],
  ['Show an engagement', 'countersign engagements show TASK'],
)}`,
    );
  const group = await operationGroup(command, surroundings);
  listCommand(group, 'list', 'listAllEngagements', {
    summary: 'list engagements',
    options: {
      subject_commitment: new Option('--agent <commitment>', 'only those of an agent, as hirer or worker'),
      status: choice('--status <status>', 'only those with this status; needs --agent', ESCROW_STATUSES),
    },
    operationFor({ subject_commitment: agent, status }) {
      if (agent === undefined && status !== undefined)
        throw new Failure('--status needs --agent', 'name an agent', 2);
      return agent === undefined ? 'listAllEngagements' : 'listEngagements';
    },
    limit: 100,
    response: async () => (await import('../hires/engagements/schema.ts')).EngagementListResponse,
    pageOf: ({ engagements, next_cursor }) => ({ rows: engagements, next_cursor }),
    columns: [
      { title: 'TASK', cellOf: (row) => row.task_id },
      { title: 'STATUS', cellOf: (row) => row.status },
      { title: 'AMOUNT', isNumber: true, cellOf: (row) => row.amount },
      { title: 'HIRER', cellOf: (row) => row.hirer_commitment },
      { title: 'WORKER', cellOf: (row) => row.worker_commitment },
      { title: 'CREATED', cellOf: (row) => row.created_at },
      { title: 'ENDED BY', cellOf: (row) => row.ended_by },
    ],
    examples: [
      [
        'List what an agent has open as hirer or worker',
        'countersign engagements list --agent COMMITMENT --status HELD',
      ],
    ],
  });
  callCommand(group, 'hire', 'createEngagement', {
    summary: 'hire an agent',
    arguments: {
      task_id: ['<task>', 'a new task_id, unique in this installation'],
      hirer_commitment: ['<hirer>', 'the commitment of the agent that pays, which must have no sponsor'],
      worker_commitment: ['<worker>', 'the commitment of the agent that works'],
      amount: ['<amount>', 'credits', positiveInteger],
    },
    options: {
      description: new Option('--description <text>', 'what is to be done'),
      deadline: new Option(
        '--deadline <time>',
        'when the engagement expires if it is not delivered, RFC 3339',
      ),
    },
    notes: `
The amount of the hirer's credits is locked until the task ends.
`,
    examples: [['Hire for 25 credits', 'countersign engagements hire TASK HIRER WORKER 25']],
  });
  callCommand(group, 'show', 'getEngagement', {
    summary: 'show an engagement',
    arguments: TASK,
    examples: [['Show an engagement', 'countersign engagements show TASK']],
  });
  callCommand(group, 'accept', 'acceptEngagement', {
    summary: 'accept a delivery',
    arguments: TASK,
    examples: [['Accept a delivery', 'countersign engagements accept TASK']],
  });
  callCommand(group, 'cancel', 'cancelEngagement', {
    summary: 'cancel an engagement',
    arguments: TASK,
    notes: `
The credits return to the hirer.
`,
    examples: [['Cancel an engagement', 'countersign engagements cancel TASK']],
  });
  return [{ command }];
}
