import { InvalidValue, integer, Setting, textMatching } from '../../../platform/config/setting.ts';

/** Settings for the EVM chain of wallets and payouts. */
export const evmSettings = {
  rpcUrl: new Setting<string | null>('evm.rpc_url', {
    argument: '<url>',
    description: 'the JSON-RPC URL of a node of the chain, which often contains a key of its provider',
    fallback: null,
    secret: true,
    parse: rpcUrlOf,
  }),
  chainId: integer<null>('evm.chain_id', 1, Number.MAX_SAFE_INTEGER, {
    description: 'the id of the chain; the service checks that the node is of this chain',
    fallback: null,
  }),
  token: textMatching<null>('evm.token', /^0x[0-9a-fA-F]{40}$/, 'is not 0x and 40 hexadecimal digits', {
    argument: '<address>',
    description: 'the contract of the token (ERC-20) that payouts are paid in, a stablecoin of 1 US dollar',
    fallback: null,
  }),
  treasuryKey: textMatching<null>(
    'evm.treasury_key',
    /^0x[0-9a-fA-F]{64}$/,
    'is not 0x and 64 hexadecimal digits',
    {
      description: 'the private key of the account that payouts are paid from',
      fallback: null,
      secret: true,
    },
  ),
  confirmations: integer('evm.confirmations', 1, 10_000, {
    description:
      'blocks after which the transaction of a payout is final, including the one that contains it',
    fallback: 12,
  }),
  tokenDecimals: integer('evm.token_decimals', 2, 36, {
    description: 'decimals of the token; the service checks that its contract has the same',
    fallback: 6,
  }),
  maxFeeGwei: integer('evm.max_fee_gwei', 1, 1_000_000, {
    description:
      'the most that a transaction offers for a unit of gas, in gwei; while the chain asks for more, payouts wait',
    fallback: 500,
  }),
};

function rpcUrlOf(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol) || url.hash !== '') {
    throw new InvalidValue('is not an http:// or https:// URL without fragment');
  }
  return text;
}
