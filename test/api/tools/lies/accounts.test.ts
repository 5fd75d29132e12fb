import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { nativePrimitives } from '../../../../src/platform/crypto/crypto.ts';
import type { JsonObject } from '../../../../src/proof/encoding/json.ts';
import { accountOf } from '../../../../src/proof/log/linked-account.ts';
import { accountEntryText, NO_RECEIPT } from '../../../../src/proof/log/log-entry.ts';
import type { Receipt, ReceiptPayload } from '../../../../src/proof/receipt/receipt.ts';
import type { CommandOptions } from '../../../../src/tools/verify/options/by-document.ts';
import { given, NOW } from '../../../support/dishonest/customer.ts';
import { keyListOf } from '../../../support/dishonest/key-list.ts';
import { byReaders, byVerifiers, type Lie, type Shown, testLies } from '../../../support/dishonest/lies.ts';
import {
  type DishonestOperator,
  type NamedReceipt,
  OTHER_OPERATOR,
} from '../../../support/dishonest/operator.ts';
import { inclusionOf, manifestOf } from '../../../support/dishonest/proofs.ts';
import {
  cosigned,
  KEYS,
  linesOf,
  type MadeAccount,
  madeAccount,
  OPERATOR,
  OTHER,
  POLICY,
  pendingReceipt,
  REVOKED,
  refreshCheckpoint,
  version,
  writeAccountLog,
} from '../../../support/made-account.ts';
import { rootOfEntries } from '../../../support/small-log.ts';

/** The versions of a receipt of a linked account. */
interface Versions {
  pending: NamedReceipt;
  final: NamedReceipt;
}

const MONTHS_BACK = NOW - 90 * 86_400_000;
const YEARS_BACK = '2016-01-01T00:00:00.000Z';

function versionsOf(operator: DishonestOperator, changes: Partial<ReceiptPayload> = {}): Versions {
  const final = operator.receipt({ operator_id: OPERATOR, ...changes });
  const { output_hash: _, error_tranche: __, ...rest } = final;
  return { pending: operator.version(rest, { status: 'pending' }), final };
}

/** Logs a receipt of a linked account as an honest service does: leaves 1 and 2 are of it. */
function linked(operator: DishonestOperator, changes: Partial<ReceiptPayload> = {}): Versions {
  const versions = versionsOf(operator, changes);
  operator.link();
  operator.leaf('issued', versions.pending);
  operator.leaf('finalized', versions.final);
  operator.finalize(versions.final);
  operator.wait(1);
  return versions;
}

/** A customer verifies a receipt with its public manifest by --linked. */
const shownWith =
  (
    manifest: (operator: DishonestOperator, versions: Versions) => JsonObject,
    changes: Partial<ReceiptPayload> = {},
  ) =>
  (operator: DishonestOperator): Shown => {
    const versions = linked(operator, changes);
    const proof = manifest(operator, versions);
    const files = { keys: keyListOf(operator.log), proof };
    return given(versions.final, files, { more: { linked: true } });
  };

const BOTH = [
  ['issued', 1],
  ['finalized', 2],
] as const;

const manifests: Lie[] = [
  {
    lie: 'A manifest lacks the leaf of the outcome.',
    tell: shownWith(({ log }) => manifestOf(log, 0, [['issued', 1]])),
    noticed: byVerifiers('linked: missing'),
  },
  {
    lie: 'A manifest has no leaf, as if its receipt had no account.',
    tell: shownWith(({ log }) => manifestOf(log, 0, [])),
    noticed: byVerifiers('linked: missing'),
  },
  {
    lie: 'The leaves of a manifest are in a checkpoint that is dated years ahead.',
    tell: shownWith(({ log }) => {
      const years = 3600 * 24 * 365 * 10;
      log.now += years;
      const manifest = manifestOf(log, 0, [
        ['issued', 1],
        ['finalized', 2],
      ]);
      log.now -= years;
      return manifest;
    }),
    noticed: byVerifiers('linked: future'),
  },
  {
    lie: 'A manifest lacks the leaf of the issue.',
    tell: shownWith(({ log }) => manifestOf(log, 0, [['finalized', 2]])),
    noticed: byVerifiers('linked: issue_unproven'),
  },
  {
    lie: 'A receipt of a linked account says that it was issued years back, and its leaf is of today.',
    tell: shownWith(({ log }) => manifestOf(log, 0, BOTH), { issued_at: YEARS_BACK }),
    noticed: byVerifiers('linked: mismatch'),
  },
  {
    lie: 'The leaves of a manifest are those of another account.',
    tell: shownWith((operator, { final }) => {
      const { receipt_id } = final;
      const other = operator.version(final, { operator_id: OTHER_OPERATOR, receipt_id });
      operator.link('linked', 0, OTHER_OPERATOR);
      const leaves = [operator.leaf('issued', other), operator.leaf('finalized', other)] as const;
      return manifestOf(operator.log, 0, [
        ['issued', leaves[0]],
        ['finalized', leaves[1]],
      ]);
    }),
    noticed: byVerifiers('linked: mismatch'),
  },
  {
    lie: 'The leaves of a manifest are those of another receipt of the account.',
    tell: shownWith((operator) => {
      const { pending, final } = versionsOf(operator);
      const leaves = [operator.leaf('issued', pending), operator.leaf('finalized', final)] as const;
      return manifestOf(operator.log, 0, [
        ['issued', leaves[0]],
        ['finalized', leaves[1]],
      ]);
    }),
    noticed: byVerifiers('linked: mismatch'),
  },
  {
    lie: 'The leaf of the outcome is of another outcome.',
    tell: shownWith((operator, { final }) => {
      const index = operator.leaf('finalized', operator.refusalOf(final));
      return manifestOf(operator.log, 0, [
        ['issued', 1],
        ['finalized', index],
      ]);
    }),
    noticed: byVerifiers('linked: mismatch'),
  },
  {
    lie: 'The leaves are in a log of accounts that nobody else reads.',
    tell: shownWith(({ log }) => {
      const shadow = log.fork('shadow.example');
      return manifestOf(
        log,
        0,
        BOTH.map(([event, index]) => [event, index, shadow] as const),
      );
    }),
    noticed: byVerifiers('linked: wrong_log'),
  },
  {
    lie: 'A leaf is proven by another index than its own.',
    tell: shownWith(({ log }) => {
      const { account_leaves: leaves, ...manifest } = manifestOf(log, 0, BOTH);
      const inclusion_path = inclusionOf(log, 'accounts', 2, { index: 1 });
      const lie = { event: 'finalized', leaf_entry: inclusion_path.leaf_entry ?? '', inclusion_path };
      return { ...manifest, account_leaves: [...(Array.isArray(leaves) ? leaves.slice(0, 1) : []), lie] };
    }),
    noticed: byVerifiers('linked: bad'),
  },
];

/** Leaves of accounts that readers compare with the other logs half an hour later. */
const leaves =
  (lie: (operator: DishonestOperator, versions: Versions) => void): Lie['tell'] =>
  (operator) => {
    const versions = linked(operator);
    operator.wait(1);
    lie(operator, versions);
    operator.wait(30);
    return { logs: operator.log };
  };

const leavesOfLogs: Lie[] = [
  {
    lie: 'A leaf says that a receipt is finalized, and the log of receipts does not have it.',
    tell: leaves((operator) => {
      const { pending, final } = versionsOf(operator);
      operator.leaf('issued', pending);
      operator.leaf('finalized', final);
    }),
    noticed: byReaders('and receipts has no right entry of that'),
  },
  {
    lie: 'A leaf says that a receipt is revoked, and the log of revocations does not have it.',
    tell: leaves((operator, { final }) => operator.leaf('revoked', final)),
    noticed: byReaders('and revocations has no right entry of that'),
  },
  {
    lie: 'A receipt of a linked account is finalized without a leaf.',
    tell: leaves((operator) => {
      const { pending, final } = versionsOf(operator);
      operator.leaf('issued', pending);
      operator.finalize(final, 1);
    }),
    noticed: byReaders('accounts has no leaf of that'),
  },
  {
    lie: 'A leaf of an outcome has another content_hash than the log of receipts.',
    tell: leaves((operator) => {
      const { pending, final } = versionsOf(operator);
      operator.leaf('issued', pending);
      operator.leaf('finalized', operator.refusalOf(final));
      operator.finalize(final, 1);
    }),
    noticed: byReaders('its content_hash is not that of entry'),
  },
  {
    lie: 'A receipt is issued twice.',
    tell: leaves((operator, { pending }) => operator.leaf('issued', pending)),
    noticed: byReaders('issued a second time'),
  },
  {
    lie: 'An account is linked twice.',
    tell: leaves((operator) => operator.link()),
    noticed: byReaders('was linked before'),
  },
  {
    lie: 'A leaf of an account was dropped.',
    tell: leaves((operator) => {
      operator.leaf('issued', versionsOf(operator).pending);
      operator.log.entries.accounts.pop();
      operator.leaf('issued', versionsOf(operator).pending);
    }),
    noticed: byReaders('leaves were dropped'),
  },
  {
    lie: 'A leaf of an account is not canonical, so that its verifiers skip it.',
    tell: leaves((operator, { pending }) => {
      const { accounts } = operator.log.entries;
      operator.leaf('issued', pending);
      accounts.push(Buffer.from(` ${Buffer.from(accounts.pop() ?? []).toString()}`));
    }),
    noticed: byReaders('it is not an entry of accounts'),
  },
  {
    lie: 'The receipt of a linked account is logged without any leaf, as if it had no account.',
    tell: leaves((operator) => operator.finalize(operator.receipt(), 1)),
    noticed: {},
    nobody: {
      asked: ['monitor', 'fsck'],
      reason: 'An entry of receipts does not say whose it is. Its holder notices: --linked and --complete.',
    },
  },
];

type Changes = Partial<Omit<MadeAccount, 'entries'>> & {
  origin?: string;
  entries?: readonly (MadeAccount['entries'][number] | string)[];
};

/** Somebody verifies by --complete that a list has all receipts of an account, twenty in fact. */
const listOf =
  (lie: (made: MadeAccount) => Changes, more: CommandOptions = {}, keys: JsonObject = {}) =>
  (): Shown => {
    const made = madeAccount(20, NOW, 10);
    const { receipts, ...logOf } = { ...made, ...lie(made) };
    const files = {
      ...{ keys: { ...JSON.parse(KEYS), ...keys }, policy: POLICY },
      log: (directory: string) => writeAccountLog(directory, logOf),
    };
    const document = linesOf(receipts);
    return {
      evidence: { document, files, now: NOW, more: { complete: true, operator: OPERATOR, ...more } },
    };
  };

/** Changes the receipt at one place of a list. */
const at = (place: number, change: (receipt: Receipt) => Receipt[]) => (made: MadeAccount) => ({
  receipts: made.receipts.flatMap((receipt, index) => (index === place ? change(receipt) : [receipt])),
});

/** The newest leaf of an account says that it is not linked any more. */
function unlinkedLast({ entries, kept }: MadeAccount): Changes {
  const account = accountOf(nativePrimitives, OPERATOR);
  const sequence = entries.filter((entry) => entry.account === account).length + 1;
  const at = new Date(NOW - 500).toISOString();
  const unlinked = { account, sequence, event: 'unlinked' as const, at, ...NO_RECEIPT };
  const size = entries.length + 1;
  return { entries: [...entries, unlinked], kept: [...kept.slice(0, -1), { size, time: NOW }] };
}

const OLD = 'old.example/accounts';
const EMPTY_ROOT = new Bun.CryptoHasher('sha256').digest('hex');
const closedLog = (root_hash: string, tree_size = 7): JsonObject => ({
  ...{ log: 'accounts', origin: OLD, tree_size, root_hash, certain: true },
});
const keptAt = (size: number) => [{ size, time: NOW }];

/** The log of accounts continues another one of seven leaves, of which somebody has a copy. */
const continuing = (copyOf: (made: MadeAccount) => MadeAccount) => (): Shown => {
  const made = madeAccount(20, NOW, 10);
  const root = rootOfEntries(made.entries.slice(0, 7).toReversed().map(accountEntryText));
  const { evidence } = listOf(() => ({}), {}, { closed_logs: [closedLog(root)] })();
  if (evidence === undefined) return {};
  const copy = (directory: string): void => writeAccountLog(directory, { ...copyOf(made), origin: OLD });
  return { evidence: { ...evidence, predecessors: [copy] } };
};

/** Everything is dated months back, also by some of two witnesses who cosigned it today. */
const datedBack =
  (liars: readonly string[], lie: (made: MadeAccount) => Changes = () => ({}), more: CommandOptions = {}) =>
  (): Shown => {
    const made = madeAccount(20, MONTHS_BACK, 10);
    const { evidence } = listOf(() => ({ ...made, ...lie(made) }), more)();
    if (evidence === undefined) return {};
    const log = (directory: string): void => {
      writeAccountLog(directory, made);
      refreshCheckpoint(directory, NOW);
      const file = join(directory, 'accounts/checkpoints.ndjson');
      const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
      const notes = lines.map((line, index) => {
        const [ofLog = ''] = String(JSON.parse(line).note).split('— one.example/');
        const back = cosigned(ofLog, made.kept[index]?.time ?? 0, liars);
        const honest = ['one', 'two'].filter((witness) => !liars.includes(witness));
        return `${JSON.stringify({ note: cosigned(back, NOW, honest) })}\n`;
      });
      writeFileSync(file, notes.join(''));
    };
    return { evidence: { ...evidence, files: { ...evidence.files, log } } };
  };

const lists: Lie[] = [
  {
    lie: 'A list lacks a receipt.',
    tell: listOf(at(7, () => [])),
    noticed: byVerifiers('problem: missing'),
  },
  {
    lie: 'The service unlinks an account, so that a receipt of that time is in no log of accounts.',
    tell: listOf(unlinkedLast),
    noticed: byVerifiers('problem: unlinked'),
  },
  {
    lie: 'The service unlinks an account, and the list is accepted with --allow-unlinked.',
    tell: listOf(unlinkedLast, { allowUnlinked: true }),
    noticed: byVerifiers({ remark: 'what happened while it was not linked' }),
  },
  {
    lie: 'A list has a receipt twice.',
    tell: listOf(at(7, (receipt) => [receipt, receipt])),
    noticed: byVerifiers('problem: duplicate'),
  },
  {
    lie: 'A list has a receipt of another account.',
    tell: listOf(at(7, (receipt) => [receipt, version(receipt, { operator_id: OTHER })])),
    noticed: byVerifiers('problem: foreign'),
  },
  {
    lie: 'A list has a receipt that no leaf knows.',
    tell: listOf(({ receipts }) => {
      const issued_at = receipts[15]?.issued_at ?? '';
      const extra = pendingReceipt(0xffff, Date.parse(issued_at));
      return { receipts: receipts.toSpliced(16, 0, extra) };
    }),
    noticed: byVerifiers('problem: unproven'),
  },
  {
    lie: 'A list has another version of a receipt, signed as well.',
    tell: listOf(at(7, (receipt) => [version(receipt, { authority_scope: 'all' })])),
    noticed: byVerifiers('problem: altered'),
  },
  {
    lie: 'A list says of a receipt that it is revoked, and no leaf does.',
    tell: listOf(at(7, (receipt) => [version(receipt, REVOKED)])),
    noticed: byVerifiers('problem: altered'),
  },
  {
    lie: 'A list has the receipts in another order.',
    tell: listOf(({ receipts }) => ({ receipts: receipts.toReversed() })),
    noticed: byVerifiers('problem: reordered'),
  },
  {
    lie: 'A leaf is dated an hour back.',
    tell: listOf(({ entries }) => ({
      entries: entries.map((entry, index) =>
        index === 15 ? { ...entry, at: new Date(Date.parse(entry.at) - 3_600_000).toISOString() } : entry,
      ),
    })),
    noticed: byVerifiers('problem: time'),
  },
  {
    lie: 'A receipt says that it was issued years back, and the log has its issue of today.',
    tell: listOf(({ receipts, entries }) => {
      const [pending] = receipts.slice(9, 10);
      if (pending === undefined) return {};
      const dated = version(pending, { issued_at: YEARS_BACK });
      const { receipt_id, content_hash } = dated;
      return {
        receipts: receipts.with(9, dated),
        entries: entries.map((entry) =>
          entry.receipt_id === receipt_id ? { ...entry, content_hash } : entry,
        ),
      };
    }),
    noticed: byVerifiers('problem: altered'),
  },
  {
    lie: 'Leaves are dated months back, and no checkpoint from before was kept.',
    tell: listOf(({ entries, kept }) => ({
      entries: entries.map((entry) => ({
        ...entry,
        at: new Date(Date.parse(entry.at) - 90 * 86_400_000).toISOString(),
      })),
      kept: kept.slice(-1),
    })),
    noticed: byVerifiers('problem: unbounded'),
  },
  {
    lie: 'Receipts and leaves are dated months back, and one of two witnesses dates the kept checkpoints back.',
    tell: datedBack(['one']),
    noticed: byVerifiers({ remark: 'from 2026-05-01T12:10:00.000Z to 2026-05-01T12:10:00.000Z' }),
  },
  {
    lie: 'One of two witnesses dates checkpoints back, so that a receipt seems to be from before --from.',
    tell: datedBack(
      ['one'],
      at(7, () => []),
      { from: MONTHS_BACK },
    ),
    noticed: byVerifiers('problem: missing'),
  },
  {
    lie: 'Receipts and leaves are dated months back, and all witnesses that the policy demands date it back.',
    tell: datedBack(['one', 'two']),
    noticed: {},
    nobody: {
      asked: ['verify', 'python'],
      reason: 'It is consistent by itself. A monitor sees the leaves arrive.',
    },
  },
  {
    lie: 'The kept checkpoints are those of another tree.',
    tell: () => {
      const made = madeAccount(20, NOW, 10);
      const other = { ...made, entries: made.entries.toReversed() };
      const { evidence } = listOf(() => ({}))();
      if (evidence === undefined) return {};
      const log = (directory: string): void => {
        const file = join(directory, 'accounts/checkpoints.ndjson');
        writeAccountLog(directory, other);
        const kept = readFileSync(file);
        writeAccountLog(directory, made);
        writeFileSync(file, kept);
      };
      return { evidence: { ...evidence, files: { ...evidence.files, log } } };
    },
    noticed: byVerifiers('another tree of 10 entries'),
  },
  {
    lie: 'The log of accounts continues another one, of which it lacks leaves.',
    tell: listOf(
      () => ({}),
      {},
      {
        closed_logs: [closedLog('ab'.repeat(32))],
      },
    ),
    noticed: byVerifiers('problem: predecessor'),
  },
  {
    lie: 'A copy of the closed log of accounts lacks a leaf that the closed log had.',
    tell: continuing((made) => ({ ...made, entries: made.entries.slice(0, 6), kept: keptAt(6) })),
    noticed: byVerifiers('has 6 of its 7 entries'),
  },
  {
    lie: 'A copy of the closed log of accounts has another leaf than the closed log had.',
    tell: continuing((made) => ({ ...made, entries: made.entries.slice(0, 7), kept: keptAt(7) })),
    noticed: byVerifiers('the root of'),
  },
  {
    lie: 'The log of accounts is another one of the same key.',
    tell: listOf(() => ({ origin: 'shadow.example/accounts' })),
    noticed: byVerifiers('wrong_log'),
  },
  {
    lie: 'An account is judged from a time on, and a receipt from after it is left out.',
    tell: listOf(
      at(15, () => []),
      { from: NOW - 1500 },
    ),
    noticed: byVerifiers('problem: missing'),
  },
  {
    lie: 'The newest receipt is not listed, and its leaf is not canonical, so that readers skip it.',
    tell: listOf(({ entries, kept }) => {
      const size = entries.length + 1;
      const [text = ''] = entries.slice(-1).map((entry) => ` ${accountEntryText(entry)}`);
      return { entries: [...entries, text], kept: kept.toSpliced(-1, 1, { size, time: NOW }) };
    }),
    noticed: {},
    nobody: {
      asked: ['verify', 'python'],
      reason: 'It is as if it was never logged: --linked fails for its holder. Monitors report the entry.',
    },
  },
];

testLies(
  'accounts',
  [
    {
      truth: 'a receipt of a linked account with its leaves',
      tell: shownWith(({ log }) => manifestOf(log, 0, BOTH)),
      accepted: ['verify', 'python'],
    },
    { truth: 'logs of a linked account', tell: leaves(() => undefined), accepted: ['monitor', 'fsck'] },
    {
      truth: 'a list of keys with two rows of a closed log, of which the first counts',
      tell: listOf(() => ({}), {}, { closed_logs: [closedLog(EMPTY_ROOT, 0), closedLog('ab'.repeat(32))] }),
      accepted: ['verify', 'python'],
    },
    { truth: 'a list with all receipts', tell: listOf(() => ({})), accepted: ['verify', 'python'] },
  ],
  [...manifests, ...leavesOfLogs, ...lists],
);
