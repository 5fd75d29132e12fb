import type { Hex } from 'viem';
import { isRecord, type Rpc, RpcError } from './json-rpc.ts';
import { addressOf } from './transactions.ts';
import { bytes, counted, hexOf, invalid, quantity, toQuantity } from './values.ts';

/** The longest block with its transactions. */
const MAX_BLOCK_BYTES = 16 << 20;
/** The topic of `Transfer(address,address,uint256)`. */
export const TRANSFER_TOPIC = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';

/** A block: a number, or the newest one, or the newest one with the transactions in the node's pool. */
export type BlockName = number | 'latest' | 'pending';

/** The newest block. */
export interface Head {
  number: number;
  /** In wei for a unit of gas; null for a chain without EIP-1559. */
  baseFee: bigint | null;
}

/** An event in a receipt. */
export interface EventLog {
  address: string;
  topics: readonly string[];
  data: string;
}

/** The receipt of a transaction that is in a block. */
export interface Receipt {
  blockNumber: number;
  blockHash: string;
  /** False if the transaction was reverted. */
  isSuccess: boolean;
  logs: readonly EventLog[];
}

/** A chain, as a node shows it. Every result is checked; the functions reject with RpcError. */
export type Chain = ReturnType<typeof chainOf>;

/** Returns the requests to a node. */
export function chainOf(rpc: Rpc) {
  const blockOf = (block: BlockName) => (typeof block === 'number' ? toQuantity(block) : block);
  const block = async (name: BlockName, isFull: boolean) => {
    const result = await rpc.request('eth_getBlockByNumber', [blockOf(name), isFull], MAX_BLOCK_BYTES);
    if (result !== null && !isRecord(result)) throw invalid('a block', 'is not an object');
    if (result !== null && typeof name === 'number' && counted(result.number, 'a block number') !== name)
      throw invalid('a block', 'has another number than requested');
    return result;
  };
  return {
    origin: rpc.origin,
    async chainId(): Promise<number> {
      return counted(await rpc.request('eth_chainId', []), 'the chain id');
    },
    async head(): Promise<Head> {
      const newest = await block('latest', false);
      if (newest === null) throw invalid('the newest block', 'is missing');
      const fee = newest.baseFeePerGas;
      return {
        number: counted(newest.number, 'a block number'),
        baseFee: fee === undefined || fee === null ? null : quantity(fee, 'the base fee'),
      };
    },
    /** Returns the tip that the node suggests; null if it has no such method. */
    async tip(): Promise<bigint | null> {
      try {
        return quantity(await rpc.request('eth_maxPriorityFeePerGas', []), 'the tip');
      } catch (error) {
        if (error instanceof RpcError && error.kind === 'refused') return null;
        throw error;
      }
    },
    /** Returns the hash of a block of the canonical chain; null if there is none yet. */
    async blockHash(number: number): Promise<string | null> {
      const requested = await block(number, false);
      return requested === null ? null : bytes(requested.hash, 'a block hash', 32);
    },
    /** Returns the number of an account's transactions until a block: its next nonce. */
    async nextNonce(address: string, name: BlockName): Promise<number> {
      return counted(await rpc.request('eth_getTransactionCount', [address, blockOf(name)]), 'a nonce');
    },
    /** Returns the coins of an account, in wei. */
    async coins(address: string): Promise<bigint> {
      return quantity(await rpc.request('eth_getBalance', [address, 'latest']), 'a balance');
    },
    async hasCode(address: string): Promise<boolean> {
      return bytes(await rpc.request('eth_getCode', [address, 'latest']), 'the code of the token') !== '0x';
    },
    async decimals(token: string): Promise<bigint> {
      return word(
        await rpc.request('eth_call', [{ to: token, data: '0x313ce567' }, 'latest']),
        'the decimals',
      );
    },
    /** Returns the tokens of an account in the token's smallest unit. */
    async tokens(token: string, address: string): Promise<bigint> {
      const data = `0x70a08231${addressWord(address)}`;
      return word(await rpc.request('eth_call', [{ to: token, data }, 'latest']), 'a token balance');
    },
    /** Returns what a call would return now. @throws RpcError with isRevert if the contract reverts it */
    async call(from: string, to: string, data: Hex): Promise<Hex> {
      return bytes(await rpc.request('eth_call', [{ from, to, data }, 'latest']), 'the result of a call');
    },
    /**
     * Returns the gas that a transaction would use.
     * @throws RpcError with isRevert if it would be reverted
     */
    async gas(from: string, to: string, data: Hex, value: bigint): Promise<bigint> {
      const transaction = { from, to, data, value: toQuantity(value) };
      return quantity(await rpc.request('eth_estimateGas', [transaction]), 'the gas');
    },
    /** Returns the receipt of a transaction; null while it is in no block. */
    async receipt(hash: string): Promise<Receipt | null> {
      const result = await rpc.request('eth_getTransactionReceipt', [hash]);
      if (result === null) return null;
      if (!isRecord(result)) throw invalid('a receipt', 'is not an object');
      if (bytes(result.transactionHash, 'a transaction hash', 32) !== hash)
        throw invalid('a receipt', 'is of another transaction');
      return {
        blockNumber: counted(result.blockNumber, 'a block number'),
        blockHash: bytes(result.blockHash, 'a block hash', 32),
        isSuccess: counted(result.status, 'the status of a receipt') === 1,
        logs: logsOf(result.logs),
      };
    },
    /** Returns the token's transfers from one account to another in a block. */
    async transfers(token: string, from: string, to: string, blockHash: string): Promise<TransferInBlock[]> {
      const topics = [TRANSFER_TOPIC, `0x${addressWord(from)}`, `0x${addressWord(to)}`];
      const result = await rpc.request('eth_getLogs', [{ blockHash, address: token, topics }]);
      if (!Array.isArray(result)) throw invalid('the logs of a block', 'are not a list');
      return result.map((log: unknown) => {
        if (!isRecord(log)) throw invalid('a log', 'is not an object');
        return { transactionHash: bytes(log.transactionHash, 'a transaction hash', 32) };
      });
    },
    /** Returns whether the node knows a transaction, in its pool or in a block. */
    async knows(hash: string): Promise<boolean> {
      return (await rpc.request('eth_getTransactionByHash', [hash])) !== null;
    },
    /** Sends a signed transaction. @throws RpcError, even if the node knows the transaction already */
    async send(raw: Hex): Promise<void> {
      await rpc.request('eth_sendRawTransaction', [raw]);
    },
    /** Returns an account's transactions in a block. */
    async transactionsOf(address: string, number: number): Promise<TransactionInBlock[]> {
      const full = await block(number, true);
      const all = full?.transactions;
      if (!Array.isArray(all)) throw invalid('a block', 'has no list of transactions');
      return all
        .filter((one: unknown) => isRecord(one))
        .filter((one) => String(one.from).toLowerCase() === address.toLowerCase())
        .map((one) => ({
          hash: bytes(one.hash, 'a transaction hash', 32),
          nonce: counted(one.nonce, 'a nonce'),
          to: typeof one.to === 'string' ? bytes(one.to, 'an address', 20) : null,
          input: bytes(one.input, 'the input of a transaction'),
          value: quantity(one.value, 'a value'),
          // Transactions of the first years of the chain have none.
          chainId: typeof one.chainId === 'string' ? counted(one.chainId, 'the chain id') : null,
        }));
    },
  };
}

/** A transaction of a block. */
interface TransactionInBlock {
  hash: Hex;
  nonce: number;
  /** null for one that makes a contract. */
  to: string | null;
  input: string;
  /** In wei. */
  value: bigint;
  chainId: number | null;
}

/** A transfer of tokens in a block. */
interface TransferInBlock {
  transactionHash: string;
}

function logsOf(value: unknown): EventLog[] {
  if (!Array.isArray(value)) throw invalid('a receipt', 'has no list of logs');
  return value.map((log: unknown) => {
    if (!isRecord(log) || !Array.isArray(log.topics)) throw invalid('a log', 'is not an object with topics');
    return {
      address: bytes(log.address, 'an address', 20),
      topics: log.topics.map((topic: unknown) => bytes(topic, 'a topic', 32)),
      data: bytes(log.data, 'the data of a log'),
    };
  });
}

/** Returns an address as a word of 32 bytes, without prefix. */
export function addressWord(address: string): string {
  return addressOf(address).slice(2).padStart(64, '0');
}

/** Returns a number of 256 bits that a contract returned. */
function word(value: unknown, label: string): bigint {
  return BigInt(hexOf(bytes(value, label, 32).slice(2)));
}
