import type { TransactionPurpose } from '../../../../../db/trust/payouts-enums.ts';
import type { Store } from '../../../../platform/store/store.ts';
import type { Clock } from '../../../../platform/time/clock.ts';
import type { ChainAccount, Unsigned } from './chain/transactions.ts';
import { transferInput } from './chain/transactions.ts';
import type { ChainView } from './chain-view.ts';
import { RailProblem } from './errors.ts';
import { type Fees, newFees } from './fees.ts';
import { liveSlotsFrom } from './live-slots.ts';
import { freeNonces } from './nonces.ts';
import { type Caps, costOf, gasLimit, gasProblem, type Sending, tryTransfer } from './sending.ts';
import { insertAttempt, type NewAttempt } from './store.ts';
import { insertTransfer, type RequestedTransfer, type TransferRow } from './transfers-store.ts';
import { feeMarkets, type Treasury } from './treasury.ts';
import { COIN_DECIMALS, decimalText } from './units.ts';

/** The reserve that the treasury sends with the gas, in percent: fees may rise before the transfer. */
const GAS_MARGIN_PERCENT = 50n;

/** The parts with which a transfer from a custodial wallet is sent. */
export interface TransferParts {
  trust: { store: Store; clock: Clock };
  treasury: Treasury;
  wallet: ChainAccount;
  /** Signs for the wallet. */
  sending: Sending;
  requested: RequestedTransfer;
  /** Whether the treasury may send coins for gas. */
  fundGas: boolean;
}

/**
 * Returns the transfer that was requested, not signed.
 * @throws RailProblem if it cannot be sent; RpcError
 */
export async function unsignedTransfer(parts: TransferParts, view: ChainView): Promise<Unsigned> {
  const { treasury, wallet, requested } = parts;
  const { policy } = treasury;
  const { chain } = view;
  const fees = await currentFees(treasury, view);
  const common = { ...fees, chainId: policy.chainId, nonce: await freeNonce(parts, view, wallet.address) };
  const { toAddress, asset, requested: amount } = requested;
  if (asset === 'native') {
    const coins = await chain.coins(wallet.address);
    const gas = await gasOf(view, treasury.caps, wallet.address, toAddress);
    const value = amount === 'all' ? coins - gas * fees.maxFeePerGas : BigInt(amount);
    if (value <= 0n)
      throw new RailProblem(
        'funds',
        `The wallet ${wallet.address} has no coins beyond the gas of a transfer.`,
      );
    return { ...common, to: toAddress, value, data: '0x', gas };
  }
  const balance = await chain.tokens(policy.token, wallet.address);
  const units = amount === 'all' ? balance : BigInt(amount);
  if (balance === 0n || units > balance) {
    const has = decimalText(balance, policy.tokenDecimals);
    const requestedText = amount === 'all' ? '' : `, fewer than ${decimalText(units, policy.tokenDecimals)}`;
    throw new RailProblem('funds', `The wallet ${wallet.address} has ${has} tokens${requestedText}.`);
  }
  const data = transferInput(toAddress, units);
  const trial = await tryTransfer(chain, wallet.address, policy.token, data);
  if (trial.problem !== null) throw new RailProblem('token', trial.problem);
  return { ...common, to: policy.token, value: 0n, data, gas: checkedLimit(trial.gas, treasury.caps) };
}

/** Returns how many wei a wallet is missing, and why the treasury cannot send them; null if it can. */
export async function costs(
  { wallet, fundGas }: TransferParts,
  { chain }: ChainView,
  unsigned: Unsigned,
): Promise<{ missing: bigint; problem: string | null }> {
  const coins = await chain.coins(wallet.address);
  const missing = costOf(unsigned) - coins;
  if (missing <= 0n) return { missing, problem: null };
  const isAmountMissing = coins < unsigned.value;
  const problem = isAmountMissing
    ? `The wallet ${wallet.address} has ${decimalText(coins, COIN_DECIMALS)} coins, fewer than the amount.`
    : fundGas
      ? null
      : `The wallet ${wallet.address} has too few coins for gas: ${decimalText(missing, COIN_DECIMALS)} are missing. Pass --fund-gas, so that the treasury sends them.`;
  return { missing, problem };
}

/**
 * Returns the transaction by which the treasury sends coins for gas.
 * @throws RailProblem if it has too few; RpcError
 */
export async function fundingOf(
  parts: TransferParts,
  view: ChainView,
  unsigned: Unsigned,
  missing: bigint,
): Promise<Unsigned> {
  const { treasury, wallet } = parts;
  const { account, policy } = treasury;
  const fees = await currentFees(treasury, view);
  const value = missing + (unsigned.gas * unsigned.maxFeePerGas * GAS_MARGIN_PERCENT) / 100n;
  const funding = {
    ...fees,
    chainId: policy.chainId,
    nonce: await freeNonce(parts, view, account.address),
    to: wallet.address,
    value,
    data: '0x' as const,
    gas: await gasOf(view, treasury.caps, account.address, wallet.address),
  };
  const coins = await view.chain.coins(account.address);
  if (costOf(funding) <= coins) return funding;
  throw new RailProblem(
    'funds',
    `The treasury ${account.address} has ${decimalText(coins, COIN_DECIMALS)} coins, and needs ${decimalText(costOf(funding), COIN_DECIMALS)} for the gas of the transfer. Send it coins of the chain ${policy.chainId}.`,
  );
}

/**
 * Stores a signed transaction, and the transfer with its first one. Rejects with DuplicateRow if the wallet
 * has another open transfer.
 */
export function add(
  { trust, requested }: TransferParts,
  transfer: TransferRow | null,
  purpose: TransactionPurpose,
  added: NewAttempt,
): Promise<TransferRow> {
  const { store, clock } = trust;
  return store.writeAsService(async (tx) => {
    const now = clock.now();
    const row = transfer ?? (await insertTransfer(tx, { ...requested, createdAt: now, updatedAt: now }));
    await insertAttempt(tx, { transferSeq: row.transferSeq, purpose }, added);
    return row;
  });
}

async function currentFees({ caps }: Treasury, view: ChainView): Promise<Fees> {
  const fees = newFees((await feeMarkets(view)).lowest, caps);
  if (fees !== null) return fees;
  throw new RailProblem('fees', 'The chain asks for more than evm.max_fee_gwei. Raise it, or wait.');
}

/** Returns the gas of a transfer of coins. A receiver with code may use more than the usual amount. */
async function gasOf({ chain }: ChainView, caps: Caps, from: string, to: string): Promise<bigint> {
  const gas = await chain.reached((one) => one.gas(from, to, '0x', 0n));
  const limit = checkedLimit(gas, caps);
  return (await chain.hasCode(to)) ? limit : gas;
}

/** Returns the limit of gas for an estimate. @throws RailProblem for more than the cap */
function checkedLimit(estimate: bigint, { gas: cap }: Caps): bigint {
  const problem = gasProblem(estimate, cap);
  if (problem !== null) throw new RailProblem('gas', `${problem} Raise it if you trust the receiver.`);
  return gasLimit(estimate, cap);
}

async function freeNonce(
  { trust, treasury }: TransferParts,
  view: ChainView,
  sender: string,
): Promise<number> {
  const { chainId } = treasury.policy;
  const [latest, pending] = await Promise.all([
    view.latestNonce(sender),
    view.chain.nextNonce(sender, 'pending'),
  ]);
  const slots = await trust.store.read((snapshot) => liveSlotsFrom(snapshot, { chainId, sender }, latest));
  const [nonce] = freeNonces({ latest, pending, used: new Set(slots.map((slot) => slot.nonce)) }, 1);
  if (nonce === undefined) throw new Error('no nonce is free');
  return nonce;
}
