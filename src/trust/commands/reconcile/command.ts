import { createReadStream } from 'node:fs';
import { InvalidArgumentError, Option } from 'commander';
import { checkedOutput } from '../../../platform/control/action.ts';
import {
  type CallOperation,
  type Group,
  operationCommand,
} from '../../../platform/control/operation-command.ts';
import { Failure } from '../../../platform/failure.ts';
import { jsonLine, writeOut } from '../../../platform/terminal/output.ts';
import { printable } from '../../../platform/terminal/printable.ts';
import { Progress } from '../../../platform/terminal/progress.ts';
import { parseTimestamp } from '../../../proof/encoding/timestamp.ts';
import type { Books } from './compare.ts';

/** The differences that are printed without --json. */
const MOST_SHOWN = 1000;

interface Options {
  from?: number;
  to?: number;
  json?: true;
}

/** Adds the command that compares a report of the processor with the books. */
export function reconcileCommand(group: Group): void {
  const { command } = operationCommand(group, 'reconcile', 'comparePayments', {
    summary: 'compare a report of Stripe with the books; exit 0 if they agree',
    arguments: { file: ['<file>', 'an itemized report of Stripe, as CSV'] },
    options: {
      from: new Option('--from <time>', 'the period, instead of that of the file').argParser(timeOf),
      to: new Option('--to <time>', 'its end, included').argParser(timeOf),
    },
    notes: `
The file is an itemized report of Stripe, "Balance change from activity" or "Payout
reconciliation", with the columns created_utc, payment_intent_id and, if there are
subscriptions, invoice_id. It may have millions of rows.

It names charges that are not booked, and why; payments of the period that are missing in
it; other amounts and currencies; refunds and disputes that differ. Fees are
added up: they are not booked. It changes nothing.

Exit codes: 0 no difference, 1 differences, 2 another file
`,
    examples: [
      ['Compare a month', 'countersign billing reconcile balance-2026-10.csv'],
      ['Print each difference as a line of JSON', 'countersign billing reconcile balance.csv --json'],
    ],
  });
  command.option('--json', 'print differences and the result as lines of JSON');
  command.action(async () => {
    const [file = ''] = command.args;
    const options = command.opts<Options>();
    await group.operations(command, (call) => reconcile(call, file, options));
  });
}

async function reconcile(call: CallOperation, file: string, { from, to, json }: Options): Promise<void> {
  const [{ csvRows }, { reportRows }, { compareWithBooks }, { differenceText, summaryText }, books] =
    await Promise.all([
      import('./csv-rows.ts'),
      import('./report-rows.ts'),
      import('./compare.ts'),
      import('./words.ts'),
      booksOf(call),
    ]);
  const progress = new Progress(process.stderr, 'rows');
  let shown = 0;
  try {
    const rows = counted(reportRows(csvRows(piecesOf(file), file), file), progress);
    const summary = await compareWithBooks(
      rows,
      books,
      { from: from ?? null, to: to ?? null },
      async (one) => {
        shown += 1;
        if (json) await writeOut(jsonLine(one));
        else if (shown <= MOST_SHOWN) await writeOut(printable(`${differenceText(one)}\n`));
      },
    );
    progress.clear();
    if (json) await writeOut(jsonLine({ result: summary }));
    else await writeOut(printable(summaryText(summary, Math.max(0, shown - MOST_SHOWN))));
    if (summary.differences > 0) process.exitCode = 1;
  } finally {
    progress.clear();
  }
}

async function* counted<Row>(rows: AsyncIterable<Row>, progress: Progress): AsyncGenerator<Row> {
  let count = 0;
  for await (const row of rows) {
    count += 1;
    if (count % 1000 === 0) progress.at(count, null);
    yield row;
  }
}

/** Yields the bytes of a file. @throws Failure (exit code 2) for one that cannot be read */
async function* piecesOf(file: string): AsyncGenerator<Uint8Array> {
  try {
    for await (const piece of createReadStream(file, { highWaterMark: 1 << 20 })) yield piece;
  } catch (error) {
    throw new Failure(
      `${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`,
      'specify the report that was downloaded from Stripe',
      2,
    );
  }
}

/** Returns the books as the operations of the service show them. */
async function booksOf(call: CallOperation): Promise<Books> {
  const { CompareResponse, FindResponse, MOST_COMPARED, USUALLY_MS } = await import(
    '../../billing/entries/compare.ts'
  );
  return {
    most: MOST_COMPARED,
    usuallyMs: USUALLY_MS,
    find: async (payments) =>
      checkedOutput(
        FindResponse,
        await call('findPayments', { payments: [...payments] }),
        'the operation findPayments',
      ),
    compare: async (request) =>
      checkedOutput(CompareResponse, await call('comparePayments', request), 'the operation comparePayments'),
  };
}

function timeOf(text: string): number {
  const time = parseTimestamp(text);
  if (time === null)
    throw new InvalidArgumentError('The time must be in RFC 3339, such as 2026-01-31T00:00:00Z.');
  return time;
}
