import { Command, InvalidArgumentError, Option } from 'commander';
import type { CommandSurroundings, ModuleCommand } from '../../platform/command-groups.ts';
import { examples } from '../../platform/command-help.ts';
import { checkedOutput } from '../../platform/control/action.ts';
import { callCommand } from '../../platform/control/call-command.ts';
import { column, listCommand, numbers } from '../../platform/control/list-command.ts';
import type { CallOperation } from '../../platform/control/operation-command.ts';
import type { TrustModule } from '../service/module.ts';
import { operationGroup } from './operations.ts';

const OPERATOR = ['<operator>', 'the operator id, op_cus_…'] as const;

/** Returns the commands that administer operators and their keys. */
export async function commands(surroundings: CommandSurroundings<TrustModule>): Promise<ModuleCommand[]> {
  const command = new Command('operators')
    .description('list, create and change operators and their keys, even while the server runs')
    .addHelpText(
      'after',
      examples(
        ['List the operators', 'countersign operators list'],
        ['Create an API key for an operator that lost its last key', 'countersign operators key OPERATOR'],
      ),
    );
  const group = await operationGroup(command, surroundings);
  listCommand(group, 'list', 'listOperators', {
    summary: 'list all operators',
    rows: 'operators',
    columns: [
      column('OPERATOR', 'operator_id'),
      column('STATUS', 'accountStatus'),
      numbers('CREDITS', 'credits'),
      numbers('STAKE', 'stakeBalanceCents'),
      numbers('KEYS', 'apiKeyCount'),
      numbers('RECEIPTS', 'receiptCount'),
      column('CREATED', 'created_at'),
      column('NAME', 'name'),
    ],
    examples: [['List the operators', 'countersign operators list']],
  });
  callCommand(group, 'create', 'createOperator', {
    summary: 'create an operator and its first key',
    asks: ({ name = 'without a name' }) => `create an operator ${name}, and its first key`,
    options: {
      name: new Option('--name <text>', 'a label for your own use'),
      admin: new Option('--admin', 'create an admin key'),
    },
    examples: [
      ['Create an operator whose key is an admin key', 'countersign operators create --name Acme --admin'],
    ],
  });
  callCommand(group, 'key', 'createApiKey', {
    summary: 'create another API key',
    arguments: { operator: OPERATOR },
    options: {
      name: new Option('--name <text>', 'a label for your own use'),
      admin: new Option('--admin', 'create an admin key'),
      subject_commitment: new Option(
        '--holder <commitment>',
        'a holder key, for the agent with this subject commitment',
      ),
    },
    asks: ({ subject_commitment: agent, admin }) =>
      agent === undefined
        ? `create ${admin === true ? 'an admin' : 'an API'} key`
        : `create a holder key for ${agent}`,
    valuesFor: (values) => (values.subject_commitment === undefined ? values : { ...values, role: 'holder' }),
    notes: '\nThe key is printed only once.\n',
    examples: [['Make an API key', 'countersign operators key OPERATOR --name backend']],
  });
  const keys = command
    .command('keys')
    .description("list and delete an operator's API keys")
    .addHelpText(
      'after',
      examples(['List the API keys of an operator', 'countersign operators keys list OPERATOR']),
    )
    .helpCommand(false);
  const keyGroup = { ...group, command: keys };
  listCommand(keyGroup, 'list', 'listApiKeys', {
    summary: 'list the API keys of an operator',
    arguments: { operator: OPERATOR },
    rows: 'api_keys',
    columns: [
      column('KEY HASH', 'keyHash'),
      { title: 'ROLE', cellOf: ({ admin, role }) => (admin === true ? 'admin' : String(role)) },
      column('AGENT', 'subject_commitment'),
      column('LAST USED', 'last_used_at'),
      column('CREATED', 'created_at'),
      column('NAME', 'name'),
    ],
    examples: [['List the API keys of an operator', 'countersign operators keys list OPERATOR']],
  });
  callCommand(keyGroup, 'delete', 'deleteApiKey', {
    summary: 'delete an API key of an operator',
    arguments: { operator: OPERATOR, keyHash: ['<hash>', 'the SHA-256 of the key, as the list shows it'] },
    asks: ({ keyHash }) => `delete the API key ${keyHash}`,
    notes: `
The key and every session that it opened end at once. The administrator can
delete any key, even the last one of an operator.
`,
    remarks: replacementHints,
    examples: [['Delete an API key', 'countersign operators keys delete OPERATOR HASH']],
  });
  callCommand(group, 'suspend', 'setAccountStatus', {
    summary: 'suspend an operator',
    arguments: { operatorId: OPERATOR },
    values: { status: 'SUSPENDED' },
    notes: `
From its next request on, the operator can only read, delete keys, revoke
receipts and end sessions. The hires of its agents stand still. Those that were not
delivered return after engagements.suspension_grace_hours.
`,
    examples: [['Suspend an operator', 'countersign operators suspend OPERATOR']],
  });
  callCommand(group, 'activate', 'setAccountStatus', {
    summary: 'end a suspension',
    arguments: { operatorId: OPERATOR },
    values: { status: 'ACTIVE' },
    examples: [['Activate an operator', 'countersign operators activate OPERATOR']],
  });
  callCommand(group, 'close', 'closeOperator', {
    summary: 'close an operator for good',
    arguments: { operatorId: OPERATOR },
    asks: ({ operatorId }) =>
      `end the subscription of ${operatorId}, delete its API keys and close it for good`,
    notes: `
First its subscription ends at the payment processor. The operator must have no
sponsored agents, credits, stake, open engagements and open withdrawals. Payments
that arrive later are not booked: see countersign billing unbooked. So an operator
that owes something after a refund is closed only with --despite-debt. The debt
stays in the ledger.
`,
    options: {
      despite_debt: new Option('--despite-debt', 'close an operator that owes something'),
    },
    examples: [['Close an operator', 'countersign operators close OPERATOR']],
  });
  callCommand(group, 'pardon', 'pardonOperator', {
    summary: 'let the gate ignore past SLA breaches',
    arguments: { operatorId: OPERATOR },
    examples: [['Pardon the SLA breaches of an operator', 'countersign operators pardon OPERATOR']],
  });
  callCommand(group, 'stake', 'setStake', {
    summary: "set an operator's stake",
    arguments: { operatorId: OPERATOR, cents: ['<cents>', 'US cents', cents] },
    asks: ({ operatorId, cents: stake }) => `set the stake of ${operatorId} to ${stake} US cents`,
    examples: [['Set a stake of 500 US dollars', 'countersign operators stake OPERATOR 50000']],
  });
  return [{ command }];
}

/**
 * Returns the commands that create another key after the last one was deleted; empty if it was not the last.
 */
async function replacementHints(call: CallOperation, operator: string | null): Promise<string> {
  const { KeyCoverageResponse } = await import('../operators/local-routes.ts');
  const { has_issuer_key, installation_has_admin_key } = checkedOutput(
    KeyCoverageResponse,
    await call('getKeyCoverage', { operatorId: operator }),
    'the operation getKeyCoverage',
  );
  const lines: string[] = [];
  if (!has_issuer_key)
    lines.push(`${operator} has no issuer key left: create one with countersign operators key ${operator}`);
  if (!installation_has_admin_key)
    lines.push(
      `no active operator has an admin key left: create one with countersign operators key ${operator} --admin`,
    );
  return lines.map((line) => `${line}\n`).join('');
}

function cents(text: string): number {
  const amount = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
  if (!Number.isSafeInteger(amount))
    throw new InvalidArgumentError(
      'The amount must be a whole number of US cents, at most 9007199254740991.',
    );
  return amount;
}
