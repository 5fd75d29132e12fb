import { dollars } from '../../billing/dollar-text.ts';
import type { Difference, Summary } from './compare.ts';

/** Returns a sentence about a difference. */
export function differenceText(one: Difference): string {
  const { difference, line, category, payment_intent, charge_id, reference, currency, at, unbooked } = one;
  const name = `${reference ?? charge_id ?? 'a payment'}${payment_intent === null ? '' : ` (${payment_intent})`}`;
  const [file, books] = [one.file_cents, one.books_cents].map((cents) => money(cents ?? 0, currency));
  const where = line === null ? '' : `line ${line}: `;
  switch (difference) {
    case 'not_in_books': {
      const why = unbooked === null ? '' : `: ${unbooked}`;
      return `${where}${category} of ${file} at ${at}, ${name}: not in the books${why}`;
    }
    case 'currency':
      return `${where}${category} of ${file} at ${at}, ${name}: booked in US dollars`;
    case 'not_in_file':
      return `payment of ${books} at ${at}, ${name}: not in the file`;
    case 'amount':
      return `payment at ${at}, ${name}: the file has ${file}, the books have ${books}`;
    default:
      return `${difference} of the payment ${name}: the file has ${file}, the books have ${books} in the period`;
  }
}

/** Returns what is said at the end. @param hidden the differences that were not printed */
export function summaryText(
  { rows, payments, differences, from, to, fees, others }: Summary,
  hidden: number,
): string {
  const more = hidden === 0 ? [] : [`and ${hidden} more differences: --json prints all`];
  const period = from === null ? [] : [`period   ${from} to ${to}`];
  const fee = Object.entries(fees).map(
    ([currency, cents]) => `fees     ${money(cents, currency)}, not booked`,
  );
  const rest = Object.entries(others).map(
    ([category, count]) => `other    ${count} of ${category || 'no category'}`,
  );
  return [
    ...more,
    ...period,
    `rows     ${rows}`,
    `payments ${payments}`,
    ...fee,
    ...rest,
    differences === 0
      ? 'no differences'
      : `${differences} ${differences === 1 ? 'difference' : 'differences'}`,
    '',
  ].join('\n');
}

function money(cents: number, currency: string): string {
  if (currency === 'usd') return dollars(cents);
  const whole = Math.trunc(Math.abs(cents) / 100);
  return `${cents < 0 ? '-' : ''}${whole}.${String(Math.abs(cents) % 100).padStart(2, '0')} ${currency}`;
}
