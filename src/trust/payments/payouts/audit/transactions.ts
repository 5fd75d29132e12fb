import {
  TRANSACTION_PURPOSES,
  TRANSFER_ASSETS,
  TRANSFER_STATUSES,
} from '../../../../../db/trust/payouts-enums.ts';
import { checkedTable } from '../../../../platform/audit/counts.ts';
import {
  type AuditedTable,
  gaps,
  NOTHING,
  type RangeReport,
  type RowRange,
} from '../../../../platform/audit/table.ts';
import type { Snapshot } from '../../../../platform/store/transaction.ts';
import { bytesToHex } from '../../../../proof/encoding/hex.ts';
import type { Problem } from '../../../../proof/log/problem.ts';
import { eip55 } from '../../../ledger/wallets/address.ts';
import { walletByAddress } from '../../../ledger/wallets/wallets.ts';
import { openTransaction, transferInput, type Unsigned } from '../evm/chain/transactions.ts';
import { hexOf } from '../evm/chain/values.ts';
import type { TransferRow } from '../evm/transfers-store.ts';
import { unitsOfTransfer } from '../evm/units.ts';
import { restOf } from '../queue.ts';
import {
  newestPayoutTransaction,
  newestWalletTransaction,
  newestWalletTransfer,
  payoutNonceChecks,
  payoutTransactions,
  transferNonceChecks,
  type WalletTransactionRow,
  walletTransactions,
  walletTransfers,
} from './transactions-store.ts';

/** A difference: the problem and the two values. */
type Difference = [what: string, expected: string, found: string];

/** What is checked of the tables as a whole, after their rows. */
const payoutNonces = checkedTable('payout_transaction', payoutNonceChecks);
const transferNonces = checkedTable('wallet_transaction', transferNonceChecks);

/** The tables of signed transactions. The signed bytes prove the columns, so no chain is asked. */
export const auditedTransactions: readonly AuditedTable[] = [
  {
    name: 'payout_transaction',
    stage: 'rows',
    rows: {
      column: 'transaction_seq',
      counted: 'signed_transactions',
      inWords: 'signed transactions',
      cost: 20,
      examine: payoutsReport,
    },
    async begin(start) {
      const reach = (await newestPayoutTransaction(await start.snapshot)) ?? 0;
      return { ...(await payoutNonces.begin(start)), reach };
    },
  },
  {
    name: 'wallet_transfer',
    stage: 'rows',
    rows: {
      column: 'transfer_seq',
      counted: 'wallet_transfers',
      inWords: 'transfers from wallets',
      oneInWords: 'transfer from a wallet',
      cost: 1,
      examine: transfersReport,
    },
    begin: async ({ snapshot }) => ({ reach: (await newestWalletTransfer(await snapshot)) ?? 0 }),
  },
  {
    name: 'wallet_transaction',
    stage: 'rows',
    rows: {
      column: 'transaction_seq',
      counted: 'signed_transactions',
      inWords: 'signed transactions',
      cost: 20,
      examine: sentReport,
    },
    async begin(start) {
      const reach = (await newestWalletTransaction(await start.snapshot)) ?? 0;
      return { ...(await transferNonces.begin(start)), reach };
    },
  },
];

async function payoutsReport(snapshot: Snapshot, range: RowRange): Promise<RangeReport> {
  const rows = await payoutTransactions(snapshot, range);
  const checked = await Promise.all(
    rows.map(async ({ row, payout, cut }) => {
      const { transaction, differences } = await bytesOf(row);
      if (payout === null) differences.push(['its payout does not exist', 'a payout', `${row.payoutSeq}`]);
      else if (payout.rail !== 'evm')
        differences.push(['its payout is not of the rail evm', 'evm', `${payout.rail}`]);
      if (payout !== null && transaction !== null) {
        const { usdCents } = restOf({ payout, cut });
        const isRight = (units: bigint) => isWorth(units, usdCents);
        differences.push(...paid(transaction, payout.address, isRight, `${usdCents} US cents`));
      }
      return { seq: row.transactionSeq, differences };
    }),
  );
  return reportOf('payout_transaction', 'transaction_seq', checked, range);
}

async function sentReport(snapshot: Snapshot, range: RowRange): Promise<RangeReport> {
  const rows = await walletTransactions(snapshot, range);
  const checked = await Promise.all(
    rows.map(async ({ row, transfer }) => {
      const { transaction, differences } = await bytesOf(row);
      if (transfer === null)
        differences.push(['its transfer does not exist', 'a transfer', `${row.transferSeq}`]);
      else if (transaction !== null) differences.push(...sent(row, transaction, transfer));
      return { seq: row.transactionSeq, differences };
    }),
  );
  return reportOf('wallet_transaction', 'transaction_seq', checked, range);
}

async function transfersReport(snapshot: Snapshot, range: RowRange): Promise<RangeReport> {
  const checked: { seq: number; differences: Difference[] }[] = [];
  for (const { transfer, sends, transactions } of await walletTransfers(snapshot, range)) {
    const { address, toAddress, asset, requested, status } = transfer;
    const differences = [
      ...oneOf('status', status, TRANSFER_STATUSES),
      ...oneOf('asset', asset, TRANSFER_ASSETS),
    ];
    if ((await walletByAddress(snapshot, address)) === null)
      differences.push(['address is not a custodial wallet', 'a custodial wallet', address]);
    const receiver = eip55(toAddress.toLowerCase());
    if (receiver !== toAddress)
      differences.push(['to_address is not written by EIP-55', receiver ?? 'an address', toAddress]);
    if (!/^(?:all|[1-9][0-9]*)$/.test(requested))
      differences.push(['requested is no amount', 'decimal digits, or all', requested]);
    if (status !== 'open' && sends === 0)
      differences.push(['it has ended without a transaction that sent it', 'at least 1', '0']);
    if (status === 'open' && transactions === 0)
      differences.push(['it has no transaction', 'at least 1', '0']);
    checked.push({ seq: transfer.transferSeq, differences });
  }
  return reportOf('wallet_transfer', 'transfer_seq', checked, range);
}

/** Compares the columns of a row with its signed bytes. @returns the transaction; null for other bytes */
async function bytesOf(
  row: Omit<WalletTransactionRow, 'purpose' | 'transferSeq'>,
): Promise<{ transaction: Unsigned | null; differences: Difference[] }> {
  const opened = await openTransaction(hexOf(bytesToHex(row.rawTransaction)));
  if (opened === null) {
    const what = 'raw_transaction is not a signed transaction of EIP-1559';
    return { transaction: null, differences: [[what, 'a signed transaction', 'other bytes']] };
  }
  const { transaction, hash, sender } = opened;
  const differences = [
    ...different('tx_hash is not the hash of raw_transaction', hash.slice(2), row.txHash),
    ...different('sender is not the account that signed raw_transaction', sender, row.sender),
    ...different('chain_id is not that of raw_transaction', transaction.chainId, row.chainId),
    ...different('nonce is not that of raw_transaction', transaction.nonce, row.nonce),
  ];
  return { transaction, differences };
}

/** Returns how a transaction differs from a transfer of tokens. */
function paid(
  { value, data }: Unsigned,
  receiver: string,
  isRight: (units: bigint) => boolean,
  amount: string,
): Difference[] {
  const units = /^0xa9059cbb[0-9a-f]{128}$/.test(data) ? unitsOfTransfer(data) : null;
  if (units === null || value !== 0n)
    return [['raw_transaction is not a transfer of tokens', 'transfer(address,uint256)', data.slice(0, 10)]];
  if (eip55(receiver) === null || data !== transferInput(receiver, units))
    return [['raw_transaction pays another address', receiver, `0x${data.slice(34, 74)}`]];
  return isRight(units) ? [] : [['raw_transaction pays another amount', amount, `${units} units`]];
}

/** Returns how a transaction differs from the request of its transfer. */
function sent(
  { purpose, sender }: Pick<WalletTransactionRow, 'purpose' | 'sender'>,
  transaction: Unsigned,
  { address, toAddress, asset, requested }: TransferRow,
): Difference[] {
  const differences = oneOf('purpose', purpose, TRANSACTION_PURPOSES);
  if (purpose === 'gas') return [...differences, ...gave(transaction, address, () => true, 'coins for gas')];
  differences.push(...different('sender is not the wallet of its transfer', address, sender));
  const isRight = (units: bigint) => (requested === 'all' ? units > 0n : String(units) === requested);
  const check = asset === 'native' ? gave : paid;
  return [...differences, ...check(transaction, toAddress, isRight, requested)];
}

/** Returns how a transaction differs from a transfer of coins. */
function gave(
  { to, value, data }: Unsigned,
  receiver: string,
  isRight: (units: bigint) => boolean,
  amount: string,
): Difference[] {
  if (data !== '0x' || value <= 0n)
    return [['raw_transaction is not a transfer of coins', 'coins and no data', data.slice(0, 10)]];
  if (to.toLowerCase() !== receiver.toLowerCase())
    return [['raw_transaction pays another address', receiver, to]];
  return isRight(value) ? [] : [['raw_transaction pays another amount', amount, `${value} wei`]];
}

/** Returns whether an amount of tokens can be worth the cents. The decimals of the token are not stored. */
function isWorth(units: bigint, usdCents: number): boolean {
  const cents = BigInt(usdCents);
  return cents > 0n && units % cents === 0n && /^10*$/.test(String(units / cents));
}

function different(what: string, expected: string | number, found: string | number): Difference[] {
  return expected === found ? [] : [[what, String(expected), String(found)]];
}

function oneOf(column: string, found: string, allowed: readonly string[]): Difference[] {
  return allowed.includes(found) ? [] : [[`${column} is none of its values`, allowed.join(', '), found]];
}

function reportOf(
  table: string,
  column: string,
  rows: readonly { seq: number; differences: readonly Difference[] }[],
  range: RowRange,
): RangeReport {
  const numbers = rows.map(({ seq }) => seq);
  const problems: Problem[] = gaps(table, column, numbers, range);
  for (const { seq, differences } of rows) {
    for (const [what, expected, found] of differences)
      problems.push({ table, row: { [column]: seq }, what, expected, found });
  }
  return { ...NOTHING, problems, rows: rows.length };
}
