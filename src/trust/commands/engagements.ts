import { Command, Option } from 'commander';
import { ESCROW_STATUSES } from '../../../db/trust/escrow-enums.ts';
import type { CommandSurroundings, ModuleCommand } from '../../platform/command-groups.ts';
import { examples } from '../../platform/command-help.ts';
import { callCommand } from '../../platform/control/call-command.ts';
import { column, listCommand, numbers } from '../../platform/control/list-command.ts';
import { choice } from '../../platform/control/operation-command.ts';
import { Failure } from '../../platform/failure.ts';
import { positiveInteger } from '../../platform/terminal/arguments.ts';
import type { TrustModule } from '../service/module.ts';
import { apiGroup } from './operations.ts';

const TASK = { taskId: ['<task>', 'the task_id'] } as const;

/** Returns the commands that administer engagements. */
export async function commands(surroundings: CommandSurroundings<TrustModule>): Promise<ModuleCommand[]> {
  const command = new Command('engagements')
    .description('list, show, create and end engagements, even while the server runs')
    .addHelpText(
      'after',
      `
On a data directory, the administrator reads every engagement. As with an admin key,
hire, accept and cancel work there only for a hirer without a sponsor. For any other
hirer, use a key of its sponsor: with a login context, or with --url and --api-key-file.
${examples(
  ['List the newest engagements', 'countersign engagements list'],
  ['Show an engagement', 'countersign engagements show TASK'],
)}`,
    );
  const group = await apiGroup(command, surroundings);
  listCommand(group, 'list', 'listAllEngagements', {
    summary: 'list engagements',
    options: {
      subject_commitment: new Option(
        '--agent <commitment>',
        'only those of an agent, as hirer or worker; required, except on a data directory',
      ),
      status: choice('--status <status>', 'only those with this status; needs --agent', ESCROW_STATUSES),
    },
    operationFor({ subject_commitment: agent, status }, { isService }) {
      if (isService) return 'listEngagements';
      if (agent === undefined && status !== undefined)
        throw new Failure('--status needs --agent', 'name an agent', 2);
      return agent === undefined ? 'listAllEngagements' : 'listEngagements';
    },
    rows: 'engagements',
    columns: [
      column('TASK', 'task_id'),
      column('STATUS', 'status'),
      numbers('AMOUNT', 'amount'),
      column('HIRER', 'hirer_commitment'),
      column('WORKER', 'worker_commitment'),
      column('CREATED', 'created_at'),
      column('ENDED BY', 'ended_by'),
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
    asks: ({ hirer_commitment: hirer, worker_commitment: worker, amount }) =>
      `lock ${amount} credits of ${hirer} for ${worker}`,
    arguments: {
      task_id: ['<task>', 'a new task_id, unique in this installation'],
      hirer_commitment: ['<hirer>', 'the commitment of the agent that pays'],
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
    reads: true,
    arguments: TASK,
    examples: [['Show an engagement', 'countersign engagements show TASK']],
  });
  callCommand(group, 'accept', 'acceptEngagement', {
    summary: 'accept a delivery',
    asks: ({ taskId }) => `accept the delivery of ${taskId}, which pays the worker`,
    arguments: TASK,
    examples: [['Accept a delivery', 'countersign engagements accept TASK']],
  });
  callCommand(group, 'cancel', 'cancelEngagement', {
    summary: 'cancel an engagement',
    asks: ({ taskId }) => `cancel ${taskId}, which returns the credits to the hirer`,
    arguments: TASK,
    notes: `
The credits return to the hirer.
`,
    examples: [['Cancel an engagement', 'countersign engagements cancel TASK']],
  });
  callCommand(group, 'refund', 'refundEngagement', {
    summary: 'return the credits to the hirer, as its worker',
    asks: ({ taskId }) => `return the credits of ${taskId} to the hirer`,
    arguments: TASK,
    examples: [['Return the credits', 'countersign engagements refund TASK']],
  });
  return [{ command }];
}
