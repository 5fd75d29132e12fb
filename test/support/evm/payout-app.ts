import { creditFigures } from '../../../src/trust/ledger/balances.ts';
import { evmRail } from '../../../src/trust/payments/payouts/evm/rail.ts';
import { slotsOfPayout } from '../../../src/trust/payments/payouts/evm/store.ts';
import type { TrustPolicy } from '../../../src/trust/service/policy.ts';
import { creditedAgent } from '../credits.ts';
import { payoutOf, queuePayouts } from '../payouts.ts';
import { openTrustApp } from '../trust-app.ts';
import { VirtualTime } from '../virtual-time.ts';
import { CHAIN_ID, type TestChain, TREASURY } from './test-chain.ts';

/** The blocks after which a payout is final in tests. */
export const CONFIRMATIONS = 3;

/** The nodes of a chain: one, or several of which more than half must agree. */
type Nodes = Pick<TestChain, 'url'> | readonly Pick<TestChain, 'url'>[];

/** Returns the settings of a service that pays on a chain. */
export function chainSettings(chain: Nodes, token: string): Record<string, string> {
  return {
    'evm.rpc_urls': [chain]
      .flat()
      .map(({ url }) => url)
      .join(),
    'evm.chain_id': String(CHAIN_ID),
    'evm.token': token,
    'evm.treasury_key': TREASURY.key,
    'evm.confirmations': String(CONFIRMATIONS),
  };
}

export type PayoutApp = Awaited<ReturnType<typeof openPayoutApp>>;

let addresses = 0;

/** Returns an address that nothing was paid to. */
export function freshAddress(): `0x${string}` {
  addresses += 1;
  return `0x${(0xc0ffee0000n + BigInt(addresses)).toString().padStart(40, '0')}`;
}

/**
 * Opens a service that pays on a chain, with an agent that has paid credits. The tests call the rail; the
 * service runs no tasks.
 */
export async function openPayoutApp(chain: Nodes, token: string, settings: Record<string, string> = {}) {
  const time = new VirtualTime();
  const app = await openTrustApp({ ...chainSettings(chain, token), ...settings }, time);
  const agent = await creditedAgent(app, { credits: { paid: 10_000_000 } });
  const { trust } = app.service;
  return {
    app,
    time,
    agent,
    trust,
    /**
     * Returns a new rail, with the memory of a process that has just started.
     * @param policy what differs from the settings
     */
    rail: (policy: Partial<TrustPolicy> = {}) =>
      evmRail({ ...trust, policy: { ...trust.policy, ...policy }, store: { ...trust.store } }),
    /** Queues a payout to an address that was never used. */
    async queue(amount: number, address = freshAddress()) {
      const [state] = await queuePayouts(app, agent, [{ amount, reference: crypto.randomUUID(), address }]);
      if (state === undefined) throw new Error('nothing was queued');
      return { id: state.payout.withdrawalId, address, amount };
    },
    async status(id: string): Promise<string> {
      return (await payoutOf(app, id)).payout.status;
    },
    state: (id: string) => payoutOf(app, id),
    async payout(id: string) {
      return (await payoutOf(app, id)).payout;
    },
    /** The stored transactions of a payout, by nonce. */
    async slots(id: string) {
      const { payout } = await payoutOf(app, id);
      return trust.store.read((snapshot) => slotsOfPayout(snapshot, payout.payoutSeq));
    },
    /** Changes the chain of a stored transaction, which the program cannot. */
    async rewriteChain(id: string, chainId: number) {
      const { payout } = await payoutOf(app, id);
      await trust.store.writeAsService((tx) => {
        const { sqlite } = tx.connection;
        const trigger = sqlite
          .query<{ sql: string }, []>(
            "SELECT sql FROM sqlite_schema WHERE name = 'payout_transaction_is_final'",
          )
          .get();
        sqlite.run('DROP TRIGGER payout_transaction_is_final');
        sqlite.run('UPDATE payout_transaction SET chain_id = ? WHERE payout_seq = ?', [
          chainId,
          payout.payoutSeq,
        ]);
        sqlite.run(trigger?.sql ?? '');
      });
    },
    /** The agent's paid credits. */
    figures: () =>
      trust.store.read(async (snapshot) => (await creditFigures(snapshot, agent.agent.agentSeq)).paid),
  };
}
