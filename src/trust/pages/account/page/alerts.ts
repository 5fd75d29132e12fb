import { type Html, html } from '../../../../platform/page/html.ts';
import { alert } from '../../../../platform/page/parts.ts';
import { dollars } from '../../../billing/dollar-text.ts';
import type { Debts } from '../../../billing/operator-debts.ts';
import { counted } from '../../../compliance/packages/page/values.ts';
import type { CreditsPolicy } from '../../../ledger/credits/settings.ts';
import type { OperatorRow } from '../../../operators/status.ts';

/** A debt of an operator, and the payment that covers it. */
interface Owed {
  amountText: string;
  target: 'credits' | 'stake';
  cents: number;
}

/** Returns the debts of an operator. @param policy with the cents that a credit costs */
export function owedOf(debts: Debts, { centsPerCredit }: CreditsPolicy): Owed[] {
  const credits = (amount: number, of: string): Owed[] =>
    amount <= 0
      ? []
      : [{ amountText: counted(amount, `${of}credit`), target: 'credits', cents: amount * centsPerCredit }];
  const stake = (cents: number, of: string): Owed[] =>
    cents <= 0 ? [] : [{ amountText: `${dollars(cents)} of ${of}stake`, target: 'stake', cents }];
  return [
    credits(debts.credits, ''),
    credits(debts.sandboxCredits, 'sandbox '),
    stake(debts.stakeCents, ''),
    stake(debts.sandboxStakeCents, 'sandbox '),
  ].flat();
}

/** Returns the alert for an inactive account or a debt, with what the owner can do; null without either. */
export function accountAlerts(
  { accountStatus }: Pick<OperatorRow, 'accountStatus'>,
  debts: Debts,
  policy: CreditsPolicy,
): Html | null {
  const owed = owedOf(debts, policy);
  const list = owed.map(
    ({ amountText, target, cents }) => html`<li>${amountText}: pay ${dollars(cents)} for ${target}</li>\n`,
  );
  const debt =
    owed.length === 0
      ? null
      : html`<p>You owe what a refund took back after it was used:</p><ul>\n${list}</ul>`;
  if (accountStatus === 'CLOSED') {
    return alert(
      'bad',
      html`<p><strong>This account is closed.</strong> You can still read everything, and revoke API keys.</p>`,
    );
  }
  if (accountStatus === 'ACTIVE') return debt === null ? null : alert('warn', debt);
  const wayOut = debts.isSuspendedByRefund
    ? html`<p><a href="/account/billing#top-up">Pay the debt</a>, and the account is active again by itself.</p>`
    : html`<p>Ask the administrator of this service to activate it again.</p>`;
  return alert(
    'bad',
    html`<p><strong>This account is suspended.</strong> Its keys can only read.</p>
${debt}${wayOut}<p>You can still revoke API keys and receipts.</p>`,
  );
}
