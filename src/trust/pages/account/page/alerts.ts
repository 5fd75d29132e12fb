import { type Html, html } from '../../../../platform/page/html.ts';
import { alert } from '../../../../platform/page/parts.ts';
import { dollars } from '../../../billing/dollar-text.ts';
import type { Debts } from '../../../billing/operator-debts.ts';
import { counted } from '../../../compliance/packages/page/values.ts';
import type { CreditsPolicy } from '../../../ledger/credits/settings.ts';
import type { OperatorRow } from '../../../operators/status.ts';

/** What an operator owes, in words, with what covers it. */
interface Owed {
  what: string;
  target: 'credits' | 'stake';
  cents: number;
}

/** Returns what an operator owes. @param policy with the cents that a credit costs */
export function owedOf(debts: Debts, { centsPerCredit }: CreditsPolicy): Owed[] {
  const credits = (amount: number, of: string): Owed[] =>
    amount <= 0
      ? []
      : [{ what: `${counted(amount, `${of}credit`)}`, target: 'credits', cents: amount * centsPerCredit }];
  const stake = (cents: number, of: string): Owed[] =>
    cents <= 0 ? [] : [{ what: `${dollars(cents)} of ${of}stake`, target: 'stake', cents }];
  return [
    credits(debts.credits, ''),
    credits(debts.sandboxCredits, 'sandbox '),
    stake(debts.stakeCents, ''),
    stake(debts.sandboxStakeCents, 'sandbox '),
  ].flat();
}

/** Returns why an account is not active, what it owes, and what its owner can do. */
export function accountAlerts(
  { accountStatus }: Pick<OperatorRow, 'accountStatus'>,
  debts: Debts,
  policy: CreditsPolicy,
): Html | null {
  const owed = owedOf(debts, policy);
  const list = owed.map(
    ({ what, target, cents }) => html`<li>${what}: pay ${dollars(cents)} for ${target}</li>\n`,
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
