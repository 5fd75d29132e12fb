import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run, scratch } from '../../../support/process.ts';
import { unpack } from '../../../support/recorded/archive.ts';

const LIMIT_MS = 60_000;

type Row = Record<string, string | number | null>;

const directory = scratch();
let data = '';
/** The payments of a recorded directory, and its refunds, oldest first. */
let rows: Row[] = [];

beforeAll(async () => {
  data = unpack('billing', directory.path);
  await run(['migrate', '--data', data]);
  const { stdout } = await run(['billing', 'list', '--all', '--output', 'json', '--data', data]);
  rows = (JSON.parse(stdout) as Row[]).filter(({ kind }) => kind !== 'unbooked').reverse();
}, LIMIT_MS);
afterAll(() => directory.dispose());

const CATEGORIES: Readonly<Record<string, string>> = {
  topup: 'charge',
  subscription: 'charge',
  refund: 'refund',
  chargeback: 'dispute',
};

/** Writes a report of Stripe with what the books have. @returns its path */
function report(
  name: string,
  change: (row: Row, index: number) => number | null = ({ amount }) => Number(amount),
) {
  const lines = rows.flatMap((row, index) => {
    const category = CATEGORIES[String(row.kind)];
    const cents = category === undefined ? null : change(row, index);
    if (cents === null) return [];
    const time = String(row.created_at).slice(0, 19).replace('T', ' ');
    const invoice = row.invoice_id ?? '';
    return [
      `txn_${index},${time},usd,${(cents / 100).toFixed(2)},0.30,0,${category},${row.payment_intent ?? ''},${invoice}`,
    ];
  });
  const header =
    'balance_transaction_id,created_utc,currency,gross,fee,net,reporting_category,payment_intent_id,invoice_id';
  const path = join(directory.path, name);
  writeFileSync(path, [header, ...lines, ''].join('\r\n'));
  return path;
}

describe('countersign billing reconcile', () => {
  test(
    'exits with 0 for a report with what the books have, and adds the fees up',
    async () => {
      expect(rows.length).toBeGreaterThan(3);
      const { code, stdout } = await run(['billing', 'reconcile', report('same.csv'), '--data', data]);
      expect([code, stdout]).toEqual([0, expect.stringContaining('\nno differences\n')]);
      expect(stdout).toMatch(/\nfees {5}\$\d+\.\d\d, not booked\n/);
    },
    LIMIT_MS,
  );

  test(
    'exits with 1 and a line of JSON for each difference',
    async () => {
      const [first] = rows.flatMap(({ kind }, index) => (kind === 'topup' ? [index] : []));
      const path = report('other.csv', ({ amount }, index) => Number(amount) + (index === first ? 1 : 0));
      const { code, stdout } = await run(['billing', 'reconcile', path, '--json', '--data', data]);
      const lines = stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line));
      expect(code).toBe(1);
      expect(lines).toMatchObject([{ difference: 'amount' }, { result: { differences: 1 } }]);
    },
    LIMIT_MS,
  );

  test(
    'exits with 2 for another file, and for none',
    async () => {
      const other = join(directory.path, 'other.txt');
      writeFileSync(other, 'id,Type,Source,Amount\n');
      const { code, stderr } = await run(['billing', 'reconcile', other, '--data', data]);
      expect([code, stderr]).toEqual([2, expect.stringContaining('is no itemized report: it has no column')]);
      const missing = await run(['billing', 'reconcile', `${other}.none`, '--data', data]);
      expect([missing.code, missing.stderr]).toEqual([2, expect.stringContaining('cannot be read')]);
    },
    LIMIT_MS,
  );
});

test(
  'countersign billing show names a payment by its intent',
  async () => {
    const intent = String(rows.find(({ payment_intent }) => payment_intent !== null)?.payment_intent);
    const { code, stdout } = await run(['billing', 'show', intent, '--data', data]);
    expect([code, JSON.parse(stdout).entries[0].payment_intent]).toEqual([0, intent]);
    const unknown = await run(['billing', 'show', 'pi_none', '--data', data]);
    expect([unknown.code, unknown.stderr]).toEqual([
      4,
      expect.stringContaining('No payment has the id pi_none.'),
    ]);
  },
  LIMIT_MS,
);
