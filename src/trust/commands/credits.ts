import { Command, Option } from 'commander';
import { CREDIT_CLASSES } from '../../../db/trust/ledger-enums.ts';
import type { CommandSurroundings, ModuleCommand } from '../../platform/command-groups.ts';
import { examples } from '../../platform/command-help.ts';
import { checkedOutput } from '../../platform/control/action.ts';
import { callCommand } from '../../platform/control/call-command.ts';
import { type CallOperation, choice } from '../../platform/control/operation-command.ts';
import { Failure } from '../../platform/failure.ts';
import { nonZeroInteger, positiveInteger } from '../../platform/terminal/arguments.ts';
import type { TrustModule } from '../service/module.ts';
import { journalCommand } from './journal.ts';
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
  journalCommand(group, 'journal', 'getCreditJournal', {
    summary: 'print and verify a credit journal',
    arguments: { id: COMMITMENT },
    examples: [
      ['Print a journal as lines of JSON', 'countersign credits journal COMMITMENT --output ndjson'],
    ],
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
