import { Command } from 'commander';
import { SETTLEMENT_RAILS } from '../../../db/trust/payments-enums.ts';
import type { CommandSurroundings, ModuleCommand } from '../../platform/command-groups.ts';
import { examples } from '../../platform/command-help.ts';
import { callCommand } from '../../platform/control/call-command.ts';
import { column, listCommand, numbers } from '../../platform/control/list-command.ts';
import type { TrustModule } from '../service/module.ts';
import { operationGroup } from './operations.ts';

/** Returns the commands that administer settlements of payment rails. */
export async function commands(surroundings: CommandSurroundings<TrustModule>): Promise<ModuleCommand[]> {
  const command = new Command('settlements')
    .description('list and book settlements that exceed a cap, even while the server runs')
    .addHelpText(
      'after',
      `
A settlement above payments.settlement.<rail>.max_credits, or above what rails
settle in 24 hours, is stored and not booked.
${examples(
  ['List what waits', 'countersign settlements unbooked'],
  ['Book a settlement', 'countersign settlements book x402 REFERENCE'],
)}`,
    );
  const group = await operationGroup(command, surroundings);
  listCommand(group, 'unbooked', 'listUnbookedSettlements', {
    summary: 'list settlements that exceeded a cap and are not booked',
    rows: 'settlements',
    columns: [
      column('TIME', 'created_at'),
      column('RAIL', 'rail'),
      numbers('CREDITS', 'credits'),
      column('AMOUNT', 'amount_label'),
      column('AGENT', 'subject_commitment'),
      column('REFERENCE', 'reference'),
    ],
    examples: [['Print a line of JSON for each', 'countersign settlements unbooked --all --output ndjson']],
  });
  callCommand(group, 'book', 'bookSettlement', {
    summary: 'book a settlement that exceeded a cap',
    arguments: {
      rail: ['<rail>', `the rail: ${SETTLEMENT_RAILS.join(', ')}`],
      reference: ['<reference>', "the rail's id of the settlement"],
    },
    asks: ({ rail, reference }) => `book the settlement ${reference} of ${rail}`,
    notes: `
Make sure with the rail that it settled this. What is booked counts for the
caps of its day.
`,
    examples: [['Book a settlement', 'countersign settlements book x402 order-17']],
  });
  return [{ command }];
}
