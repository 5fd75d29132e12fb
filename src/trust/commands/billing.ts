import type { Static } from '@sinclair/typebox';
import { Command } from 'commander';
import type { ModuleCommand } from '../../platform/command-groups.ts';
import { examples, GROUPS } from '../../platform/command-help.ts';
import { addFlags } from '../../platform/config/command-line.ts';
import type { RunAction } from '../../platform/control/run-action.ts';
import { writeOut } from '../../platform/terminal/output.ts';
import { type Column, listText } from '../../platform/terminal/table.ts';
import type { CommandContext } from '../service/context.ts';
import type { TrustModule } from '../service/module.ts';
import { trustSettings } from '../service/settings.ts';
import { commandActionRunner } from './action-runner.ts';

/** Returns the commands of billing. */
export const commands = (modules: readonly TrustModule[]): readonly ModuleCommand[] => {
  const act = commandActionRunner(modules, () => import('../billing/actions.ts'));
  return [{ command: billingCommand(act) }];
};

type Actions = typeof import('../billing/actions.ts');

function billingCommand(act: RunAction<CommandContext, Actions>): Command {
  const billing = new Command('billing')
    .description('list payments that could not be booked; also works while the server runs')
    .helpGroup(GROUPS.administration)
    .addHelpText(
      'after',
      examples(['List what was paid and not booked', 'countersign billing unbooked --data ./data/trust']),
    )
    .helpCommand(false);
  const unbooked = billing
    .command('unbooked')
    .summary('list payments that were not booked')
    .description(
      'list payments that the processor took and the service could not book, oldest first, until they are refunded or booked',
    )
    .addHelpText(
      'after',
      examples(['Print a line of JSON for each payment', 'countersign billing unbooked --json']),
    );
  addFlags(unbooked, [trustSettings.data, trustSettings.config])
    .option('--json', 'print a line of JSON for each payment')
    .addHelpText(
      'after',
      `
Reasons:
  currency           it was not paid in US dollars
  amount             the event has no amount, or less than a credit costs
  unknown_order      no order of this service, such as a payment for another product of the account
  unknown_customer   no operator of this customer; it is booked when the operator is known
  booked_intent      its payment was booked for another order or invoice
  other_invoice      an invoice that is not for a month of a subscription
  account_closed     the operator is closed
  balance_limit      a balance would exceed 9007199254740991

Refund them in the dashboard of the processor: a payment that was refunded in full is no longer listed.`,
    )
    .action(async ({ json = false }: { json?: boolean }, command: Command) => {
      for (let after = 0, isFirst = true; ; isFirst = false) {
        const { payments, next } = await act(command, (actions) => actions.unbookedAction, { after });
        if (isFirst || payments.length > 0) await writeOut(listText(COLUMNS, payments, json));
        if (next === null) return;
        after = next;
      }
    });
  return billing;
}

type Payment = Static<Actions['unbookedAction']['output']>['payments'][number];

const COLUMNS: readonly Column<Payment>[] = [
  { title: 'TIME', cellOf: (row) => row.created_at },
  { title: 'REASON', cellOf: (row) => row.reason },
  { title: 'AMOUNT', isNumber: true, cellOf: (row) => row.amount },
  { title: 'CURRENCY', cellOf: (row) => row.currency },
  { title: 'PAYMENT', cellOf: (row) => row.source_id },
  { title: 'CUSTOMER', cellOf: (row) => row.customer_id },
  { title: 'OPERATOR', cellOf: (row) => row.operator_id },
];
