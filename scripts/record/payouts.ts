import { SETTLEMENT_RAILS } from '../../db/trust/payments-enums.ts';
import { PRODUCTS } from '../../src/trust/ledger/metering/settings.ts';
import { chainSettings } from '../../test/support/evm/payout-app.ts';
import { startChain } from '../../test/support/evm/test-chain.ts';
import { type Market, ODD_TEXTS, type Party } from '../../test/support/recorded/market.ts';
import { type Session, until } from '../../test/support/recorded/session.ts';

/** Coins are worth nothing on a test chain. */
const SUPPLY = 10n ** 12n;
const SOMEBODY = '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359';

/** Starts a chain that payouts are paid on. */
export async function startPayoutChain() {
  const chain = await startChain();
  const token = await chain.deploy(SUPPLY);
  return { ...chain, settings: { ...chainSettings(chain, token), 'payouts.rail': 'evm' } };
}

type PayoutChain = Awaited<ReturnType<typeof startPayoutChain>>;

/** Pays one withdrawal on the chain, and begins to pay another one. */
export async function payOnChain(
  chain: PayoutChain,
  market: Market,
  party: Party,
  when: string,
): Promise<void> {
  const statusOf = async (id: string): Promise<unknown> => {
    const { withdrawal } = await market.ask(`GET /api/v1/agent-pay/withdrawals/${id}`, { key: party.key });
    return Object(withdrawal).status;
  };
  await chain.automine(true);
  const paid = await market.withdraw(party, 500, `${when} paid on the chain`);
  await until('it is confirmed', async () => {
    await chain.mine();
    return (await statusOf(paid)) === 'confirmed';
  });
  await chain.automine(false);
  const sent = await market.withdraw(party, 200, `${when} sent to the chain`);
  await until('it is submitted', async () => (await statusOf(sent)) === 'submitted');
}

/** Sends what the wallet of an agent holds. */
export async function emptyWallet({ command }: Session, chain: PayoutChain, { agent }: Party): Promise<void> {
  const mining = setInterval(() => void chain.mine(), 200);
  try {
    await command('wallets', 'send', agent.commitment, SOMEBODY, '1.5', '--fund-gas', '--yes');
  } finally {
    clearInterval(mining);
  }
}

/** Has withdrawals in every state that an administrator can make, by the manual rail. */
export async function payByHand(
  { command }: Session,
  market: Market,
  party: Party,
  when: string,
): Promise<void> {
  const withdraw = (reference: string) => market.withdraw(party, 10, `${when} ${reference}`);
  await withdraw('queued');
  await command('payouts', 'hold', await withdraw('held by the administrator'));
  await command('payouts', 'confirm', '--yes', await withdraw('confirmed'), 'bank transfer 2030-114');
  await command('payouts', 'fail', '--yes', await withdraw('failed'), 'The bank refuses this address.');
}

/**
 * Settles payments on every rail, even with odd references, withdraws with them, pays for products, and
 * transfers credits.
 */
export async function earnAndSpend(market: Market, party: Party, other: Party): Promise<void> {
  for (const rail of SETTLEMENT_RAILS) await market.settle(rail, party, `${rail} 1`, 1000);
  for (const text of ODD_TEXTS) await market.settle('x402', party, text, 3);
  for (const text of ODD_TEXTS) await market.withdraw(party, 1, text);
  const { key, agent } = party;
  for (const product of PRODUCTS) {
    await market.ask('POST /api/v1/agent-pay/spend', {
      key,
      body: {
        subject_commitment: agent.commitment,
        product,
        max_credits: 100,
        merchant: 'shop.example',
        nonce: `recorded-payment-for-${product}`,
        expires_at: '2999-12-31T23:59:59Z',
      },
    });
  }
  for (const [kind, memo] of [
    ['TASK_PAYMENT', 'line\u2028separator'],
    ['PEER_GIFT', 'thanks'],
  ]) {
    await market.ask('POST /api/v1/passport/credits/transfers', {
      key,
      headers: { 'idempotency-key': `transfer-${kind}` },
      body: {
        from_commitment: agent.commitment,
        to_commitment: other.agent.commitment,
        amount: 15,
        kind,
        memo,
      },
    });
  }
}

/** Of the payouts that a restored backup holds, one is released, one was paid, and one was not. */
export async function releaseSome({ command }: Session): Promise<void> {
  const lines = (await command('payouts', 'list', '--status', 'queued', '--output', 'ndjson', '--all'))
    .trim()
    .split('\n');
  const held = lines
    .map((line) => JSON.parse(line))
    .filter((payout) => payout.held === 'restored')
    .map(({ withdrawal_id }) => String(withdrawal_id));
  const [released = '', paid = '', unpaid = ''] = held;
  await command('payouts', 'release', released);
  await command('payouts', 'confirm', '--yes', paid, 'bank transfer 2030-115');
  await command('payouts', 'fail', '--yes', unpaid, 'It was not paid.', '--unpaid');
}
