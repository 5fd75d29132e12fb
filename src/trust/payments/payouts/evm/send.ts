import type { TransferAsset } from '../../../../../db/trust/payouts-enums.ts';
import type { MasterKey } from '../../../../platform/crypto/master-key.ts';
import type { Ids } from '../../../../platform/ids.ts';
import type { Store } from '../../../../platform/store/store.ts';
import type { Clock } from '../../../../platform/time/clock.ts';
import type { CreditsPolicy } from '../../../ledger/credits/settings.ts';
import { eip55 } from '../../../ledger/wallets/address.ts';
import type { WalletsPolicy } from '../../../ledger/wallets/evm-policy.ts';
import { walletKey } from '../../../ledger/wallets/keys.ts';
import { walletByAddress } from '../../../ledger/wallets/wallets.ts';
import type { OperatorsPolicy } from '../../../operators/settings.ts';
import type { PayoutsPolicy } from '../settings.ts';
import { agreedProgress } from './agreement.ts';
import { accountOf, readTransaction } from './chain/transactions.ts';
import type { ChainView } from './chain-view.ts';
import { RailProblem } from './errors.ts';
import { outcomeOf } from './receipts.ts';
import { add, costs, fundingOf, type TransferParts, unsignedTransfer } from './send-plan.ts';
import { Sending } from './sending.ts';
import { insertAttempt, type OwnedSlot, slotsOfTransfer } from './store.ts';
import {
  confirmedTransfer,
  endTransfer,
  isTransferOpen,
  openTransfer,
  type TransferRow,
} from './transfers-store.ts';
import { feeMarkets, type Treasury, treasuryOf } from './treasury.ts';
import { COIN_DECIMALS, decimalText, unitsOfTransfer } from './units.ts';

/** The longest wait of a call for a block: below the 30 seconds after which a command's connection ends. */
const WAIT_MS = 20_000;
const ASK_MS = 500;

/** An administrator's order to send from a custodial wallet. */
export interface WalletSend {
  /** The custodial wallet and the receiver. */
  address: string;
  to: string;
  /** In the smallest unit of the token or coin (wei); `all` for the whole balance, of coins less the gas. */
  amount: bigint | 'all';
  asset: TransferAsset;
  /** The treasury sends the wallet coins for gas if it has too few. */
  fundGas: boolean;
  /** Distinguishes this transfer from an equal earlier one, which would not be repeated without it. */
  reference?: string;
}

/** The state of a transfer from a custodial wallet. A repeated call continues it, or returns how it ended. */
export interface WalletSendResult {
  /** open: it is not final yet. failed: nothing was sent, and nothing will be. */
  status: 'open' | 'confirmed' | 'failed';
  /** The hash of the transfer's newest transaction, `0x…`; null before there is one. */
  transactionHash: string | null;
  /** The hash of the newest transaction that gives the wallet coins for gas; null for none. */
  gasTransactionHash: string | null;
  /** In the smallest unit; null before it is known. */
  amount: bigint | null;
  /** True for a transfer that had been confirmed before this call. */
  isReplayed: boolean;
  /** What it waits for, or why it failed; null for a confirmed one. */
  detail: string | null;
}

/** The parts of the service that sending uses. */
export type SendContext = {
  store: Store;
  clock: Clock;
  ids: Ids;
  policy: OperatorsPolicy & CreditsPolicy & WalletsPolicy & PayoutsPolicy;
} & {
  masterKey: MasterKey;
};

/**
 * Sends tokens or coins from a custodial wallet, and waits up to 20 seconds for a block. The transaction is
 * stored before it is broadcast, and a wallet has one open transfer at a time. So a repeated call continues
 * the transfer, even after a crash, and does not send again.
 * @throws RailProblem with the problem and what to do; RpcError
 */
export async function sendFromWallet(
  trust: SendContext,
  { address, to, amount, asset, fundGas, reference = '' }: WalletSend,
  { waitMs = WAIT_MS, askMs = ASK_MS }: { waitMs?: number; askMs?: number } = {},
): Promise<WalletSendResult> {
  const receiver = eip55(to);
  if (receiver === null)
    throw new RailProblem('request', `${to} is not an address, or its checksum is wrong (EIP-55).`);
  if (amount !== 'all' && amount <= 0n) throw new RailProblem('request', 'The amount must be above 0.');
  const treasury = await treasuryOf(trust);
  const stored = await trust.store.read((snapshot) => walletByAddress(snapshot, eip55(address) ?? address));
  if (stored === null)
    throw new RailProblem('request', `${address} is not a custodial wallet. See countersign wallets list.`);
  const wallet = await accountOf(walletKey(trust.masterKey, stored));
  const requested = {
    address: stored.address,
    toAddress: receiver,
    asset,
    requested: String(amount),
    reference,
  };
  const broadcasts = treasury.broadcastsOfWallets.get(stored.address) ?? new Map();
  treasury.broadcastsOfWallets.set(stored.address, broadcasts);
  const parts: TransferParts = {
    trust,
    treasury,
    wallet,
    sending: new Sending(wallet, treasury.caps, trust.clock, broadcasts),
    requested,
    fundGas,
  };
  const until = performance.now() + waitMs;
  for (;;) {
    const result = await treasury.mutex.run(() => step(parts));
    if (result.status !== 'open') treasury.broadcastsOfWallets.delete(stored.address);
    if (result.status !== 'open' || performance.now() >= until) return result;
    await Bun.sleep(askMs);
  }
}

/** Does one step of a transfer. */
async function step(parts: TransferParts): Promise<WalletSendResult> {
  const { trust, treasury, requested } = parts;
  const view = await treasury.look();
  const open = await trust.store.read((snapshot) => openTransfer(snapshot, requested.address));
  if (open === null) return begin(parts, view);
  const isSame = (['toAddress', 'asset', 'requested', 'reference'] as const).every(
    (name) => open[name] === requested[name],
  );
  if (!isSame) {
    throw new RailProblem(
      'request',
      `The wallet ${open.address} has an open transfer of ${amountText(open, treasury)} to ${open.toAddress}. Repeat its command until it has ended.`,
    );
  }
  return advance(parts, view, open);
}

/** Starts a transfer, or returns an equal one that was confirmed. */
async function begin(parts: TransferParts, view: ChainView): Promise<WalletSendResult> {
  const { trust, requested } = parts;
  const earlier = await trust.store.read((snapshot) => confirmedTransfer(snapshot, requested));
  if (earlier !== null && requested.requested !== 'all')
    return { ...(await resultOf(trust, earlier)), isReplayed: true };
  return sendNext(parts, view, null, true);
}

/** Continues an open transfer by the transactions that it has. */
async function advance(
  parts: TransferParts,
  view: ChainView,
  transfer: TransferRow,
): Promise<WalletSendResult> {
  const { trust, treasury } = parts;
  const slots = await trust.store.read((snapshot) => slotsOfTransfer(snapshot, transfer.transferSeq));
  if (slots.some(({ chainId }) => chainId !== treasury.policy.chainId)) {
    throw new RailProblem(
      'request',
      `The open transfer of the wallet ${transfer.address} is on another chain than evm.chain_id. Configure its chain again until it has ended.`,
    );
  }
  const send = slots.findLast(({ owner }) => 'purpose' in owner && owner.purpose === 'send');
  if (send !== undefined) return followSend(parts, view, transfer, send);
  const gas = slots.findLast(({ owner }) => 'purpose' in owner && owner.purpose === 'gas');
  if (gas === undefined) return sendNext(parts, view, transfer, true);
  const progress = await agreedProgress(view, gas);
  if (progress.is === 'waiting') {
    const problem = await push(trust, treasury.sending, view, gas);
    return openResult(trust, transfer, problem ?? 'The coins for gas wait for a block.');
  }
  if (progress.is === 'unclear')
    return openResult(trust, transfer, 'The node does not show the transaction of the coins for gas.');
  if (progress.is === 'disputed') return openResult(trust, transfer, disputed(progress.said));
  // Until the coins are final, no more are sent.
  return sendNext(parts, view, transfer, progress.is !== 'in-block');
}

/** Follows the transfer's own transaction. */
async function followSend(
  { trust, treasury, sending }: TransferParts,
  view: ChainView,
  transfer: TransferRow,
  slot: OwnedSlot,
): Promise<WalletSendResult> {
  const progress = await agreedProgress(view, slot);
  const { transferSeq } = transfer;
  const end = async (status: 'confirmed' | 'failed', lastError: string | null) => {
    await trust.store.writeAsService(async (tx) => {
      if (await isTransferOpen(tx, transferSeq))
        await endTransfer(tx, { transferSeq, status, lastError, updatedAt: trust.clock.now() });
    });
    return resultOf(trust, { ...transfer, status, lastError });
  };
  if (progress.is === 'waiting') {
    const problem = await push(trust, sending, view, slot);
    return openResult(trust, transfer, problem ?? 'The transfer waits for a block.');
  }
  if (progress.is === 'in-block') {
    const { confirmations } = treasury.policy;
    return openResult(
      trust,
      transfer,
      `The transfer is in a block, and final after ${confirmations} blocks.`,
    );
  }
  if (progress.is === 'unclear')
    return openResult(trust, transfer, 'The node does not show the transaction. Use a node with old blocks.');
  if (progress.is === 'disputed') return openResult(trust, transfer, disputed(progress.said));
  if (progress.is === 'lost') {
    return end(
      'failed',
      `Another transaction of the wallet, ${progress.to}, used the nonce. Repeat the command.`,
    );
  }
  const { attempt, receipt } = progress;
  if (transfer.asset === 'native') {
    return receipt.isSuccess
      ? end('confirmed', null)
      : end('failed', `The transaction ${attempt.hash} was reverted.`);
  }
  const { to: token, data } = await readTransaction(attempt.raw);
  const expected = { token, from: slot.sender, to: transfer.toAddress, units: unitsOfTransfer(data) };
  const isNothing = outcomeOf(receipt, expected) === 'nothing';
  return isNothing
    ? end('failed', `The transaction ${attempt.hash} transferred nothing.`)
    : end('confirmed', null);
}

/**
 * Signs the transfer; if coins for its gas are missing, lets the treasury send them first.
 * @param mayFund whether no earlier coins for gas can still arrive
 */
async function sendNext(
  parts: TransferParts,
  view: ChainView,
  transfer: TransferRow | null,
  mayFund: boolean,
): Promise<WalletSendResult> {
  const { trust, treasury, sending } = parts;
  const unsigned = await unsignedTransfer(parts, view);
  const { missing, problem } = await costs(parts, view, unsigned);
  if (missing <= 0n) {
    const added = await sending.signed(unsigned);
    const row = await add(parts, transfer, 'send', added);
    return openResult(trust, row, (await sending.give(view, added.attempt)) ?? 'The transfer was sent.');
  }
  if (transfer !== null && !mayFund)
    return openResult(
      trust,
      transfer,
      'The coins for gas do not suffice yet. More can be sent when they are final.',
    );
  if (problem !== null) {
    if (transfer !== null) return openResult(trust, transfer, problem);
    throw new RailProblem('funds', problem);
  }
  const funding = await treasury.sending.signed(await fundingOf(parts, view, unsigned, missing));
  const row = await add(parts, transfer, 'gas', funding);
  const refused = await treasury.sending.give(view, funding.attempt);
  return openResult(trust, row, refused ?? 'The treasury sent coins for gas.');
}

/** Keeps a waiting transaction of an open transfer in the node's pool. */
async function push(
  { store }: Pick<SendContext, 'store'>,
  sending: Sending,
  view: ChainView,
  slot: OwnedSlot,
): Promise<string | null> {
  return sending.push(view, [slot], await feeMarkets(view), (waiting, replacement) =>
    store.writeAsService(async (tx) => {
      if (!('transferSeq' in waiting.owner) || !(await isTransferOpen(tx, waiting.owner.transferSeq)))
        return false;
      await insertAttempt(tx, waiting.owner, replacement);
      return true;
    }),
  );
}

function disputed(said: string): string {
  return `The nodes of the chain disagree: ${said}. Find out which is right, and remove the others from evm.rpc_urls.`;
}

async function openResult(
  trust: Pick<SendContext, 'store'>,
  transfer: TransferRow,
  detail: string,
): Promise<WalletSendResult> {
  return { ...(await resultOf(trust, transfer)), detail };
}

/** Returns a transfer with its newest transactions. */
async function resultOf(
  { store }: Pick<SendContext, 'store'>,
  { transferSeq, status, asset, lastError }: TransferRow,
): Promise<WalletSendResult> {
  const slots = await store.read((snapshot) => slotsOfTransfer(snapshot, transferSeq));
  const newestOf = (purpose: string) =>
    slots.findLast(({ owner }) => 'purpose' in owner && owner.purpose === purpose)?.attempts.at(-1);
  const sent = newestOf('send');
  const transaction = sent === undefined ? null : await readTransaction(sent.raw);
  const amount =
    transaction === null ? null : asset === 'native' ? transaction.value : unitsOfTransfer(transaction.data);
  return {
    status,
    transactionHash: sent?.hash ?? null,
    gasTransactionHash: newestOf('gas')?.hash ?? null,
    amount,
    isReplayed: false,
    detail: lastError,
  };
}

function amountText({ asset, requested }: TransferRow, { policy }: Treasury): string {
  if (requested === 'all') return asset === 'native' ? 'all coins' : 'all tokens';
  return asset === 'native'
    ? `${decimalText(BigInt(requested), COIN_DECIMALS)} coins`
    : `${decimalText(BigInt(requested), policy.tokenDecimals)} tokens`;
}
