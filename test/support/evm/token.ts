import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseAbi } from 'viem';
import { sha256Hex } from '../../../src/platform/crypto/crypto.ts';

const SOURCE = join(import.meta.dir, 'test-token.sol');

/** The functions of the token of test-token.sol. */
export const testToken = parseAbi([
  'constructor(uint8 places)',
  'function mint(address to, uint256 value)',
  'function behave(uint8 next)',
  'function blockAddress(address account, bool blocked)',
  'function balanceOf(address) view returns (uint256)',
  'function transfer(address to, uint256 value) returns (bool)',
]);

/** What the token's transfers do, in the order of the contract. */
export const BEHAVIORS = ['pays', 'reverts', 'returns false', 'returns nothing', 'takes a fee'] as const;

/**
 * Returns the token's bytecode. The compiler takes two seconds, so that its result is stored for the tests
 * that follow.
 */
export async function tokenCode(): Promise<`0x${string}`> {
  const source = readFileSync(SOURCE, 'utf8');
  const { version } = await Bun.file(join(import.meta.dir, '../../../node_modules/solc/package.json')).json();
  const directory = join(tmpdir(), `countersign-test-token-${process.getuid?.() ?? 0}`);
  const stored = join(directory, `${sha256Hex(`${version} ${source}`)}.hex`);
  if (existsSync(stored)) return `0x${readFileSync(stored, 'utf8')}`;
  const code = await compiled(source);
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  writeFileSync(`${stored}.${process.pid}`, code);
  renameSync(`${stored}.${process.pid}`, stored);
  return `0x${code}`;
}

async function compiled(source: string): Promise<string> {
  const { default: solc } = await import('solc');
  const input = {
    language: 'Solidity',
    sources: { 'test-token.sol': { content: source } },
    settings: {
      optimizer: { enabled: true },
      outputSelection: { 'test-token.sol': { TestToken: ['evm.bytecode.object'] } },
    },
  };
  const output = JSON.parse(solc.compile(JSON.stringify(input)));
  const code: unknown = output.contracts?.['test-token.sol']?.TestToken?.evm?.bytecode?.object;
  if (typeof code !== 'string' || code === '') throw new Error(`solc: ${JSON.stringify(output.errors)}`);
  return code;
}
