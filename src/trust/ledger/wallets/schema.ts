import { type Static, Type } from '@sinclair/typebox';
import { dateTime, named, strictObject } from '../../../platform/http/schema.ts';

/** The address and the chain of a wallet, in responses. */
export const walletAddressFields = {
  address: Type.String({
    pattern: '^0x[0-9a-fA-F]{40}$',
    description: 'The EVM address, in the mixed case of EIP-55.',
    examples: ['0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'],
  }),
  chain: Type.String({
    description:
      'The chain by CAIP-2: `eip155:` and the chain id. `eip155` if no chain is configured: the address is the same on every EVM chain.',
    examples: ['eip155:8453'],
  }),
};

export const AccountWalletResponse = named(
  'AccountWallet',
  strictObject({
    operator_id: Type.String({ description: 'Your operator.' }),
    ...walletAddressFields,
    created_at: dateTime('The time of the first touch.'),
  }),
);

export type AccountWalletResponse = Static<typeof AccountWalletResponse>;
