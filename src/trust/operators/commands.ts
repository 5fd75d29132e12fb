import { resolve } from 'node:path';
import type { Static, TSchema } from '@sinclair/typebox';
import { Command, InvalidArgumentError } from 'commander';
import { addFlags, settled } from '../../platform/config/command-line.ts';
import type { Action } from '../../platform/control/action.ts';
import { perform } from '../../platform/control/perform.ts';
import { createLog } from '../../platform/log.ts';
import type { Desk } from '../context.ts';
import { deskOpening } from '../opening.ts';
import { trustSettings, trustSettingsTable } from '../settings.ts';
import { createAction, keyAction, listAction, pardonAction, stakeAction, statusAction } from './actions.ts';

/** Administration, beside a running server or without one. */
export function operatorsCommand(): Command {
  const operators = new Command('operators')
    .description('list, make and change operators and their keys, beside a running server or without one')
    .helpCommand(false);
  const verb = (usage: string, description: string): Command => {
    const command = operators.command(usage).description(description);
    return addFlags(command, [trustSettings.data, trustSettings.config]);
  };

  verb('list', 'every operator with its figures')
    .option('--json', 'as JSON')
    .action(async (options: { json?: true }, command: Command) => {
      const rows = await act(command, listAction, {});
      if (options.json === true) return print(rows);
      process.stdout.write(table(rows));
    });

  verb('create', 'make an operator and its first API key, which is printed this once')
    .option('--name <text>', 'for you, to tell operators apart')
    .option('--admin', 'let the key administer')
    .action(async (options: { name?: string; admin?: true }, command: Command) => {
      print(
        await act(command, createAction, {
          ...(options.name === undefined ? {} : { name: options.name }),
          admin: options.admin === true,
        }),
      );
    });

  verb('key', 'make a further API key, which is printed this once: the way back when one is lost')
    .argument('<operator>', 'the operator id, op_cus_…')
    .option('--name <text>', 'for you, to tell keys apart')
    .option('--admin', 'let the key administer')
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
        print(await act(command, keyAction, { operator, key }));
      },
    );

  for (const [name, status, description] of [
    [
      'suspend',
      'SUSPENDED',
      'let an operator read and protect itself, and write nothing else, from its next request on',
    ],
    ['activate', 'ACTIVE', 'take a suspension back'],
  ] as const) {
    verb(name, description)
      .argument('<operator>', 'the operator id, op_cus_…')
      .action(async (operator: string, _options: object, command: Command) => {
        print(await act(command, statusAction, { operator, status }));
      });
  }

  verb('pardon', 'let the SLA breaches up to now weigh nothing at the gate')
    .argument('<operator>', 'the operator id, op_cus_…')
    .action(async (operator: string, _options: object, command: Command) => {
      print(await act(command, pardonAction, { operator }));
    });

  verb('stake', "set an operator's stake")
    .argument('<operator>', 'the operator id, op_cus_…')
    .argument('<cents>', 'US cents', cents)
    .action(async (operator: string, amount: number, _options: object, command: Command) => {
      print(await act(command, stakeAction, { operator, cents: amount }));
    });

  return operators;
}

function act<Input extends TSchema, Output extends TSchema>(
  command: Command,
  action: Action<Desk, Input, Output>,
  input: Static<Input>,
): Promise<Static<Output>> {
  const { config } = settled(command, trustSettingsTable);
  const opening = deskOpening(config, createLog('warn').log);
  return perform(resolve(trustSettings.data.in(config)), opening, action, input);
}

function print(answer: unknown): void {
  process.stdout.write(`${JSON.stringify(answer, null, 2)}\n`);
}

function table(rows: Static<typeof listAction.output>): string {
  const head = ['OPERATOR', 'STATUS', 'CREDITS', 'STAKE', 'KEYS', 'RECEIPTS', 'NAME'];
  const lines = rows.map((row) => [
    row.operator_id,
    row.accountStatus,
    String(row.credits),
    String(row.stakeBalanceCents),
    String(row.apiKeyCount),
    String(row.receiptCount),
    row.name ?? '',
  ]);
  const widths = head.map((title, column) =>
    Math.max(title.length, ...lines.map((line) => line[column]?.length ?? 0)),
  );
  return [head, ...lines]
    .map(
      (line) =>
        `${line
          .map((cell, column) => cell.padEnd(widths[column] ?? 0))
          .join('  ')
          .trimEnd()}\n`,
    )
    .join('');
}

function cents(text: string): number {
  const amount = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
  if (!Number.isSafeInteger(amount))
    throw new InvalidArgumentError('An amount is a whole number of US cents, at most 9007199254740991.');
  return amount;
}
