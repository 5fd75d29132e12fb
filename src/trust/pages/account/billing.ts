import { type Html, html } from '../../../platform/page/html.ts';
import { alert, choices, tag, textField } from '../../../platform/page/parts.ts';
import { timestampOf } from '../../../platform/time/timestamp.ts';
import { centsOf, dollars, plainDollars } from '../../billing/dollar-text.ts';
import { customerOf, openBillingPortal } from '../../billing/open-portal.ts';
import { type Debts, operatorDebts } from '../../billing/operator-debts.ts';
import { TopupRequest } from '../../billing/schema.ts';
import { subscriptionEnd } from '../../billing/subscriptions.ts';
import { startTopup } from '../../billing/top-up.ts';
import { hash, moment } from '../../compliance/packages/page/values.ts';
import { commonErrors } from '../../http/errors.ts';
import { poolOf } from '../../ledger/accounts.ts';
import { creditsIn, stakesOf } from '../../ledger/balances.ts';
import { type Held, heldIn } from '../../ledger/lots/held.ts';
import type { Portions } from '../../ledger/portions.ts';
import { accountWallet } from '../../ledger/wallets/get-account-wallet.ts';
import { chainOf, type WalletRow, walletOf } from '../../ledger/wallets/wallets.ts';
import { type OperatorRow, operatorBySeq } from '../../operators/status.ts';
import { leaveFor } from './cross-origin-redirect.ts';
import { accountAlerts, owedOf } from './page/alerts.ts';
import { buttonForm, csrfField, problemAlert } from './page/parts.ts';
import { heldNote, poolTiles } from './page/pool.ts';
import { paymentsCard } from './payments.ts';
import { type Problem, requireValid } from './problem.ts';
import type { AccountResponse, PageResponse, Visitor } from './response.ts';
import type { AccountSite } from './site.ts';

/** The form of a top-up. */
export const TOPUP_FIELDS = ['amount', 'target'] as const;
type TopupForm = Readonly<Record<(typeof TOPUP_FIELDS)[number], string>>;

const PATH = '/account/billing';

/** The amount that the form suggests, in cents. */
const SUGGESTED = 2500;

interface BillingPage {
  /** Whether the visitor comes back from a payment. */
  isBack?: boolean;
  /** The form as it was sent, and why it was refused. */
  refused?: { form: TopupForm; problem: Problem };
  /** Why the portal was refused. */
  portalProblem?: Problem;
  /** Why the wallet was refused. */
  walletProblem?: Problem;
}

interface Money {
  operator: OperatorRow;
  pool: Portions;
  /** The paid credits of the pool that cannot be withdrawn yet. */
  held: Held[];
  stake: Awaited<ReturnType<typeof stakesOf>>;
  debts: Debts;
  wallet: WalletRow | null;
  /** Whether the processor knows the operator as a customer. */
  isCustomer: boolean;
  /** When the subscription ends without a renewal; null if it goes on. */
  endsAt: number | null;
}

/** Returns the page with the balances and debts of the operator, and the form to pay. */
export async function billingPage(
  site: AccountSite,
  visitor: Visitor,
  { isBack = false, refused, portalProblem, walletProblem }: BillingPage,
): Promise<PageResponse> {
  const { trust } = site;
  const { operatorSeq } = visitor.principal;
  const processor = await trust.processor();
  const money = await trust.store.read(async (snapshot): Promise<Money> => {
    const operator = await operatorBySeq(snapshot, operatorSeq);
    if (operator === null) throw new Error(`operator ${operatorSeq} does not exist`);
    return {
      operator,
      pool: await creditsIn(snapshot, poolOf(operator)),
      held: await heldIn(snapshot, poolOf(operator), trust.clock.now()),
      stake: await stakesOf(snapshot, operatorSeq),
      debts: await operatorDebts(snapshot, operatorSeq),
      wallet: await walletOf(snapshot, { kind: 'operator', seq: operatorSeq }),
      isCustomer: (await customerOf(snapshot, operator)) !== null,
      endsAt: await subscriptionEnd(snapshot, operatorSeq),
    };
  });
  const { centsPerCredit } = trust.policy;
  const owed = owedOf(money.debts, trust.policy);
  const [first = { cents: SUGGESTED, target: 'credits' as const }] = owed;
  const suggested: TopupForm = { amount: plainDollars(first.cents), target: first.target };
  const back = alert(
    'info',
    html`<p>You are back from the payment. What was paid appears here within seconds; <a href="${PATH}?back">load the page again</a> to see it.</p>`,
  );
  return {
    page: {
      title: 'Billing',
      current: PATH,
      visitor,
      body: html`<h1>Billing</h1>
${isBack ? back : null}${accountAlerts(money.operator, money.debts, trust.policy)}${moneyTiles(money)}
<section class="card" id="top-up"><h2>Pay for credits or stake</h2>
${
  processor === null
    ? alert(
        'info',
        html`<p><strong>This service takes no payments.</strong> No payment processor is configured. Its administrator can set
<code>billing.stripe.secret_key</code> and <code>billing.stripe.webhook_secret</code>, or for a trial without money <code>billing.processor=sandbox</code>.</p>`,
      )
    : topupForm(visitor, refused?.form ?? suggested, {
        centsPerCredit,
        problem: refused?.problem ?? null,
        isSandbox: processor.sandbox,
      })
}</section>
${processor === null ? null : portalCard(visitor, money, portalProblem ?? null)}${await paymentsCard(site, visitor)}${walletCard(site, visitor, money, walletProblem ?? null)}`,
    },
  };
}

function moneyTiles({ operator, pool, held, stake }: Money): Html {
  const sandboxStake =
    stake.sandboxCents > 0
      ? html`<div><dt>Sandbox stake</dt><dd>${dollars(stake.sandboxCents)}</dd></div>\n`
      : null;
  return html`<dl class="tiles">
<div><dt>Plan</dt><dd>${operator.plan}</dd></div>
${poolTiles(pool, held)}<div><dt>Stake</dt><dd>${dollars(stake.cents)}</dd></div>
${sandboxStake}</dl>
${heldNote(held)}`;
}

function topupForm(
  visitor: Visitor,
  form: TopupForm,
  {
    centsPerCredit,
    problem,
    isSandbox,
  }: { centsPerCredit: number; problem: Problem | null; isSandbox: boolean },
): Html {
  const issues = problem?.issues ?? {};
  return html`${isSandbox ? html`<p>${tag('SANDBOX', 'warn')} No real money is paid. Sandbox credits cannot be withdrawn, and the gate ignores sandbox stake.</p>` : null}${problemAlert(problem, TOPUP_FIELDS)}<form method="post" action="${PATH}/topup">
${csrfField(visitor)}${textField(
  {
    name: 'amount',
    label: 'Amount in US dollars',
    value: form.amount,
    required: true,
    inputMode: 'decimal',
    maxLength: 16,
    hint: 'From $1.00 to $100,000.00, such as 25 or 25.50.',
  },
  issues,
)}${choices(
  {
    name: 'target',
    legend: 'Pay for',
    type: 'radio',
    options: [
      {
        value: 'credits',
        label: 'Credits',
        hint: `A credit costs ${dollars(centsPerCredit)}. They go to the pool of the operator.`,
      },
      {
        value: 'stake',
        label: 'Stake',
        hint: 'The bond that the gate asks for, and that failures of agents reduce.',
      },
    ],
  },
  [form.target],
  issues,
)}<div class="actions"><button class="primary">Continue to payment</button></div>
</form>`;
}

/** Returns the card that leads to the processor's page for customers; null for who never paid. */
function portalCard(
  visitor: Visitor,
  { isCustomer, operator, endsAt }: Money,
  problem: Problem | null,
): Html | null {
  if (!isCustomer) return null;
  const end =
    endsAt === null
      ? null
      : alert(
          'warn',
          html`<p>The subscription ends on ${moment(timestampOf(endsAt))}. Until then it can be renewed.</p>`,
        );
  const subscription = operator.plan === 'PRO' ? 'Cancel or renew the subscription, or change' : 'Change';
  return html`<section class="card" id="portal"><h2>Subscription and card</h2>
${end}<p class="soft">${subscription} the card, on a page of the payment processor.</p>
${problemAlert(problem, [])}<div class="actions">${buttonForm(visitor, `${PATH}/portal`, { label: 'Manage at the processor', tone: '' })}</div></section>
`;
}

/** Leads to the processor's page for customers. @throws ApiError as the API */
export async function openPortal(site: AccountSite, { principal }: Visitor): Promise<AccountResponse> {
  const { url } = await openBillingPortal(site.trust, principal);
  return leaveFor(site.trust.url, url, {
    title: 'Continue to the payment processor',
    does: 'You manage the subscription and the card',
  });
}

function walletCard(
  { trust }: AccountSite,
  visitor: Visitor,
  { wallet, operator }: Money,
  problem: Problem | null,
): Html {
  const content =
    wallet === null
      ? html`<p>You have no wallet yet. The service keeps its key, encrypted.</p>
${
  operator.accountStatus === 'ACTIVE'
    ? html`<div class="actions">${buttonForm(visitor, `${PATH}/wallet`, { label: 'Create the wallet', tone: '' })}</div>`
    : html`<p class="soft">It can be made when the account is active again.</p>`
}`
      : html`<dl class="facts"><dt>Address</dt><dd>${hash(wallet.address)}</dd><dt>Chain</dt><dd>${hash(chainOf(trust.policy))}</dd></dl>`;
  return html`<section class="card" id="wallet"><h2>Wallet</h2>
<p class="soft">The custodial address of your operator.</p>
${problemAlert(problem, [])}${content}</section>`;
}

/** Orders a top-up, and leads to the page of the processor. @throws ApiError as the API */
export async function topUp(
  site: AccountSite,
  { principal }: Visitor,
  form: TopupForm,
): Promise<AccountResponse> {
  const { url } = await startTopup(site.trust, principal, orderOf(form), (_tx, act) => act());
  if (url === undefined) throw new Error('the processor returned no page for a hosted checkout');
  return leaveFor(site.trust.url, url);
}

/** @throws ApiError validation_error with the names of the form's fields */
function orderOf({ amount, target }: TopupForm) {
  const cents = centsOf(amount);
  if (cents === null) {
    throw commonErrors.validation_error({
      issues: { amount: ['must be dollars with at most two decimals, such as 25 or 1,250.50'] },
    });
  }
  const { minimum = 0, maximum = 0 } = TopupRequest.properties.usd_cents;
  if (cents < minimum || cents > maximum) {
    throw commonErrors.validation_error({
      issues: { amount: [`must be from ${dollars(minimum)} to ${dollars(maximum)}`] },
    });
  }
  return requireValid(TopupRequest, { usd_cents: cents, target });
}

/** Makes the wallet of the operator. @throws ApiError as the API */
export async function createWallet(site: AccountSite, { principal }: Visitor): Promise<AccountResponse> {
  await accountWallet(site.trust, principal);
  return { location: `${PATH}#wallet` };
}
