import type { TransferAsset } from '../../../../../db/trust/payouts-enums.ts';
import { commonErrors } from '../../../http/errors.ts';
import { eip55, type Hex } from '../../../ledger/wallets/address.ts';
import type { WalletsPolicy } from '../../../ledger/wallets/evm-policy.ts';
import { COIN_DECIMALS, unitsOfText } from './units.ts';

/** An administrator's order, as text. */
export interface OrderText {
  to: string;
  /** Decimal text, or `all`. */
  amount: string;
  asset: TransferAsset;
}

/** A checked order. */
export interface Order {
  to: Hex;
  asset: TransferAsset;
  /** In the smallest unit of the asset. */
  amount: bigint | 'all';
  decimals: number;
  /** The contract of the token; null for the coin of the chain. */
  token: Hex | null;
}

/**
 * Checks an order to send from a wallet, without asking the chain.
 * @param from the address of the wallet
 * @throws ApiError invalid_state while no chain is configured; validation_error
 */
export function orderOf(
  { evm }: WalletsPolicy,
  from: string,
  { to: receiver, amount: text, asset }: OrderText,
): Order {
  if (evm === null) {
    throw commonErrors.invalid_state({
      message:
        'No chain is configured, so nothing can be sent. Set evm.rpc_urls, evm.chain_id, evm.token and evm.treasury_key; see docs/payout-rails.md.',
    });
  }
  const to = eip55(receiver);
  const decimals = asset === 'token' ? evm.tokenDecimals : COIN_DECIMALS;
  const amount = text === 'all' ? 'all' : unitsOfText(text, decimals);
  const issues: Record<string, string[]> = {};
  const toProblem = receiverProblem(to, from, evm.token);
  if (toProblem !== null) issues.to = [toProblem];
  if (amount === null) {
    issues.amount = [`must be all, or a number above 0 with at most ${decimals} decimals, such as 12.5`];
  }
  if (to === null || amount === null || toProblem !== null) throw commonErrors.validation_error({ issues });
  return { to, asset, amount, decimals, token: asset === 'token' ? evm.token : null };
}

/** Returns the problem of a receiver that could never send the amount back; null for a usable receiver. */
function receiverProblem(to: Hex | null, from: string, token: Hex): string | null {
  if (to === null) return 'is not an address, or its checksum (EIP-55) is wrong';
  if (to === from) return 'is the wallet itself';
  if (to === token) return 'is the contract of the token, from which nobody could send it on';
  return /^0x0+$/.test(to) ? 'is the zero address, from which nobody could send it on' : null;
}
