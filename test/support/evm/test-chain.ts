import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Address, encodeDeployData, encodeFunctionData, type Hex } from 'viem';
import { BEHAVIORS, testToken, tokenCode } from './token.ts';

const ROOT = join(import.meta.dir, '../../..');
const CLI = join(ROOT, 'node_modules/hardhat/internal/cli/cli.js');
const CONFIG = join(import.meta.dir, 'hardhat.config.cjs');
const START_LIMIT_MS = 60_000;

/** The id of every test chain. */
export const CHAIN_ID = 31337;
/** A treasury. Hardhat publishes this key; it has coins on every test chain. */
export const TREASURY = {
  address: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
  key: '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80',
} as const;
/** Who deploys and controls the tokens. */
const DEPLOYER = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';

const running = new Set<() => void>();
process.on('exit', () => {
  for (const kill of running) kill();
});

export type TestChain = Awaited<ReturnType<typeof startChain>>;

/**
 * Starts a Hardhat node on a free loopback port. It loads nothing from the network and reports nothing: it
 * has no compiler, and its home directory is temporary.
 */
export async function startChain() {
  const home = mkdtempSync(join(tmpdir(), 'countersign-chain-'));
  const child = Bun.spawn(
    [process.execPath, CLI, ...['--config', CONFIG, 'node', '--hostname', '127.0.0.1', '--port', '0']],
    {
      cwd: ROOT,
      env: {
        PATH: process.env.PATH ?? '',
        HOME: home,
        HARDHAT_DISABLE_TELEMETRY_PROMPT: 'true',
        NO_COLOR: '1',
        CI: 'true',
      },
      stdin: 'ignore',
      stdout: 'pipe',
      stderr: 'inherit',
    },
  );
  const kill = () => child.kill('SIGKILL');
  running.add(kill);
  const url = await addressFrom(child.stdout, kill);
  let lastId = 0;

  async function rpc<Result = Hex>(method: string, params: readonly unknown[] = []): Promise<Result> {
    lastId += 1;
    const body = JSON.stringify({ jsonrpc: '2.0', id: lastId, method, params });
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    });
    const answer: { result: Result; error?: { message: string } } = JSON.parse(await response.text());
    if (answer.error !== undefined) throw new Error(`${method}: ${answer.error.message}`);
    return answer.result;
  }

  /**
   * Sends a transaction of an account that the node signs for. It is mined before others, with the next
   * block.
   */
  async function submit(transaction: {
    from?: string;
    to?: string;
    data?: Hex;
    value?: Hex;
    nonce?: Hex;
  }): Promise<Hex> {
    const fees = { maxPriorityFeePerGas: gwei(50n), maxFeePerGas: gwei(1000n) };
    return rpc('eth_sendTransaction', [{ from: DEPLOYER, ...fees, ...transaction }]);
  }

  /** Like `submit`, and mines a block. */
  async function send(transaction: Parameters<typeof submit>[0]): Promise<Hex> {
    const hash = await submit(transaction);
    if (!(await rpc<boolean>('hardhat_getAutomine'))) await rpc('hardhat_mine', ['0x1']);
    return hash;
  }

  return {
    url,
    /** The same node by several URLs, which count as so many nodes. */
    nodes: (count: number) => Array.from({ length: count }, (_, index) => ({ url: `${url}/${index + 1}` })),
    rpc,
    submit,
    send,
    /** Deploys a token with an amount for the treasury, in its smallest unit. @returns its address */
    async deploy(units: bigint, decimals = 6): Promise<Address> {
      const data = encodeDeployData({ abi: testToken, bytecode: await tokenCode(), args: [decimals] });
      const hash = await send({ data });
      const { contractAddress } = await rpc<{ contractAddress: Address }>('eth_getTransactionReceipt', [
        hash,
      ]);
      await this.mint(contractAddress, TREASURY.address, units);
      return contractAddress;
    },
    async mint(token: Address, to: Address, units: bigint): Promise<void> {
      if (units === 0n) return;
      await send({
        to: token,
        data: encodeFunctionData({ abi: testToken, functionName: 'mint', args: [to, units] }),
      });
    },
    /** Sets what the token's transfers do, from the beginning of the next block on. */
    async behave(token: Address, behavior: (typeof BEHAVIORS)[number]): Promise<void> {
      const args = [BEHAVIORS.indexOf(behavior)] as const;
      await submit({ to: token, data: encodeFunctionData({ abi: testToken, functionName: 'behave', args }) });
    },
    async block(token: Address, account: Address, isBlocked: boolean): Promise<void> {
      const args = [account, isBlocked] as const;
      await send({
        to: token,
        data: encodeFunctionData({ abi: testToken, functionName: 'blockAddress', args }),
      });
    },
    async tokens(token: string, account: string): Promise<bigint> {
      const args = [address(account)] as const;
      const data = encodeFunctionData({ abi: testToken, functionName: 'balanceOf', args });
      return BigInt(await rpc('eth_call', [{ to: token, data }, 'latest']));
    },
    async coins(account: string): Promise<bigint> {
      return BigInt(await rpc('eth_getBalance', [account, 'latest']));
    },
    setCoins: (account: string, wei: bigint) => rpc('hardhat_setBalance', [account, `0x${wei.toString(16)}`]),
    /** Mines blocks with the waiting transactions. */
    mine: (blocks = 1) => rpc('hardhat_mine', [`0x${blocks.toString(16)}`]),
    /** Whether each transaction is mined at once. */
    automine: (isAutomatic: boolean) => rpc('evm_setAutomine', [isAutomatic]),
    /** Removes a waiting transaction from the node's pool. */
    drop: (hash: string) => rpc<boolean>('hardhat_dropTransaction', [hash]),
    snapshot: () => rpc('evm_snapshot'),
    /**
     * Replaces all blocks since a snapshot, as a reorganization of the chain does. Their transactions are
     * lost.
     */
    revert: (snapshot: string) => rpc<boolean>('evm_revert', [snapshot]),
    async blockNumber(): Promise<number> {
      return Number(await rpc('eth_blockNumber'));
    },
    async nonce(account: string, block = 'latest'): Promise<number> {
      return Number(await rpc('eth_getTransactionCount', [account, block]));
    },
    async stop(): Promise<void> {
      kill();
      await child.exited;
      running.delete(kill);
      rmSync(home, { recursive: true, force: true });
    },
  };
}

function gwei(amount: bigint): Hex {
  return `0x${(amount * 10n ** 9n).toString(16)}`;
}

function address(text: string): Address {
  return `0x${text.slice(2)}`;
}

/** Reads the node's address from its output, and then the rest, so that a full pipe never blocks it. */
async function addressFrom(output: ReadableStream<Uint8Array>, kill: () => void): Promise<string> {
  const reader = output.getReader();
  const decoder = new TextDecoder();
  const late = setTimeout(kill, START_LIMIT_MS);
  let text = '';
  for (;;) {
    const { value, done } = await reader.read();
    if (done) throw new Error(`the chain did not start: ${text}`);
    text += decoder.decode(value, { stream: true });
    const found = /server at (http:\/\/127\.0\.0\.1:\d+)/.exec(text)?.[1];
    if (found === undefined) continue;
    clearTimeout(late);
    void (async () => {
      while (!(await reader.read()).done);
    })();
    return found;
  }
}
