import type { TransferAsset } from '../../../../db/trust/payouts-enums.ts';
import { commonErrors } from '../../http/errors.ts';
import { findWallet } from '../../ledger/wallets/find.ts';
import type { WalletView } from '../../ledger/wallets/wallet-view.ts';
import type { Balances } from './evm/wallet-balances.ts';
import type { Order } from './evm/wallet-order.ts';
import { type RailContext, RailUnavailable } from './rail.ts';

/** An administrator's order to send from a wallet, as text. */
export interface WalletOrder {
  /** An operator_id, a subject commitment or the address of a wallet. */
  wallet: string;
  to: string;
  /** Decimal text, or `all`. */
  amount: string;
  asset: TransferAsset;
}

/**
 * Finds the wallet of an order, and checks the order.
 * @throws ApiError not_found, validation_error; invalid_state while no chain is configured
 */
export async function checkOrder(
  context: RailContext,
  { wallet: name, ...order }: WalletOrder,
): Promise<Order & { wallet: WalletView }> {
  const wallet = await findWallet(context, name);
  // Loaded here: a service without payouts on a chain never needs it.
  const { orderOf } = await import('./evm/wallet-order.ts');
  return { wallet, ...orderOf(context.policy, wallet.address, order) };
}

/**
 * Runs `act`, which needs the configured chain.
 * @throws ApiError invalid_state for a problem of the chain, its node or the wallet; any error of `act`
 */
export async function onChain<Result>(act: () => Promise<Result>): Promise<Result> {
  try {
    return await act();
  } catch (error) {
    if (error instanceof RailUnavailable) throw commonErrors.invalid_state({ message: error.message });
    throw error;
  }
}

/** Returns the balances of addresses on the configured chain. */
export async function chainBalances(context: RailContext, addresses: readonly string[]): Promise<Balances> {
  const { balancesOf } = await import('./evm/wallet-balances.ts');
  return balancesOf(context, addresses);
}
