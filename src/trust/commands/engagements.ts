import type { Static } from '@sinclair/typebox';
import { Command, Option } from 'commander';
import { ESCROW_STATUSES, type EscrowStatus } from '../../../db/trust/escrow-enums.ts';
import type { ModuleCommand } from '../../platform/command-groups.ts';
import { examples, GROUPS } from '../../platform/command-help.ts';
import { addFlags } from '../../platform/config/command-line.ts';
import { checkedOutput } from '../../platform/control/action.ts';
import { printJson } from '../../platform/control/run-action.ts';
import { Failure } from '../../platform/failure.ts';
import { positiveInteger } from '../../platform/terminal/arguments.ts';
import { writeOut } from '../../platform/terminal/output.ts';
import { type Column, listText } from '../../platform/terminal/table.ts';
import type { EngagementListResponse } from '../hires/engagements/schema.ts';
import type { TrustModule } from '../service/module.ts';
import { trustSettings } from '../service/settings.ts';
import { type CallOperation, operationCaller } from './action-runner.ts';

/** Returns the commands of engagements. */
export const commands = (modules: readonly TrustModule[]): readonly ModuleCommand[] => [
  { command: engagementsCommand(operationCaller(modules)) },
];

type Engagement = Static<typeof EngagementListResponse>['engagements'][number];

/** The most engagements of a page. */
const PAGE = 100;

/** Returns the commands that administer engagements, with or without a running server. */
function engagementsCommand(call: CallOperation): Command {
  const engagements = new Command('engagements')
    .description('list, show, create and end engagements; also works while the server runs')
    .helpGroup(GROUPS.administration)
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
    )
    .helpCommand(false);
  const subcommand = (usage: string, summary: string, description: string): Command => {
    const command = engagements.command(usage).summary(summary).description(description);
    return addFlags(command, [trustSettings.data, trustSettings.config]);
  };
  addList(subcommand, call);
  addHire(subcommand, call);
  subcommand('show', 'show an engagement', 'show any engagement or ACP task')
    .addHelpText('after', examples(['Show an engagement', 'countersign engagements show TASK']))
    .argument('<task>', 'the task_id')
    .action(async (taskId: string, _options: object, command: Command) => {
      printJson(await call(command, { operation: 'getEngagement', params: { taskId }, query: {} }));
    });
  subcommand(
    'accept',
    'accept a delivery',
    'accept a delivered engagement of a hirer without a sponsor: pay its worker and issue the receipt',
  )
    .addHelpText('after', examples(['Accept a delivery', 'countersign engagements accept TASK']))
    .argument('<task>', 'the task_id')
    .action(async (taskId: string, _options: object, command: Command) => {
      printJson(
        await call(command, { operation: 'acceptEngagement', params: { taskId }, query: {}, body: {} }),
      );
    });
  subcommand(
    'cancel',
    'cancel an engagement',
    'cancel an engagement of a hirer without a sponsor that is not delivered; the credits return to the hirer',
  )
    .addHelpText('after', examples(['Cancel an engagement', 'countersign engagements cancel TASK']))
    .argument('<task>', 'the task_id')
    .action(async (taskId: string, _options: object, command: Command) => {
      printJson(
        await call(command, { operation: 'cancelEngagement', params: { taskId }, query: {}, body: {} }),
      );
    });
  return engagements;
}

/**
 * Adds a subcommand with the flags that all have.
 * @param summary for the help of `engagements`, whose lines do not wrap
 */
type Subcommand = (usage: string, summary: string, description: string) => Command;

interface ListOptions {
  agent?: string;
  status?: EscrowStatus;
  limit: number;
  json?: boolean;
}

function addList(subcommand: Subcommand, call: CallOperation): void {
  subcommand('list', 'list engagements', 'list the newest engagements and ACP tasks, newest first')
    .addHelpText(
      'after',
      examples([
        'List what an agent has open as hirer or worker',
        'countersign engagements list --agent COMMITMENT --status HELD',
      ]),
    )
    .option('--agent <commitment>', 'only those of an agent, as hirer or worker')
    .addOption(
      new Option('--status <status>', 'only those with this status; needs --agent').choices(ESCROW_STATUSES),
    )
    .option('--limit <number>', 'how many', positiveInteger, PAGE)
    .option('--json', 'print a line of JSON for each')
    .action(async ({ agent, status, limit, json }: ListOptions, command: Command) => {
      if (agent === undefined && status !== undefined) {
        throw new Failure('--status needs --agent', 'name an agent', 2);
      }
      const schema = await import('../hires/engagements/schema.ts');
      const rows: Engagement[] = [];
      let cursor: string | null = null;
      do {
        const query: Record<string, string> = {
          ...(agent === undefined ? {} : { subject_commitment: agent }),
          ...(status === undefined ? {} : { status }),
          ...(cursor === null ? {} : { cursor }),
          limit: String(Math.min(limit - rows.length, PAGE)),
        };
        const operation = agent === undefined ? 'listAllEngagements' : 'listEngagements';
        const page: Static<typeof EngagementListResponse> = checkedOutput(
          schema.EngagementListResponse,
          await call(command, { operation, params: {}, query }),
          `the operation ${operation}`,
        );
        rows.push(...page.engagements);
        cursor = page.next_cursor;
      } while (cursor !== null && rows.length < limit);
      await writeOut(listText(ENGAGEMENTS, rows, json === true));
    });
}

function addHire(subcommand: Subcommand, call: CallOperation): void {
  subcommand(
    'hire',
    'hire an agent',
    'hire an agent for an agent that has no sponsor: lock the amount of its credits until the task ends',
  )
    .addHelpText(
      'after',
      examples(['Hire for 25 credits', 'countersign engagements hire TASK HIRER WORKER 25']),
    )
    .argument('<task>', 'a new task_id, unique in this installation')
    .argument('<hirer>', 'the commitment of the agent that pays, which must have no sponsor')
    .argument('<worker>', 'the commitment of the agent that works')
    .argument('<amount>', 'credits', positiveInteger)
    .option('--description <text>', 'what is to be done')
    .option('--deadline <time>', 'when the engagement expires if it is not delivered, RFC 3339')
    .action(
      async (
        task_id: string,
        hirer_commitment: string,
        worker_commitment: string,
        amount: number,
        { description, deadline }: { description?: string; deadline?: string },
        command: Command,
      ) => {
        const more = {
          ...(description === undefined ? {} : { description }),
          ...(deadline === undefined ? {} : { deadline }),
        };
        const terms = { task_id, hirer_commitment, worker_commitment, amount, ...more };
        printJson(await call(command, { operation: 'createEngagement', params: {}, query: {}, body: terms }));
      },
    );
}

const ENGAGEMENTS: readonly Column<Engagement>[] = [
  { title: 'TASK', cellOf: (row) => row.task_id },
  { title: 'STATUS', cellOf: (row) => row.status },
  { title: 'AMOUNT', isNumber: true, cellOf: (row) => row.amount },
  { title: 'HIRER', cellOf: (row) => row.hirer_commitment },
  { title: 'WORKER', cellOf: (row) => row.worker_commitment },
  { title: 'CREATED', cellOf: (row) => row.created_at },
  { title: 'ENDED BY', cellOf: (row) => row.ended_by },
];
