import { Command, Option } from 'commander';
import { PAYMENT_KINDS, PAYMENT_STATUSES } from '../../../db/trust/billing-enums.ts';
import type { CommandSurroundings, ModuleCommand } from '../../platform/command-groups.ts';
import { examples } from '../../platform/command-help.ts';
import { callCommand } from '../../platform/control/call-command.ts';
import { column, listCommand, numbers } from '../../platform/control/list-command.ts';
import type { TrustModule } from '../service/module.ts';
import { operationGroup } from './operations.ts';
import { reconcileCommand } from './reconcile/command.ts';

/** Returns the commands of billing. */
export async function commands(surroundings: CommandSurroundings<TrustModule>): Promise<ModuleCommand[]> {
  const command = new Command('billing')
    .description('list payments, and reconcile them with the processor')
    .addHelpText(
      'after',
      examples(
        ['List payments, newest first', 'countersign billing list --data ./data/trust'],
        ['List what was paid and not booked', 'countersign billing unbooked --data ./data/trust'],
      ),
    );
  const group = await operationGroup(command, surroundings);
  listCommand(group, 'list', 'listAllPayments', {
    summary: 'list payments, refunds, disputes and debts, and what was not booked',
    rows: 'payments',
    columns: [
      column('TIME', 'created_at'),
      column('KIND', 'kind'),
      column('STATUS', 'status'),
      numbers('AMOUNT', 'amount'),
      column('CURRENCY', 'currency'),
      numbers('CREDITS', 'credits'),
      column('REFERENCE', 'reference'),
      column('OPERATOR', 'operator_id'),
    ],
    options: {
      of: new Option('--of <id>', 'only those of an operator'),
      kind: new Option('--kind <kind>', 'only those of a kind').choices([...PAYMENT_KINDS, 'unbooked']),
      status: new Option('--status <status>', 'only those in a state').choices(PAYMENT_STATUSES),
      from: new Option('--from <time>', 'only those at or after this time'),
      to: new Option('--to <time>', 'only those before this time'),
    },
    notes: `
Amounts are in cents, or the smallest unit of the currency. The status of what
was not booked is the reason: see countersign billing unbooked --help.
`,
    examples: [
      ['List what was refunded', 'countersign billing list --kind refund'],
      ['Print a line of JSON for each', 'countersign billing list --all --output ndjson'],
    ],
  });
  callCommand(group, 'show', 'showPayment', {
    summary: 'show a payment with all that followed, or why it was not booked',
    reads: true,
    arguments: {
      reference: ['<reference>', 'the id of its session, invoice, intent, charge, refund or dispute'],
    },
    examples: [['Show a payment', 'countersign billing show pi_3PXh2e']],
  });
  listCommand(group, 'unbooked', 'listUnbookedPayments', {
    summary: 'list payments that were not booked',
    rows: 'payments',
    columns: [
      column('TIME', 'created_at'),
      column('REASON', 'reason'),
      numbers('AMOUNT', 'amount'),
      column('CURRENCY', 'currency'),
      column('PAYMENT', 'source_id'),
      column('CUSTOMER', 'customer_id'),
      column('OPERATOR', 'operator_id'),
    ],
    notes: `
Reasons:
  currency           it was not paid in US dollars
  amount             the event has no amount, or less than a credit costs
  unknown_order      no order of this service, such as a payment for another product of the account
  unknown_customer   no operator of this customer; it is booked when the operator is known
  booked_intent      its payment was booked for another order or invoice
  other_invoice      an invoice that is not for a month of a subscription
  account_closed     the operator is closed
  balance_limit      a balance would exceed 9007199254740991

Refund them in the dashboard of the processor: a payment that was refunded in full is no longer listed.
`,
    examples: [
      ['Print a line of JSON for each payment', 'countersign billing unbooked --all --output ndjson'],
    ],
  });
  reconcileCommand(group);
  return [{ command }];
}
