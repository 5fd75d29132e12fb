/** The kinds of owners of custodial wallets. */
export const WALLET_OWNERS = ['operator', 'agent'] as const;
export type WalletOwnerKind = (typeof WALLET_OWNERS)[number];
