import { type Static, Type } from '@sinclair/typebox';
import { TRANSFER_ASSETS, TRANSFER_STATUSES } from '../../../../db/trust/payouts-enums.ts';
import { WALLET_OWNERS } from '../../../../db/trust/wallets-enums.ts';
import { Action } from '../../../platform/control/action.ts';
import type { MasterKey } from '../../../platform/crypto/master-key.ts';
import type { Cursors } from '../../../platform/http/pagination/cursor.ts';
import { nullable, oneOf, strictObject } from '../../../platform/http/schema.ts';
import { findWallet } from '../../ledger/wallets/find.ts';
import { listWallets } from '../../ledger/wallets/list.ts';
import type { Order } from './evm/wallet-order.ts';
import type { RailContext } from './rail.ts';

const text = Type.String({ minLength: 1, maxLength: 256 });
const wallet = {
  owner: nullable(Type.String()),
  kind: oneOf(WALLET_OWNERS),
  address: Type.String(),
  chain: Type.String(),
  created_at: Type.String(),
};
const balance = {
  /** Exact decimal text; null if no chain is configured, or its node does not answer. */
  tokens: nullable(Type.String()),
  coins: nullable(Type.String()),
};
const order = {
  wallet: text,
  to: text,
  /** Decimal text, or `all`. */
  amount: text,
  asset: oneOf(TRANSFER_ASSETS),
};

/** The parts of the service that administer wallets. */
type WalletActionContext = RailContext & { masterKey: MasterKey; cursors: Cursors };

export const listAction = new Action({
  name: 'wallets.list',
  input: strictObject({ before: nullable(Type.Integer({ minimum: 1 })), balances: Type.Boolean() }),
  output: strictObject({
    wallets: Type.Array(strictObject({ ...wallet, ...balance })),
    next: nullable(Type.Integer()),
    problem: nullable(Type.String()),
  }),
  async run(context: WalletActionContext, { before, balances: isAsked }) {
    const { wallets, next } = await listWallets(context, before);
    const addresses = wallets.map(({ address }) => address);
    const { balances, problem } = isAsked ? await chainBalances(context, addresses) : NO_BALANCES;
    return {
      wallets: wallets.map((row, at) => ({ ...row, ...(balances?.[at] ?? { tokens: null, coins: null }) })),
      next,
      problem,
    };
  },
});

/** Checks what is to be sent, before the administrator is asked to confirm it. */
export const orderAction = new Action({
  name: 'wallets.order',
  input: strictObject(order),
  output: strictObject({
    wallet: strictObject({ ...wallet, ...balance }),
    to: Type.String(),
    /** The contract of the token; null for the coin of the chain. */
    token: nullable(Type.String()),
  }),
  async run(context: WalletActionContext, input) {
    const { wallet: found, to, token } = await checkedOrder(context, input);
    const { balances, problem } = await chainBalances(context, [found.address]);
    const [held] = balances ?? [];
    if (held === undefined) throw new Error(problem ?? 'the node did not answer');
    return { wallet: { ...found, ...held }, to, token };
  },
});

export const sendAction = new Action({
  name: 'wallets.send',
  input: strictObject({ ...order, fund_gas: Type.Boolean(), reference: Type.String({ maxLength: 128 }) }),
  output: strictObject({
    status: oneOf(TRANSFER_STATUSES),
    from: Type.String(),
    to: Type.String(),
    asset: oneOf(TRANSFER_ASSETS),
    amount: nullable(Type.String()),
    transaction_hash: nullable(Type.String()),
    gas_transaction_hash: nullable(Type.String()),
    replayed: Type.Boolean(),
    detail: nullable(Type.String()),
  }),
  async run(context: WalletActionContext, { fund_gas: fundGas, reference, ...input }) {
    const { wallet: found, to, asset, amount, decimals } = await checkedOrder(context, input);
    // Loaded here: it stands above wallets, and no other action needs it.
    const [{ sendFromWallet }, { decimalText }] = await Promise.all([
      import('./evm/send.ts'),
      import('./evm/units.ts'),
    ]);
    const sent = await sendFromWallet(context, {
      address: found.address,
      to,
      amount,
      asset,
      fundGas,
      ...(reference === '' ? {} : { reference }),
    });
    return {
      status: sent.status,
      from: found.address,
      to,
      asset,
      amount: sent.amount === null ? null : decimalText(sent.amount, decimals),
      transaction_hash: sent.transactionHash,
      gas_transaction_hash: sent.gasTransactionHash,
      replayed: sent.isReplayed,
      detail: sent.detail,
    };
  },
});

export const walletActions = [listAction, orderAction, sendAction];

const NO_BALANCES = { balances: null, problem: null };

async function chainBalances(context: WalletActionContext, addresses: readonly string[]) {
  const { balancesOf } = await import('./evm/wallet-balances.ts');
  return balancesOf(context, addresses);
}

/** Finds the wallet of an order, and checks the rest of it. @throws ApiError, Failure */
async function checkedOrder(
  context: WalletActionContext,
  { wallet: name, ...input }: Static<typeof orderAction.definition.input>,
): Promise<Order & { wallet: Awaited<ReturnType<typeof findWallet>> }> {
  const found = await findWallet(context, name);
  const { orderOf } = await import('./evm/wallet-order.ts');
  return { wallet: found, ...orderOf(context.policy, found.address, input) };
}
