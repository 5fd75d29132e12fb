import type { MasterKey } from '../../../platform/crypto/master-key.ts';
import type { RailContext } from './rail.ts';
import { checkOrder, onChain, type WalletOrder } from './wallet-orders.ts';

/**
 * Sends tokens or coins from a custodial wallet, and waits for up to 20 seconds. A repeated call continues
 * the transfer, or returns how it ended.
 * @param order with whether the treasury sends coins that are missing for the fee, and what distinguishes
 * this transfer from an equal earlier one
 * @throws ApiError as checkOrder; invalid_state for what the wallet or the chain refuses
 */
export async function sendFromCustodialWallet(
  context: RailContext & { masterKey: MasterKey },
  {
    fund_gas: fundGas = false,
    reference,
    ...order
  }: WalletOrder & { fund_gas?: boolean; reference?: string },
) {
  const { wallet, to, asset, amount, decimals } = await checkOrder(context, order);
  const [{ sendFromWallet }, { decimalText }] = await Promise.all([
    import('./evm/send.ts'),
    import('./evm/units.ts'),
  ]);
  const transfer = await onChain(() =>
    sendFromWallet(context, {
      ...{ address: wallet.address, to, amount, asset, fundGas },
      ...(reference === undefined ? {} : { reference }),
    }),
  );
  return {
    status: transfer.status,
    from: wallet.address,
    to,
    asset,
    amount: transfer.amount === null ? null : decimalText(transfer.amount, decimals),
    transaction_hash: transfer.transactionHash,
    gas_transaction_hash: transfer.gasTransactionHash,
    replayed: transfer.isReplayed,
    detail: transfer.detail,
  };
}
