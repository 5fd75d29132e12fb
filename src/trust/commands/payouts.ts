import { Command, Option } from 'commander';
import { PAYOUT_STATUSES } from '../../../db/trust/payouts-enums.ts';
import type { CommandSurroundings, ModuleCommand } from '../../platform/command-groups.ts';
import { examples } from '../../platform/command-help.ts';
import { callCommand } from '../../platform/control/call-command.ts';
import { column, listCommand, numbers } from '../../platform/control/list-command.ts';
import { choice } from '../../platform/control/operation-command.ts';
import { Failure } from '../../platform/failure.ts';
import { isJsonObject } from '../../proof/encoding/json.ts';
import type { TrustModule } from '../service/module.ts';
import { operationGroup } from './operations.ts';

const WITHDRAWAL = 'the id of the withdrawal, wdr_…';
const REQUIRED = { withdrawalId: ['<withdrawal>', WITHDRAWAL] } as const;
const OPTIONAL = { withdrawalId: ['[withdrawal]', WITHDRAWAL] } as const;

/** Returns the commands that administer payouts. */
export async function commands(surroundings: CommandSurroundings<TrustModule>): Promise<ModuleCommand[]> {
  const command = new Command('payouts')
    .description('list, confirm and fail payouts of withdrawals, even while the server runs')
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
    );
  const group = await operationGroup(command, surroundings);
  listCommand(group, 'list', 'listPayouts', {
    summary: 'list payouts',
    options: {
      status: choice('--status <status>', 'only those with this status', PAYOUT_STATUSES),
      agent: new Option('--agent <commitment>', 'only those of an agent, with any status'),
    },
    rows: 'payouts',
    remarkOn: ({ stopped }) =>
      isJsonObject(stopped)
        ? `The rail ${stopped.rail} is stopped since ${stopped.since}, after two final failures in a row. countersign payouts resume starts it again.`
        : null,
    columns: [
      column('WITHDRAWAL', 'withdrawal_id'),
      column('STATUS', 'status'),
      column('WAITING FOR', 'waiting_for'),
      column('HELD', 'held'),
      numbers('CREDITS', 'pays_credits'),
      numbers('US CENTS', 'pays_usd_cents'),
      column('ADDRESS', 'address'),
      column('CREATED', 'created_at'),
      column('REFERENCE', 'external_reference'),
      column('ERROR', 'last_error'),
    ],
    examples: [
      ['List what is to be paid', 'countersign payouts list --status queued'],
      [
        'Print all failed payouts as lines of JSON',
        'countersign payouts list --status failed --all --output ndjson',
      ],
    ],
  });
  callCommand(group, 'show', 'getPayout', {
    reads: true,
    summary: 'show a payout',
    arguments: REQUIRED,
    examples: [['Show a payout', 'countersign payouts show WITHDRAWAL']],
  });
  callCommand(group, 'confirm', 'confirmPayout', {
    summary: 'confirm that a withdrawal was paid',
    arguments: {
      ...REQUIRED,
      reference: ['<reference>', 'what names the payment, such as a transaction hash; its owner sees it'],
    },
    asks: ({ withdrawalId, reference }) => `confirm that ${withdrawalId} was paid: ${reference}`,
    notes: `
A withdrawal that the evm rail submitted is confirmed with the hash of one of
its transactions, or with any reference if none of them can be paid any more.
`,
    examples: [['Confirm a payment', 'countersign payouts confirm WITHDRAWAL "bank transfer 4711"']],
  });
  callCommand(group, 'fail', 'failPayout', {
    summary: 'return the credits of a withdrawal',
    arguments: { ...REQUIRED, reason: ['<reason>', 'why it failed; its owner sees it'] },
    asks: ({ withdrawalId }) => `return the credits of ${withdrawalId}`,
    options: {
      unpaid: new Option('--unpaid', 'you made sure that it was not paid; needed in a restored database'),
    },
    notes: `
A withdrawal that a rail submitted is refused while it may still be paid.
`,
    examples: [
      ['Return the credits of a withdrawal', 'countersign payouts fail WITHDRAWAL "wallet is not supported"'],
    ],
  });
  callCommand(group, 'resolve', 'resolvePayout', {
    summary: 'decide about a withdrawal that the chain leaves open',
    arguments: REQUIRED,
    options: {
      transaction_hash: new Option('--confirmed <hash>', 'it was paid by this transaction'),
      reason: new Option(
        '--failed <reason>',
        'it was not paid, so that its credits return; its owner sees why',
      ),
    },
    valuesFor(values) {
      if ((values.transaction_hash === undefined) !== (values.reason === undefined)) return values;
      throw new Failure(
        'say what happened to the withdrawal: --confirmed HASH or --failed REASON, not both',
        'look at its transaction in a block explorer; countersign payouts show has its last error',
        2,
      );
    },
    asks: ({ withdrawalId, transaction_hash: hash }) =>
      hash === undefined
        ? `return the credits of ${withdrawalId}`
        : `confirm that ${withdrawalId} was paid by ${hash}`,
    notes: `
For what the evm rail may not decide: with fewer than two URLs in evm.rpc_urls
no failure is final by itself, and nodes may disagree. It is refused while a
node says that the withdrawal was paid in another way, or may still be.
`,
    examples: [
      ['Return the credits', 'countersign payouts resolve WITHDRAWAL --failed "the transfer was reverted"'],
      ['Confirm a payment', 'countersign payouts resolve WITHDRAWAL --confirmed 0xHASH'],
    ],
  });
  callCommand(group, 'resume', 'resumePayouts', {
    summary: 'start the rail again after it stopped',
    asks: () => 'let the rail evm begin payouts again',
    notes: `
The rail stops after two final failures in a row. Find out why they failed
before you resume it: the next two credits return in the same way.
`,
    examples: [['Resume the rail', 'countersign payouts resume']],
  });
  callCommand(group, 'hold', 'holdPayout', {
    summary: 'stop a rail from paying a withdrawal',
    arguments: OPTIONAL,
    options: { all: new Option('--all', 'hold all open withdrawals') },
    operationFor: (values) => oneOrAll(values, 'holdPayout', 'holdAllPayouts'),
    valuesFor: ({ all, ...values }) => values,
    examples: [
      ['Hold a withdrawal', 'countersign payouts hold WITHDRAWAL'],
      ['Hold all that are open', 'countersign payouts hold --all'],
    ],
  });
  callCommand(group, 'release', 'releasePayout', {
    summary: 'let a rail pay a held withdrawal',
    arguments: OPTIONAL,
    options: { all: new Option('--all', 'release all withdrawals that are held') },
    operationFor: (values) => oneOrAll(values, 'releasePayout', 'releaseAllPayouts'),
    valuesFor(values) {
      // Before anybody is asked.
      oneOrAll(values, 'releasePayout', 'releaseAllPayouts');
      const { all, ...sent } = values;
      return sent;
    },
    asks: ({ withdrawalId = 'all withdrawals that are held' }) => `let a rail pay ${withdrawalId}`,
    examples: [
      ['Release a withdrawal', 'countersign payouts release WITHDRAWAL'],
      ['Release all that are held', 'countersign payouts release --all'],
    ],
  });
  return [{ command }];
}

/**
 * Returns the operation for the withdrawal that a command names, or the one for all.
 * @throws Failure (exit code 2) for neither or both
 */
function oneOrAll(
  { withdrawalId, all = false }: Readonly<Record<string, unknown>>,
  one: string,
  every: string,
): string {
  if ((withdrawalId !== undefined) !== all) return all === true ? every : one;
  throw new Failure(
    all === true
      ? 'a withdrawal and --all exclude each other'
      : 'name a withdrawal, or all of them with --all',
    'see countersign payouts list',
    2,
  );
}
