import type { Config } from '../../../platform/config/setting.ts';
import { Failure } from '../../../platform/failure.ts';
import { eip55, type Hex } from './address.ts';
import { isPrivateKey } from './keys.ts';
import { evmSettings } from './settings.ts';

/** The chain that payouts are paid on. */
export interface EvmPolicy {
  /** The nodes of the chain, of which more than half must agree; at least one. */
  rpcUrls: readonly string[];
  chainId: number;
  /** The contract of the token, in the mixed case of EIP-55. */
  token: Hex;
  /** Returns the private key of the treasury. A function, so that no object that is printed shows it. */
  treasuryKey(): Hex;
  /** The number of blocks after which a transaction is final, including the one that contains it. */
  confirmations: number;
  tokenDecimals: number;
  /** The most that a transaction offers for a unit of gas. */
  maxFeeGwei: number;
  /** The most of it that goes to who makes the block. */
  maxTipGwei: number;
  /** The most gas of a transaction. */
  maxGas: number;
}

/** The settings of wallets in the units of the code. */
export interface WalletsPolicy {
  /** The chain of wallets and payouts; null if none is configured. */
  evm: EvmPolicy | null;
}

const { rpcUrls, chainId, token, treasuryKey } = evmSettings;
const { confirmations, tokenDecimals, maxFeeGwei, maxTipGwei, maxGas } = evmSettings;

/**
 * Returns the chain from the settings; null if none is configured.
 * @throws Failure (exit code 2) if one of its settings is missing or invalid
 */
export function evmPolicyOf(config: Config): EvmPolicy | null {
  const parts = {
    rpcUrls: rpcUrls.in(config),
    chainId: chainId.in(config),
    token: token.in(config),
    treasuryKey: treasuryKey.in(config),
  };
  const needed = [rpcUrls, chainId, token, treasuryKey];
  const missing = needed.filter((setting) => setting.in(config) === null).map(({ key }) => key);
  if (missing.length === needed.length) return null;
  if (
    parts.rpcUrls === null ||
    parts.chainId === null ||
    parts.token === null ||
    parts.treasuryKey === null
  ) {
    throw new Failure(
      `a chain is configured, but ${missing.join(' and ')} ${missing.length > 1 ? 'are' : 'is'} missing`,
      `set ${needed.map(({ key }) => key).join(', ')}, or none of them`,
      2,
    );
  }
  const contract = eip55(parts.token);
  if (contract === null) {
    throw new Failure(
      `${token.key} has a wrong checksum (EIP-55)`,
      'copy the address again; in lower case only, it is not checked',
      2,
    );
  }
  const key = parts.treasuryKey.toLowerCase();
  if (!isPrivateKey(key)) {
    throw new Failure(`${treasuryKey.key} is not a private key of secp256k1`, 'docs/payout-rails.md', 2);
  }
  return {
    rpcUrls: parts.rpcUrls,
    chainId: parts.chainId,
    token: contract,
    treasuryKey: () => key,
    confirmations: confirmations.in(config),
    tokenDecimals: tokenDecimals.in(config),
    maxFeeGwei: maxFeeGwei.in(config),
    maxTipGwei: maxTipGwei.in(config),
    maxGas: maxGas.in(config),
  };
}
