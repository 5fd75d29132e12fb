import type { Static } from '@sinclair/typebox';
import { Command, Option } from 'commander';
import { PAYOUT_STATUSES, type PayoutStatus } from '../../../db/trust/payouts-enums.ts';
import type { ModuleCommand } from '../../platform/command-groups.ts';
import { examples, GROUPS } from '../../platform/command-help.ts';
import { addFlags } from '../../platform/config/command-line.ts';
import { printJson, type RunAction } from '../../platform/control/run-action.ts';
import { Failure } from '../../platform/failure.ts';
import { positiveInteger } from '../../platform/terminal/arguments.ts';
import { writeOut } from '../../platform/terminal/output.ts';
import { type Column, listText } from '../../platform/terminal/table.ts';
import type { CommandContext } from '../service/context.ts';
import type { TrustModule } from '../service/module.ts';
import { trustSettings } from '../service/settings.ts';
import { commandActionRunner } from './action-runner.ts';

/** Returns the commands of payouts. */
export const commands = (modules: readonly TrustModule[]): readonly ModuleCommand[] => {
  const act = commandActionRunner(modules, () => import('../payments/payouts/actions.ts'));
  return [{ command: payoutsCommand(act) }];
};

type Actions = typeof import('../payments/payouts/actions.ts');
type Act = RunAction<CommandContext, Actions>;
type Payout = Static<Actions['listAction']['output']>['payouts'][number];

/** The most payouts of a page. */
const PAGE = 100;

/** Returns the commands that administer payouts, with or without a running server. */
function payoutsCommand(act: Act): Command {
  const payouts = new Command('payouts')
    .description('list, confirm and fail payouts of withdrawals; also works while the server runs')
    .helpGroup(GROUPS.administration)
    .addHelpText(
      'after',
      `
With payouts.rail=manual, you pay each queued withdrawal yourself, to its
address, and confirm it. With another rail, the server pays them.
${examples(
  ['List what is to be paid', 'countersign payouts list --status queued'],
  ['Confirm a payment', 'countersign payouts confirm WITHDRAWAL REFERENCE'],
  ['Return the credits of a withdrawal', 'countersign payouts fail WITHDRAWAL REASON'],
)}`,
    )
    .helpCommand(false);
  const subcommand = (usage: string, summary: string, description: string): Command => {
    const command = payouts.command(usage).summary(summary).description(description);
    return addFlags(command, [trustSettings.data, trustSettings.config]);
  };
  addList(subcommand, act);
  subcommand('show', 'show a payout', 'show a payout')
    .addHelpText('after', examples(['Show a payout', 'countersign payouts show WITHDRAWAL']))
    .argument('<withdrawal>', 'the id of the withdrawal, wdr_…')
    .action(async (withdrawal_id: string, _options: object, command: Command) => {
      printJson(await act(command, (actions) => actions.showAction, { withdrawal_id }));
    });
  addEnds(subcommand, act);
  addHolds(subcommand, act);
  return payouts;
}

/**
 * Adds a subcommand with the flags that all have.
 * @param summary for the help of `payouts`, whose lines do not wrap
 */
type Subcommand = (usage: string, summary: string, description: string) => Command;

interface ListOptions {
  agent?: string;
  status?: PayoutStatus;
  limit: number;
  json?: boolean;
}

function addList(subcommand: Subcommand, act: Act): void {
  subcommand('list', 'list payouts', 'list the newest payouts, newest first')
    .addHelpText(
      'after',
      examples(
        ['List what is to be paid', 'countersign payouts list --status queued'],
        [
          'Print all failed payouts as lines of JSON',
          'countersign payouts list --status failed --limit 1000000 --json',
        ],
      ),
    )
    .addOption(new Option('--status <status>', 'only those with this status').choices(PAYOUT_STATUSES))
    .option('--agent <commitment>', 'only those of an agent, with any status')
    .option('--limit <number>', 'how many', positiveInteger, PAGE)
    .option('--json', 'print a line of JSON for each')
    .action(async ({ agent, status, limit, json = false }: ListOptions, command: Command) => {
      const rows: Payout[] = [];
      let count = 0;
      let cursor: string | null = null;
      do {
        const page: Static<Actions['listAction']['output']> = await act(
          command,
          (actions) => actions.listAction,
          {
            agent: agent ?? null,
            status: status ?? null,
            limit: String(Math.min(limit - count, PAGE)),
            cursor,
          },
        );
        count += page.payouts.length;
        // A table needs the widths of all rows; lines of JSON need nothing.
        if (json) await writeOut(listText(PAYOUTS, page.payouts, true));
        else rows.push(...page.payouts);
        cursor = page.next_cursor;
      } while (cursor !== null && count < limit);
      if (!json) await writeOut(listText(PAYOUTS, rows));
    });
}

function addEnds(subcommand: Subcommand, act: Act): void {
  subcommand(
    'confirm',
    'confirm that a withdrawal was paid',
    'confirm that a withdrawal was paid; its reserved credits are burned, which cannot be undone',
  )
    .addHelpText(
      'after',
      `
A withdrawal that the evm rail submitted is confirmed with the hash of one of
its transactions, or with any reference if none of them can be paid any more.
${examples(['Confirm a payment', 'countersign payouts confirm WITHDRAWAL "bank transfer 4711"'])}`,
    )
    .argument('<withdrawal>', 'the id of the withdrawal, wdr_…')
    .argument('<reference>', 'what names the payment, such as a transaction hash; its owner sees it')
    .action(async (withdrawal_id: string, reference: string, _options: object, command: Command) => {
      printJson(await act(command, (actions) => actions.confirmAction, { withdrawal_id, reference }));
    });
  subcommand(
    'fail',
    'return the credits of a withdrawal',
    'fail a withdrawal that was not paid and will not be paid; its credits return to the agent',
  )
    .addHelpText(
      'after',
      `
A withdrawal that a rail submitted is refused while it may still be paid.
${examples([
  'Return the credits of a withdrawal',
  'countersign payouts fail WITHDRAWAL "wallet is not supported"',
])}`,
    )
    .argument('<withdrawal>', 'the id of the withdrawal, wdr_…')
    .argument('<reason>', 'why it failed; its owner sees it')
    .option('--unpaid', 'you made sure that it was not paid; needed in a restored database')
    .action(
      async (
        withdrawal_id: string,
        reason: string,
        { unpaid = false }: { unpaid?: boolean },
        command: Command,
      ) => {
        printJson(await act(command, (actions) => actions.failAction, { withdrawal_id, reason, unpaid }));
      },
    );
}

function addHolds(subcommand: Subcommand, act: Act): void {
  subcommand(
    'hold',
    'stop a rail from paying a withdrawal',
    'hold an open withdrawal, so that no rail begins to pay it; a transaction that was sent may still pay it',
  )
    .addHelpText(
      'after',
      examples(
        ['Hold a withdrawal', 'countersign payouts hold WITHDRAWAL'],
        ['Hold all that are open', 'countersign payouts hold --all'],
      ),
    )
    .argument('[withdrawal]', 'the id of the withdrawal, wdr_…')
    .option('--all', 'hold all open withdrawals')
    .action(async (id: string | undefined, { all = false }: { all?: boolean }, command: Command) => {
      const withdrawal_id = oneOrAll(id, all);
      printJson(
        withdrawal_id === null
          ? await act(command, (actions) => actions.holdAllAction, {})
          : await act(command, (actions) => actions.holdAction, { withdrawal_id }),
      );
    });
  subcommand(
    'release',
    'let a rail pay a held withdrawal',
    'release a withdrawal that is held, so that it is paid as usual; in a restored database, first make sure that it was not paid',
  )
    .addHelpText(
      'after',
      examples(
        ['Release a withdrawal', 'countersign payouts release WITHDRAWAL'],
        ['Release all that are held', 'countersign payouts release --all'],
      ),
    )
    .argument('[withdrawal]', 'the id of the withdrawal, wdr_…')
    .option('--all', 'release all withdrawals that are held')
    .action(async (id: string | undefined, { all = false }: { all?: boolean }, command: Command) => {
      const withdrawal_id = oneOrAll(id, all);
      printJson(
        withdrawal_id === null
          ? await act(command, (actions) => actions.releaseAllAction, {})
          : await act(command, (actions) => actions.releaseAction, { withdrawal_id }),
      );
    });
}

/**
 * Returns the withdrawal that a command names; null for all.
 * @throws Failure (exit code 2) for neither or both
 */
function oneOrAll(id: string | undefined, all: boolean): string | null {
  if ((id !== undefined) !== all) return id ?? null;
  throw new Failure(
    all ? 'a withdrawal and --all exclude each other' : 'name a withdrawal, or all of them with --all',
    'see countersign payouts list',
    2,
  );
}

const PAYOUTS: readonly Column<Payout>[] = [
  { title: 'WITHDRAWAL', cellOf: (row) => row.withdrawal_id },
  { title: 'STATUS', cellOf: (row) => row.status },
  { title: 'WAITING FOR', cellOf: (row) => row.waiting_for },
  { title: 'HELD', cellOf: (row) => row.held },
  { title: 'CREDITS', isNumber: true, cellOf: (row) => row.amount },
  { title: 'US CENTS', isNumber: true, cellOf: (row) => row.usd_cents },
  { title: 'ADDRESS', cellOf: (row) => row.address },
  { title: 'CREATED', cellOf: (row) => row.created_at },
  { title: 'REFERENCE', cellOf: (row) => row.external_reference },
  { title: 'ERROR', cellOf: (row) => row.last_error },
];
