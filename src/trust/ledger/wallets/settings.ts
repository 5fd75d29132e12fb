import { InvalidValue, integer, Setting, textMatching } from '../../../platform/config/setting.ts';

/** Every round asks all nodes. */
const MOST_NODES = 7;

/** Settings for the EVM chain of wallets and payouts. */
export const evmSettings = {
  rpcUrls: new Setting<readonly string[] | null>('evm.rpc_urls', {
    argument: '<urls>',
    description: `the JSON-RPC URLs of nodes of the chain, separated by commas, at most ${MOST_NODES}, each by another provider; more than half must agree. They often contain keys of providers`,
    fallback: null,
    secret: true,
    parse: rpcUrlsOf,
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
  maxTipGwei: integer('evm.max_tip_gwei', 1, 1_000_000, {
    description:
      'the most that a transaction offers as tip for a unit of gas, in gwei, within evm.max_fee_gwei',
    fallback: 3,
  }),
  maxGas: integer('evm.max_gas', 21_000, 30_000_000, {
    description:
      'the most gas of a transaction; a payout that needs more by the estimate waits for the administrator',
    fallback: 300_000,
  }),
};

function rpcUrlsOf(text: string): readonly string[] {
  const urls = text
    .split(',')
    .map((part) => part.trim())
    .map(rpcUrlOf);
  if (urls.length > MOST_NODES) throw new InvalidValue(`has more than ${MOST_NODES} URLs`);
  // A node that is listed twice would have two votes.
  if (new Set(urls.map((url) => new URL(url).href)).size < urls.length)
    throw new InvalidValue('has a URL twice');
  return urls;
}

function rpcUrlOf(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol) || url.hash !== '') {
    throw new InvalidValue('has a part that is not an http:// or https:// URL without fragment');
  }
  return text;
}
