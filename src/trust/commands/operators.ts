import type { Static } from '@sinclair/typebox';
import { Command, InvalidArgumentError } from 'commander';
import type { ModuleCommand } from '../../platform/command-groups.ts';
import { examples, GROUPS } from '../../platform/command-help.ts';
import { addFlags } from '../../platform/config/command-line.ts';
import { pages, printJson, type RunAction } from '../../platform/control/run-action.ts';
import { writeOut } from '../../platform/terminal/output.ts';
import { type Column, listText } from '../../platform/terminal/table.ts';
import type { CommandContext } from '../service/context.ts';
import type { TrustModule } from '../service/module.ts';
import { trustSettings } from '../service/settings.ts';
import { commandActionRunner } from './action-runner.ts';

/** Returns the commands of operators. */
export const commands = (modules: readonly TrustModule[]): readonly ModuleCommand[] => {
  const act = commandActionRunner(modules, () => import('../pages/dashboard/operator-actions.ts'));
  return [{ command: operatorsCommand(act) }];
};

/** Returns the commands that administer operators, with or without a running server. */
function operatorsCommand(act: RunAction<CommandContext, Actions>): Command {
  const operators = new Command('operators')
    .description('list, create and change operators and their keys; also works while the server runs')
    .helpGroup(GROUPS.administration)
    .addHelpText(
      'after',
      examples(
        ['List the operators', 'countersign operators list'],
        ['Create an API key for an operator that lost its last key', 'countersign operators key OPERATOR'],
      ),
    )
    .helpCommand(false);
  const subcommand = (usage: string, description: string): Command => {
    const command = operators.command(usage).description(description);
    return addFlags(command, [trustSettings.data, trustSettings.config]);
  };

  subcommand('list', 'list every operator with credits, stake, keys and receipts')
    .addHelpText('after', examples(['List the operators', 'countersign operators list']))
    .option('--json', 'print a line of JSON for each')
    .action(async ({ json }: { json?: true }, command: Command) => {
      await writeOut(listText(OPERATORS, await allOperators(act, command), json));
    });

  subcommand('create', 'create an operator and its first API key, which is printed only once')
    .addHelpText(
      'after',
      examples([
        'Create an operator whose key is an admin key',
        'countersign operators create --name Acme --admin',
      ]),
    )
    .option('--name <text>', 'a label for your own use')
    .option('--admin', 'create an admin key')
    .action(async (options: { name?: string; admin?: true }, command: Command) => {
      printJson(
        await act(command, (actions) => actions.createAction, {
          ...(options.name === undefined ? {} : { name: options.name }),
          admin: options.admin === true,
        }),
      );
    });

  subcommand('key', 'create another API key, for example when one is lost; it is printed only once')
    .addHelpText('after', examples(['Make an API key', 'countersign operators key OPERATOR --name backend']))
    .argument('<operator>', 'the operator id, op_cus_…')
    .option('--name <text>', 'a label for your own use')
    .option('--admin', 'create an admin key')
    .option('--holder <commitment>', 'a holder key, for the agent with this subject commitment')
    .action(
      async (
        operator: string,
        options: { name?: string; admin?: true; holder?: string },
        command: Command,
      ) => {
        const { name, holder } = options;
        const key = {
          ...(name === undefined ? {} : { name }),
          ...(options.admin === true ? { admin: true } : {}),
          ...(holder === undefined ? {} : { role: 'holder' as const, subject_commitment: holder }),
        };
        printJson(await act(command, (actions) => actions.createKeyAction, { operator, key }));
      },
    );

  const keys = operators
    .command('keys')
    .description("list and delete an operator's API keys")
    .addHelpText(
      'after',
      examples(['List the API keys of an operator', 'countersign operators keys list OPERATOR']),
    )
    .helpCommand(false);
  const keyVerb = (usage: string, description: string): Command => {
    const command = keys.command(usage).description(description);
    return addFlags(command, [trustSettings.data, trustSettings.config]).argument(
      '<operator>',
      'the operator id, op_cus_…',
    );
  };

  keyVerb('list', 'list every API key of an operator by its SHA-256, newest first')
    .addHelpText(
      'after',
      examples(['List the API keys of an operator', 'countersign operators keys list OPERATOR']),
    )
    .option('--json', 'print a line of JSON for each')
    .action(async (operator: string, { json }: { json?: true }, command: Command) => {
      await writeOut(listText(KEYS, await allKeys(act, command, operator), json));
    });

  keyVerb('delete', 'delete an API key, and end every session that it opened, at once')
    .addHelpText('after', examples(['Delete an API key', 'countersign operators keys delete OPERATOR HASH']))
    .argument('<hash>', 'the SHA-256 of the key, as the list shows it')
    .action(async (operator: string, keyHash: string, _options: object, command: Command) => {
      const deleted = await act(command, (actions) => actions.deleteKeyAction, { operator, keyHash });
      printJson(deleted);
      process.stderr.write(replacementHints(operator, deleted));
    });

  for (const [name, status, description] of [
    [
      'suspend',
      'SUSPENDED',
      'allow an operator only to read, delete keys, revoke receipts and end sessions, from its next request on',
    ],
    ['activate', 'ACTIVE', 'end a suspension'],
  ] as const) {
    subcommand(name, description)
      .addHelpText(
        'after',
        examples([
          `${name === 'suspend' ? 'Suspend' : 'Activate'} an operator`,
          `countersign operators ${name} OPERATOR`,
        ]),
      )
      .argument('<operator>', 'the operator id, op_cus_…')
      .action(async (operator: string, _options: object, command: Command) => {
        printJson(await act(command, (actions) => actions.statusAction, { operator, status }));
      });
  }

  subcommand(
    'pardon',
    'let the gate ignore all SLA breaches up to now: receipts with error_tranche SLA_BREACH',
  )
    .addHelpText(
      'after',
      examples(['Pardon the SLA breaches of an operator', 'countersign operators pardon OPERATOR']),
    )
    .argument('<operator>', 'the operator id, op_cus_…')
    .action(async (operator: string, _options: object, command: Command) => {
      printJson(await act(command, (actions) => actions.pardonAction, { operator }));
    });

  subcommand('stake', "set an operator's stake")
    .addHelpText(
      'after',
      examples(['Set a stake of 500 US dollars', 'countersign operators stake OPERATOR 50000']),
    )
    .argument('<operator>', 'the operator id, op_cus_…')
    .argument('<cents>', 'US cents', cents)
    .action(async (operator: string, amount: number, _options: object, command: Command) => {
      printJson(await act(command, (actions) => actions.stakeAction, { operator, cents: amount }));
    });

  return operators;
}

type Actions = typeof import('../pages/dashboard/operator-actions.ts');

/** Returns all keys of an operator. */
async function allKeys(
  act: RunAction<CommandContext, Actions>,
  command: Command,
  operator: string,
): Promise<KeyRow[]> {
  const keys: KeyRow[] = [];
  const read = async (cursor: { cursor?: string }) => {
    const page = await act(command, (actions) => actions.listKeysAction, { operator, ...cursor });
    return { data: page.api_keys, next_cursor: page.next_cursor };
  };
  for await (const some of pages(read)) keys.push(...some);
  return keys;
}

async function allOperators(
  act: RunAction<CommandContext, Actions>,
  command: Command,
): Promise<OperatorRow[]> {
  const operators: OperatorRow[] = [];
  const read = async (cursor: { cursor?: string }) => {
    const page = await act(command, (actions) => actions.listAction, cursor);
    return { data: page.operators, next_cursor: page.next_cursor };
  };
  for await (const some of pages(read)) operators.push(...some);
  return operators;
}

/**
 * Returns the commands that create another key after the last one was deleted; empty if it was not the last.
 */
function replacementHints(operator: string, deleted: Static<Actions['deleteKeyAction']['output']>): string {
  const lines: string[] = [];
  if (!deleted.has_issuer_key)
    lines.push(`${operator} has no issuer key left: create one with countersign operators key ${operator}`);
  if (!deleted.installation_has_admin_key)
    lines.push(
      `no active operator has an admin key left: create one with countersign operators key ${operator} --admin`,
    );
  return lines.map((line) => `${line}\n`).join('');
}

type KeyRow = Static<Actions['listKeysAction']['output']>['api_keys'][number];

type OperatorRow = Static<Actions['listAction']['output']>['operators'][number];

const OPERATORS: readonly Column<OperatorRow>[] = [
  { title: 'OPERATOR', cellOf: (row) => row.operator_id },
  { title: 'STATUS', cellOf: (row) => row.accountStatus },
  { title: 'CREDITS', isNumber: true, cellOf: (row) => row.credits },
  { title: 'STAKE', isNumber: true, cellOf: (row) => row.stakeBalanceCents },
  { title: 'KEYS', isNumber: true, cellOf: (row) => row.apiKeyCount },
  { title: 'RECEIPTS', isNumber: true, cellOf: (row) => row.receiptCount },
  { title: 'CREATED', cellOf: (row) => row.created_at },
  { title: 'NAME', cellOf: (row) => row.name },
];

const KEYS: readonly Column<KeyRow>[] = [
  { title: 'KEY HASH', cellOf: (row) => row.keyHash },
  { title: 'ROLE', cellOf: (row) => (row.admin ? 'admin' : row.role) },
  { title: 'AGENT', cellOf: (row) => row.subject_commitment },
  { title: 'LAST USED', cellOf: (row) => row.last_used_at },
  { title: 'CREATED', cellOf: (row) => row.created_at },
  { title: 'NAME', cellOf: (row) => row.name },
];

function cents(text: string): number {
  const amount = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
  if (!Number.isSafeInteger(amount))
    throw new InvalidArgumentError(
      'The amount must be a whole number of US cents, at most 9007199254740991.',
    );
  return amount;
}
