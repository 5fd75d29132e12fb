import { Command } from 'commander';
import type { CommandSurroundings, ModuleCommand } from '../../platform/command-groups.ts';
import { examples } from '../../platform/command-help.ts';
import { column, listCommand, numbers } from '../../platform/control/list-command.ts';
import type { TrustModule } from '../service/module.ts';
import { operationGroup } from './operations.ts';

/** Returns the commands of billing. */
export async function commands(surroundings: CommandSurroundings<TrustModule>): Promise<ModuleCommand[]> {
  const command = new Command('billing')
    .description('list payments that could not be booked, even while the server runs')
    .addHelpText(
      'after',
      examples(['List what was paid and not booked', 'countersign billing unbooked --data ./data/trust']),
    );
  listCommand(await operationGroup(command, surroundings), 'unbooked', 'listUnbookedPayments', {
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
  return [{ command }];
}
