import {
  type AuditedTable,
  gaps,
  NOTHING,
  type RangeReport,
  type RowRange,
  type WholeReport,
} from '../../../platform/audit/table.ts';
import { hasMasterKey, type MasterKey, openMasterKey } from '../../../platform/crypto/master-key.ts';
import { Failure } from '../../../platform/failure.ts';
import type { Snapshot } from '../../../platform/store/transaction.ts';
import type { Problem } from '../../../proof/log/problem.ts';
import { eip55 } from './address.ts';
import { newestWallet, walletsBetween } from './audit/store.ts';
import { addressOfKey, walletKey } from './keys.ts';
import type { WalletRow } from './store.ts';

/** Checks that each wallet's owner exists, and that its key has its address. No problem shows a key. */
const wallets: AuditedTable = {
  name: 'custodial_wallet',
  stage: 'rows',
  rows: {
    column: 'wallet_seq',
    counted: 'wallets',
    cost: 20,
    examine: walletsReport,
  },
  async begin({ directory, snapshot }) {
    const reach = (await newestWallet(await snapshot)) ?? 0;
    return { reach, whole: async () => masterKeyReport(directory, reach) };
  },
};

/** The tables of wallets that fsck audits. */
export const audited = [wallets];

/** Reports a missing master key once, not for each wallet. */
function masterKeyReport(directory: string, reach: number): WholeReport {
  if (reach === 0 || hasMasterKey(directory)) return { problems: [] };
  const what = 'the master key keys/master.key is missing, so nobody can send what the wallets hold';
  return { problems: [{ table: 'custodial_wallet', row: {}, what }] };
}

async function walletsReport(snapshot: Snapshot, range: RowRange, directory: string): Promise<RangeReport> {
  const rows = await walletsBetween(snapshot, range);
  const numbers = rows.map(({ wallet }) => wallet.walletSeq);
  const problems = gaps('custodial_wallet', 'wallet_seq', numbers, range);
  const masterKey = hasMasterKey(directory) ? openMasterKey(directory, true) : null;
  for (const { wallet, hasOwner } of rows) {
    const problem = (what: string, values: Partial<Problem> = {}): Problem => ({
      table: 'custodial_wallet',
      row: { wallet_seq: wallet.walletSeq },
      what,
      ...values,
    });
    if (!hasOwner) {
      const found = `${wallet.ownerKind} ${wallet.ownerSeq}`;
      problems.push(problem('its owner does not exist', { expected: 'an operator or agent', found }));
      // The key is bound to its owner, so its check would report the same problem again.
      continue;
    }
    problems.push(...(await addressProblems(wallet, masterKey, problem)));
  }
  return { ...NOTHING, problems, rows: rows.length };
}

async function addressProblems(
  wallet: WalletRow,
  masterKey: MasterKey | null,
  problem: (what: string, values?: Partial<Problem>) => Problem,
): Promise<Problem[]> {
  const { address } = wallet;
  // Without its case, so that a wrong checksum is shown with the right one.
  const expected = eip55(address.toLowerCase());
  if (expected !== address) {
    return [
      problem('address is not written by EIP-55', { expected: expected ?? 'an address', found: address }),
    ];
  }
  if (masterKey === null) return [];
  const keyAddress = await addressOfStoredKey(wallet, masterKey);
  if (keyAddress === null)
    return [
      problem('encrypted_key is not the key of this address and this owner, encrypted with keys/master.key'),
    ];
  return keyAddress === address
    ? []
    : [problem('address is not that of its key', { expected: keyAddress, found: address })];
}

/** Returns the address of a wallet's key; null if the master key does not decrypt it, or it is no key. */
async function addressOfStoredKey(wallet: WalletRow, masterKey: MasterKey): Promise<string | null> {
  try {
    return await addressOfKey(walletKey(masterKey, wallet));
  } catch (error) {
    if (error instanceof Failure || error instanceof RangeError) return null;
    throw error;
  }
}
