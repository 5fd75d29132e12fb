import { commonErrors } from '../../http/errors.ts';
import type { RailContext } from './rail.ts';
import { chainBalances, checkOrder, type WalletOrder } from './wallet-orders.ts';

/**
 * Checks the order of a transfer from a wallet, before the administrator confirms it.
 * @returns the wallet with its balances, the receiver, and the contract of the token; null for the coin
 * @throws ApiError not_found, validation_error; invalid_state without a chain whose node responds
 */
export async function previewTransfer(context: RailContext, order: WalletOrder) {
  const { wallet, to, token } = await checkOrder(context, order);
  const { balances, problem } = await chainBalances(context, [wallet.address]);
  const [balance] = balances ?? [];
  if (balance === undefined) {
    throw commonErrors.invalid_state({ message: problem ?? 'The node of the chain did not respond.' });
  }
  return { wallet: { ...wallet, ...balance }, to, token };
}
