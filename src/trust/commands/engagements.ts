import { Command, Option } from 'commander';
import { DELIVERIES, ESCROW_STATUSES } from '../../../db/trust/escrow-enums.ts';
import type { CommandSurroundings, ModuleCommand } from '../../platform/command-groups.ts';
import { examples } from '../../platform/command-help.ts';
import { callCommand } from '../../platform/control/call-command.ts';
import { column, listCommand, numbers } from '../../platform/control/list-command.ts';
import { choice } from '../../platform/control/operation-command.ts';
import { Failure } from '../../platform/failure.ts';
import { positiveInteger, wholeNumber } from '../../platform/terminal/arguments.ts';
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
      disputed: new Option('--disputed', 'only disputed ones'),
    },
    operationFor({ subject_commitment: agent, status, disputed }, { isService }) {
      if (status !== undefined && disputed !== undefined)
        throw new Failure('--status and --disputed contradict each other', 'leave one of the two out', 2);
      if (isService) return 'listEngagements';
      if (agent === undefined && status !== undefined)
        throw new Failure('--status needs --agent', 'name an agent', 2);
      return agent === undefined ? 'listAllEngagements' : 'listEngagements';
    },
    valuesFor: ({ disputed, ...values }) =>
      disputed === undefined ? values : { ...values, status: 'DISPUTED' },
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
      ['List the disputes that wait for a decision', 'countersign engagements list --disputed'],
    ],
  });
  callCommand(group, 'hire', 'createEngagement', {
    summary: 'hire an agent',
    asks: ({ hirer_commitment: hirer, worker_commitment: worker, amount }) =>
      `lock ${amount} credits of ${hirer} for ${worker}`,
    arguments: {
      hirer_commitment: ['<hirer>', 'the commitment of the agent that pays'],
      worker_commitment: ['<worker>', 'the commitment of the agent that works'],
      amount: ['<amount>', 'credits', positiveInteger],
    },
    options: {
      task_id: new Option(
        '--task <id>',
        'a new task_id, unique in this installation (default: the service makes one)',
      ),
      description: new Option('--description <text>', 'what is to be done'),
      deadline: new Option(
        '--deadline <time>',
        'when the engagement expires if it is not delivered, RFC 3339',
      ),
      delivery: choice('--delivery <rule>', 'worker: only what the worker itself signs delivers', DELIVERIES),
    },
    notes: `
The amount of the hirer's credits is locked until the task ends.
`,
    examples: [['Hire for 25 credits', 'countersign engagements hire HIRER WORKER 25']],
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
  callCommand(group, 'deliver', 'deliverEngagement', {
    summary: 'deliver an engagement with what its worker signed',
    arguments: TASK,
    takesBody: true,
    notes: `
The file has the payload and the signature of the worker, as countersign sign prints
them: countersign sign engagement.json --key worker.pem --delivers report.pdf. No key is
needed: the signature is the authority.
`,
    examples: [['Deliver', 'countersign engagements deliver TASK --data-file signed.json']],
  });
  callCommand(group, 'consent', 'consentToArbitrate', {
    summary: 'consent to decide a dispute, as the arbiter',
    arguments: TASK,
    takesBody: true,
    notes: `
The worker's delivery names the arbiter. The file has what the arbiter signed:
countersign sign engagement.json --key arbiter.pem --consents. No key is needed: the
signature is the authority. The arbiter decides with
POST /api/v1/passport/engagements/TASK/resolve and a body that countersign authorize
printed.
`,
    examples: [['Consent', 'countersign engagements consent TASK --data-file consent.json']],
  });
  callCommand(group, 'decline', 'declineEngagement', {
    summary: 'decline an engagement, as its worker',
    asks: ({ taskId }) => `decline ${taskId}, which returns the credits to the hirer`,
    arguments: TASK,
    examples: [['Decline an engagement', 'countersign engagements decline TASK']],
  });
  callCommand(group, 'dispute', 'disputeEngagement', {
    summary: 'dispute a delivery, as the hirer',
    asks: ({ taskId }) => `dispute the delivery of ${taskId}`,
    arguments: TASK,
    options: {
      reason: new Option('--reason <text>', 'why; both parties see it').makeOptionMandatory(),
      refuse_arbiter: new Option(
        '--refuse-arbiter',
        'refuse the arbiter that the worker named: an administrator decides',
      ),
    },
    examples: [['Dispute a delivery', "countersign engagements dispute TASK --reason 'A page is missing.'"]],
  });
  callCommand(group, 'resolve', 'resolveEngagement', {
    summary: 'decide a dispute',
    asks: ({ taskId, worker_amount: amount }) =>
      `pay ${amount} credits of ${taskId} to its worker, and return the rest to the hirer`,
    arguments: { ...TASK, worker_amount: ['<amount>', 'the credits that the worker gets', wholeNumber] },
    options: { note: new Option('--note <text>', 'why; both parties see it').makeOptionMandatory() },
    notes: `
The administrator decides, unless an arbiter can.
`,
    examples: [['Pay a part', "countersign engagements resolve TASK 25 --note 'One of two pages.'"]],
  });
  callCommand(group, 'refund', 'refundEngagement', {
    summary: 'return the credits to the hirer, as its worker',
    asks: ({ taskId }) => `return the credits of ${taskId} to the hirer`,
    arguments: TASK,
    examples: [['Return the credits', 'countersign engagements refund TASK']],
  });
  return [{ command }];
}
