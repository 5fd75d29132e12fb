import type { Static } from '@sinclair/typebox';
import { Command, Option } from 'commander';
import type { ModuleCommand } from '../../platform/command-groups.ts';
import { examples, GROUPS } from '../../platform/command-help.ts';
import { addFlags } from '../../platform/config/command-line.ts';
import { printJson, type RunAction } from '../../platform/control/run-action.ts';
import { nativePrimitives } from '../../platform/crypto/crypto.ts';
import { Failure } from '../../platform/failure.ts';
import { nonZeroInteger, positiveInteger } from '../../platform/terminal/arguments.ts';
import { writeOut } from '../../platform/terminal/output.ts';
import { type Column, listText } from '../../platform/terminal/table.ts';
import { JournalVerifier } from '../../proof/ledger/journal.ts';
import type { CommandContext } from '../service/context.ts';
import type { TrustModule } from '../service/module.ts';
import { trustSettings } from '../service/settings.ts';
import { commandActionRunner } from './action-runner.ts';

/** Returns the commands of credits. */
export const commands = (modules: readonly TrustModule[]): readonly ModuleCommand[] => {
  const act = commandActionRunner(modules, async () => ({
    ...(await import('../ledger/credits/actions.ts')),
    ...(await import('../pages/dashboard/operator-actions.ts')),
  }));
  return [{ command: creditsCommand(act) }];
};

type Actions = typeof import('../ledger/credits/actions.ts') &
  typeof import('../pages/dashboard/operator-actions.ts');
type Act = RunAction<CommandContext, Actions>;

/** Returns the commands that administer credits, with or without a running server. */
function creditsCommand(act: Act): Command {
  const credits = new Command('credits')
    .description(
      'grant, transfer and show credits of agents, and change pools of operators; also works while the server runs',
    )
    .helpGroup(GROUPS.administration)
    .addHelpText(
      'after',
      examples(
        ['Grant 100 credits from the pool of the first operator', 'countersign credits grant COMMITMENT 100'],
        ['Show the credits of an agent', 'countersign credits show COMMITMENT'],
      ),
    )
    .helpCommand(false);
  const subcommand = (usage: string, summary: string, description: string): Command => {
    const command = credits.command(usage).summary(summary).description(description);
    return addFlags(command, [trustSettings.data, trustSettings.config]);
  };
  addGrant(subcommand, act);
  addAdjust(subcommand, act);
  addTransfer(subcommand, act);
  addUnclaimed(subcommand, act);
  addShow(subcommand, act);
  addJournal(subcommand, act);
  return credits;
}

/**
 * Adds a subcommand with the flags that all have.
 * @param summary for the help of `credits`, at most 37 characters: its lines do not wrap
 */
type Subcommand = (usage: string, summary: string, description: string) => Command;

function addGrant(subcommand: Subcommand, act: Act): void {
  subcommand(
    'grant',
    'grant credits from a pool',
    "grant credits from an operator's pool to an agent, as a key of the operator can",
  )
    .addHelpText(
      'after',
      examples([
        "Grant 100 credits from another operator's pool",
        'countersign credits grant COMMITMENT 100 --operator OPERATOR --memo "May"',
      ]),
    )
    .argument('<commitment>', "the agent's subject commitment, 64 hexadecimal characters")
    .argument('<amount>', 'credits', positiveInteger)
    .option('--operator <id>', 'the operator whose pool pays (default: the first operator)')
    .option('--memo <text>', 'a note, which is not public')
    .action(
      async (
        subject_commitment: string,
        amount: number,
        { operator, memo }: { operator?: string; memo?: string },
        command: Command,
      ) => {
        const note = memo === undefined ? {} : { memo };
        const input = { operator: operator ?? null, subject_commitment, amount, ...note };
        printJson(await act(command, (actions) => actions.grantAction, input));
      },
    );
}

function addAdjust(subcommand: Subcommand, act: Act): void {
  subcommand(
    'adjust',
    'add credits to a pool or remove them',
    "add promotional credits to an operator's pool, or remove credits with a negative amount; prints the operator",
  )
    .addHelpText(
      'after',
      examples(
        ['Add 5,000 credits to the pool of an operator', 'countersign credits adjust OPERATOR 5000'],
        ['Remove 200 of its paid credits', 'countersign credits adjust OPERATOR -200 --class paid'],
      ),
    )
    .argument('<operator>', 'the operator id, op_cus_…')
    .argument('<amount>', 'credits to add; negative to remove', nonZeroInteger)
    .addOption(
      new Option('--class <class>', 'the class to remove; only promotional credits can be added')
        .choices(['promotional', 'paid', 'sandbox'])
        .default('promotional'),
    )
    .action(
      async (
        operator: string,
        amount: number,
        options: { class: 'promotional' | 'paid' | 'sandbox' },
        command: Command,
      ) => {
        const input = { operator, amount, class: options.class };
        printJson(await act(command, (actions) => actions.adjustAction, input));
      },
    );
}

function addTransfer(subcommand: Subcommand, act: Act): void {
  subcommand(
    'transfer',
    'transfer credits between agents',
    'transfer credits of an agent that has no sponsor, or unclaimed credits; for any other agent, use a key of its sponsor and the API',
  )
    .addHelpText(
      'after',
      examples(
        ['Transfer 5 credits', 'countersign credits transfer FROM TO 5'],
        [
          'Transfer 5 credits of revoked agents that had no sponsor',
          'countersign credits transfer unclaimed TO 5',
        ],
      ),
    )
    .argument('<from>', 'the commitment of the agent that pays, which must have no sponsor; or unclaimed')
    .argument('<to>', 'the commitment of the agent that is paid')
    .argument('<amount>', 'credits', positiveInteger)
    .addOption(
      new Option(
        '--kind <kind>',
        'the kind of the transfer (default: TASK_PAYMENT); not for unclaimed credits',
      ).choices(['TASK_PAYMENT', 'PEER_GIFT']),
    )
    .option('--memo <text>', 'a note, which is not public')
    .action(
      async (
        from_commitment: string,
        to_commitment: string,
        amount: number,
        { kind, memo }: { kind?: 'TASK_PAYMENT' | 'PEER_GIFT'; memo?: string },
        command: Command,
      ) => {
        const transfer = {
          from_commitment,
          to_commitment,
          amount,
          ...(kind === undefined ? {} : { kind }),
          ...(memo === undefined ? {} : { memo }),
        };
        printJson(await act(command, (actions) => actions.transferAction, transfer));
      },
    );
}

function addUnclaimed(subcommand: Subcommand, act: Act): void {
  subcommand(
    'unclaimed',
    'show unclaimed credits',
    'show the credits of revoked agents that had no sponsor, by class; countersign credits transfer unclaimed gives them to an agent',
  )
    .addHelpText('after', examples(['Show them', 'countersign credits unclaimed']))
    .action(async (_options: object, command: Command) => {
      printJson(await act(command, (actions) => actions.unclaimedAction, {}));
    });
}

function addShow(subcommand: Subcommand, act: Act): void {
  subcommand(
    'show',
    'show credits and access tier',
    "show an agent's credits by class, its access tier and the newest override",
  )
    .addHelpText('after', examples(['Show the credits of an agent', 'countersign credits show COMMITMENT']))
    .argument('<commitment>', "the agent's subject commitment, 64 hexadecimal characters")
    .action(async (subject_commitment: string, _options: object, command: Command) => {
      printJson(await act(command, (actions) => actions.showAction, { subject_commitment }));
    });
}

function addJournal(subcommand: Subcommand, act: Act): void {
  subcommand(
    'journal',
    'print and verify a credit journal',
    "print an agent's credit journal with all details, newest first, and verify its hashes; exits with 1 if one is wrong",
  )
    .addHelpText(
      'after',
      examples(['Print a journal as lines of JSON', 'countersign credits journal COMMITMENT --json']),
    )
    .argument('<commitment>', "the agent's subject commitment, 64 hexadecimal characters")
    .option('--json', 'print a line of JSON for each entry')
    .action(async (subject: string, { json = false }: { json?: boolean }, command: Command) => {
      await printJournal(act, command, subject, json);
    });
}

/**
 * Prints a journal page by page, verifies it, and says what was verified.
 * @throws Failure for a journal that does not verify
 */
async function printJournal(act: Act, command: Command, subject: string, json: boolean): Promise<void> {
  const rows: Entry[] = [];
  const problems: string[] = [];
  const pageAfter = (cursor: { cursor?: string }) =>
    act(command, (actions) => actions.journalAction, { subject_commitment: subject, ...cursor });
  let page = await pageAfter({});
  const verifier = new JournalVerifier(nativePrimitives, subject, page.head);
  let count = 0;
  for (;;) {
    count += page.entries.length;
    for (const entry of page.entries) problems.push(...problemOf(verifier, entry));
    if (json) await writeOut(listText(ENTRIES, page.entries, json));
    else rows.push(...page.entries);
    if (page.next_cursor === null) break;
    page = await pageAfter({ cursor: page.next_cursor });
  }
  if (!json) await writeOut(listText(ENTRIES, rows));
  const end = verifier.end();
  if (end !== null) problems.push(end);
  for (const problem of problems) process.stderr.write(`${problem}\n`);
  if (problems.length > 0) {
    throw new Failure(
      `the journal of ${subject} does not verify: ${problems.length} problems in ${count} entries`,
      'run countersign fsck',
    );
  }
  process.stderr.write(
    `${count} ${count === 1 ? 'entry' : 'entries'} verified: hashes, chain, balances and private details\n`,
  );
}

/**
 * Verifies an entry with its private details.
 * @returns no element or one: the problem with the id of the entry
 */
function problemOf(verifier: JournalVerifier, entry: Entry): string[] {
  const { counterparty, memo, receipt_id, reference, salt, ...published } = entry;
  if (salt === null) return [`${entry.entry_id}: The service did not return its salt.`];
  const detail = { counterparty, memo, receipt_id, reference, salt };
  const problem = verifier.check(published, detail);
  return problem === null ? [] : [`${entry.entry_id}: ${problem}`];
}

type Entry = Static<Actions['journalAction']['output']>['entries'][number];

const ENTRIES: readonly Column<Entry>[] = [
  { title: 'TIME', cellOf: (row) => row.created_at },
  { title: 'KIND', cellOf: (row) => row.kind },
  {
    title: 'AMOUNT',
    isNumber: true,
    cellOf: (row) => (row.direction === 'debit' ? -row.amount : row.amount),
  },
  { title: 'CLASS', cellOf: (row) => row.asset },
  { title: 'BALANCE', isNumber: true, cellOf: (row) => row.balance_after },
  { title: 'COUNTERPARTY', cellOf: (row) => row.counterparty },
  { title: 'REFERENCE', cellOf: (row) => row.reference },
  { title: 'MEMO', cellOf: (row) => row.memo },
];
