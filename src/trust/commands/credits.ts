import type { Static } from '@sinclair/typebox';
import { Command, Option } from 'commander';
import { CREDIT_CLASSES } from '../../../db/trust/ledger-enums.ts';
import type { CommandSurroundings, ModuleCommand } from '../../platform/command-groups.ts';
import { examples } from '../../platform/command-help.ts';
import { checkedOutput } from '../../platform/control/action.ts';
import { callCommand } from '../../platform/control/call-command.ts';
import { writeRows } from '../../platform/control/list-command.ts';
import {
  type CallOperation,
  choice,
  type Output,
  operationCommand,
  outputOption,
} from '../../platform/control/operation-command.ts';
import { nativePrimitives } from '../../platform/crypto/crypto.ts';
import { Failure } from '../../platform/failure.ts';
import { nonZeroInteger, positiveInteger } from '../../platform/terminal/arguments.ts';
import type { Column } from '../../platform/terminal/table.ts';
import { JournalVerifier, type Statement } from '../../proof/ledger/journal.ts';
import type { JournalResponse } from '../ledger/credits/schema.ts';
import type { TrustModule } from '../service/module.ts';
import { apiGroup, operationGroup } from './operations.ts';

const COMMITMENT = ['<commitment>', "the agent's subject commitment, 64 hexadecimal characters"] as const;

/** Returns the commands that administer credits. */
export async function commands(surroundings: CommandSurroundings<TrustModule>): Promise<ModuleCommand[]> {
  const command = new Command('credits')
    .description(
      'grant, transfer and show credits of agents; on a data directory also change pools of operators, even while the server runs',
    )
    .addHelpText(
      'after',
      examples(
        ['Grant 100 credits from the pool of the only operator', 'countersign credits grant COMMITMENT 100'],
        ['Show the credits of an agent', 'countersign credits show COMMITMENT'],
      ),
    );
  const local = await operationGroup(command, surroundings);
  // The last group gives the command its heading.
  const group = await apiGroup(command, surroundings);
  callCommand(group, 'grant', 'grantCredits', {
    summary: 'grant credits from a pool',
    arguments: { subject_commitment: COMMITMENT, amount: ['<amount>', 'credits', positiveInteger] },
    options: {
      operator: new Option('--operator <id>', 'the operator whose pool pays (default: the only one)'),
      memo: new Option('--memo <text>', 'a note, which is not public'),
    },
    asks: ({ subject_commitment: agent, amount }) => `grant ${amount} credits to ${agent}`,
    operatorFor: onlyOperator,
    examples: [
      [
        "Grant 100 credits from another operator's pool",
        'countersign credits grant COMMITMENT 100 --operator OPERATOR --memo "May"',
      ],
    ],
  });
  callCommand(local, 'adjust', 'adjustPool', {
    summary: 'add credits to a pool or remove them',
    asks: ({ operatorId, amount }) => `change the pool of ${operatorId} by ${amount} credits`,
    arguments: {
      operatorId: ['<operator>', 'the operator id, op_cus_…'],
      amount: ['<amount>', 'credits to add; negative to remove', nonZeroInteger],
    },
    options: {
      class: choice('--class <class>', 'the class to remove; only promotional credits can be added', [
        'promotional',
        'paid',
        'sandbox',
      ]).default('promotional'),
    },
    examples: [
      ['Add 5,000 credits to the pool of an operator', 'countersign credits adjust OPERATOR 5000'],
      ['Remove 200 of its paid credits', 'countersign credits adjust OPERATOR -200 --class paid'],
    ],
  });
  callCommand(group, 'transfer', 'transferCredits', {
    summary: 'transfer credits between agents',
    asks: ({ from_commitment: from, to_commitment: to, amount }) =>
      `transfer ${amount} credits from ${from} to ${to}`,
    arguments: {
      from_commitment: ['<from>', 'the commitment of the agent that pays; or unclaimed'],
      to_commitment: ['<to>', 'the commitment of the agent that is paid'],
      amount: ['<amount>', 'credits', positiveInteger],
    },
    options: {
      kind: choice(
        '--kind <kind>',
        'the kind of the transfer (default: TASK_PAYMENT); not for unclaimed credits',
        ['TASK_PAYMENT', 'PEER_GIFT'],
      ),
      memo: new Option('--memo <text>', 'a note, which is not public'),
    },
    notes: `
For an agent that has a sponsor, use a key of its sponsor: with a login context, or with --url and
--api-key-file. On a data directory, the agent that pays must have no sponsor.
`,
    examples: [
      ['Transfer 5 credits', 'countersign credits transfer FROM TO 5'],
      [
        'Transfer 5 credits of revoked agents that had no sponsor',
        'countersign credits transfer unclaimed TO 5',
      ],
    ],
  });
  callCommand(local, 'claw-back', 'clawBack', {
    summary: "move an agent's credits to its sponsor's pool",
    asks: ({ id, amount }) => `move ${amount} credits of ${id} to the pool of its sponsor`,
    arguments: { id: COMMITMENT, amount: ['<amount>', 'credits', positiveInteger] },
    options: {
      reason: new Option('--reason <text>', 'why; the memo of the movement').makeOptionMandatory(),
      class: choice('--class <class>', 'the class to take (default: as a debit takes them)', CREDIT_CLASSES),
    },
    notes: `
It takes available credits only, even of a frozen or a revoked agent, and they keep
their class. Without a sponsor they become unclaimed.
`,
    examples: [
      [
        'Take back 500 paid credits',
        'countersign credits claw-back COMMITMENT 500 --class paid --reason "disputed payment"',
      ],
    ],
  });
  callCommand(local, 'unclaimed', 'showUnclaimed', {
    reads: true,
    summary: 'show unclaimed credits',
    notes: `
countersign credits transfer unclaimed gives them to an agent.
`,
    examples: [['Show them', 'countersign credits unclaimed']],
  });
  callCommand(group, 'show', 'showCredits', {
    summary: 'show the credits of an agent',
    reads: true,
    operationFor: (_, { isService }) => (isService ? 'getCredits' : 'showCredits'),
    arguments: { id: COMMITMENT },
    notes: `
The access tier and the classes of credits are shown on a data directory only.
`,
    examples: [['Show the credits of an agent', 'countersign credits show COMMITMENT']],
  });
  const { command: journal } = operationCommand(group, 'journal', 'getCreditJournal', {
    summary: 'print and verify a credit journal',
    arguments: { id: COMMITMENT },
    notes: `
The newest entries come first, with all details. The hashes are verified; the command exits with 1
if one is wrong.
`,
    examples: [
      ['Print a journal as lines of JSON', 'countersign credits journal COMMITMENT --output ndjson'],
    ],
  });
  journal
    .addOption(outputOption('table'))
    .addOption(new Option('--json', 'as --output ndjson').hideHelp())
    .action(async (subject: string, { json, output }: { json?: true; output: Output }) => {
      await printJournal(
        subject,
        await group.operations(journal, (call) => readJournal(call, subject)),
        json === true ? 'ndjson' : output,
      );
    });
  return [{ command }];
}

/** Returns the only operator. @throws Failure if there is none, and (exit code 2) if there are several */
async function onlyOperator(call: CallOperation): Promise<string> {
  const { OperatorListResponse } = await import('../pages/dashboard/local-routes.ts');
  const page = checkedOutput(
    OperatorListResponse,
    await call('listOperators', { limit: '2' }),
    'the operation listOperators',
  );
  const [first, second] = page.operators;
  if (second !== undefined) {
    throw new Failure(
      'this data directory has several operators, and the command names none',
      'name the one whose pool pays with --operator; countersign operators list shows them',
      2,
    );
  }
  if (first !== undefined) return first.operator_id;
  throw new Failure('there is no operator yet', 'create one with countersign operators create');
}

interface Journal extends Statement {
  head: string | null;
  /** Newest first. */
  entries: Entry[];
}

/** Reads all entries of a journal, with the head of its newest page. */
async function readJournal(call: CallOperation, subject: string): Promise<Journal> {
  const { JournalResponse: schema } = await import('../ledger/credits/schema.ts');
  const pageAfter = async (cursor: { cursor?: string }) => {
    const values = { id: subject, limit: '100', ...cursor };
    return checkedOutput(schema, await call('getCreditJournal', values), 'the operation getCreditJournal');
  };
  let page = await pageAfter({});
  const { head, figures, opening } = page;
  const entries = [...page.entries];
  while (page.next_cursor !== null) {
    page = await pageAfter({ cursor: page.next_cursor });
    entries.push(...page.entries);
  }
  return { head, figures, opening, entries };
}

/**
 * Prints a journal, verifies it, and says what was verified.
 * @throws Failure for a journal that does not verify
 */
async function printJournal(
  subject: string,
  { head, entries, ...statement }: Journal,
  output: Output,
): Promise<void> {
  const owner = { subject_commitment: subject };
  const verifier = new JournalVerifier(nativePrimitives, owner, head, statement);
  const count = entries.length;
  const problems = entries.flatMap((entry) => problemOf(verifier, entry));
  await writeRows(output === 'ndjson' ? null : ENTRIES, entries, output);
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
    `${count} ${count === 1 ? 'entry' : 'entries'} verified: hashes, chain, balances, sums and private details\n`,
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

type Entry = Static<typeof JournalResponse>['entries'][number];

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
