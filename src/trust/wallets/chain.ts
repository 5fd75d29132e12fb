import type { Hex } from './address.ts';

/** What an address has on the chain. */
export interface ChainBalance {
  /** Units of the token, of which 10^decimals are 1 US dollar. */
  token: bigint;
  /** Wei of the coin that fees are paid in. */
  coin: bigint;
}

/** What is to be sent from a custodial wallet. */
export interface WalletTransfer {
  /** The private key of the wallet. It must not be logged, stored, or be in an error. */
  key: Hex;
  from: Hex;
  to: Hex;
  asset: 'token' | 'coin';
  /** Units of the token, or wei. `all`: the whole balance, of the coin without the fee. */
  amount: bigint | 'all';
}

/** A transfer that the node accepted. It is not confirmed yet. */
export interface SentTransfer {
  hash: Hex;
  /** Units of the token, or wei. */
  amount: bigint;
}

/** What the commands on wallets need of the chain. The evm rail of payouts implements it, which stands above wallets. */
export interface WalletChain {
  /** @throws Failure if the node does not answer, or is of another chain */
  balanceOf(address: Hex): Promise<ChainBalance>;
  /** Signs a transfer and hands it to the node. @throws Failure if the wallet has too little, or the node refuses it */
  send(transfer: WalletTransfer): Promise<SentTransfer>;
}
