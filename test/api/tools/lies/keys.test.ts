import { generateKeyPair } from '../../../../src/platform/crypto/key-files.ts';
import { given, listed, logged } from '../../../support/dishonest/customer.ts';
import { keyListOf, type SaidOfKeys } from '../../../support/dishonest/key-list.ts';
import { byVerifiers, type Lie, type Shown, testLies } from '../../../support/dishonest/lies.ts';
import type { DishonestOperator } from '../../../support/dishonest/operator.ts';
import { after } from '../../../support/dishonest/operator.ts';
import { proofOf } from '../../../support/dishonest/proofs.ts';
import { cosigned, POLICY } from '../../../support/made-account.ts';

/** Ends the key of a receipt five minutes after noon, as a list of a minute later says. */
const ended = (size: number, event: 'retired' | 'compromised' = 'compromised') =>
  listed((operator) => {
    operator.endReceiptKey(event, size, 5);
    operator.wait(6);
    return {};
  });

/** The witnesses that cosign at the first time, and at the second. */
const WITNESSES_OF = [['one'], ['two']];

/**
 * A receipt of the stolen key, logged at index 3 after the key was reported.
 * @param cosignedAt when each of two witnesses cosigns, in minutes after noon
 */
const stolen =
  (size: number, minutes: number, ...cosignedAt: number[]) =>
  (operator: DishonestOperator) => {
    logged(operator);
    operator.endReceiptKey('compromised', size, 5);
    operator.wait(6);
    const keys = keyListOf(operator.log);
    const receipt = operator.receipt();
    operator.finalize(receipt);
    operator.wait(minutes);
    const note = operator.log.note('receipts');
    const checkpoint = cosignedAt.reduce(
      (text, time, index) => cosigned(text, Date.parse(after(time)), WITNESSES_OF[index]),
      note,
    );
    const proof = proofOf(operator.log, 'receipts', 3, { checkpoint });
    return given(receipt, { keys, proof, ...(cosignedAt.length > 0 && { policy: POLICY }) });
  };

const ends: Lie[] = [
  {
    lie: 'The log is said to have been empty when the key of a receipt was compromised.',
    tell: ended(0),
    noticed: byVerifiers({ remark: 'tree_size_contradicted' }),
  },
  {
    lie: 'The log is said to have had a thousand entries when the key of a receipt was compromised.',
    tell: stolen(1000, 8),
    noticed: byVerifiers('verdict: key_compromised'),
  },
  {
    lie: 'A stolen key signs a receipt after its report.',
    tell: stolen(3, 8),
    noticed: byVerifiers('verdict: key_compromised'),
  },
  {
    lie: 'A stolen key signs a receipt after its report, in a checkpoint that is dated back, and cosigned today.',
    tell: stolen(3, 1, 9, 9),
    noticed: byVerifiers('verdict: key_compromised'),
  },
  {
    lie: 'A stolen key signs a receipt after its report, and the log and its witnesses date that back.',
    tell: stolen(3, 1, 1, 1),
    noticed: byVerifiers({ remark: 'tree_size_contradicted' }),
  },
  {
    lie: 'A stolen key signs a receipt after its report, and one of two witnesses dates that back.',
    tell: stolen(3, 1, 1, 9),
    noticed: byVerifiers('verdict: key_compromised'),
  },
  {
    lie: 'A stolen key signs a receipt after its report, in a checkpoint that is dated back, without witnesses.',
    tell: stolen(3, 1),
    noticed: byVerifiers({ remark: 'tree_size_contradicted' }),
  },
  {
    lie: 'A stolen key signs a receipt, which the log has before the report.',
    tell: ended(3),
    noticed: {},
    nobody: {
      asked: ['verify', 'python'],
      reason: 'Until the report, nothing distinguishes who has stolen a key from who owns it.',
    },
  },
  {
    lie: 'A list names a key twice, and once as compromised.',
    tell: listed(({ log }) => ({
      rows: (rows) => [
        ...rows,
        ...rows
          .filter(({ kid }) => kid === log.receiptKey.kid)
          .map((row) => ({ ...row, status: 'compromised', valid_until: after(2) })),
      ],
    })),
    noticed: byVerifiers('verdict: key_compromised'),
  },
  {
    lie: 'A list has a compromised key again, for another purpose.',
    tell: listed(({ log }) => ({
      rows: (rows) => [
        ...rows,
        ...rows
          .filter(({ kid }) => kid === log.receiptKey.kid)
          .map((row) => ({ ...row, status: 'compromised', purpose: 'credentials', valid_until: after(2) })),
      ],
    })),
    noticed: byVerifiers('verdict: key_compromised'),
  },
  {
    lie: 'A list names a key by the kid of another one.',
    tell: listed(({ log }) => ({
      row: (row) => (row.purpose === 'receipts' ? { ...row, kid: log.logKey.kid } : row),
    })),
    noticed: byVerifiers('kid'),
  },
];

/** A list that somebody verifies against the log of keys, by the keys of a list from before. */
const list =
  (said: (operator: DishonestOperator) => SaidOfKeys) =>
  (operator: DishonestOperator): Shown => {
    logged(operator);
    const keys = keyListOf(operator.log);
    const document = keyListOf(operator.log, said(operator));
    return given(document, { keys, log: operator.log });
  };

/** The true list of a log of keys with a false event. */
const events = (change: (operator: DishonestOperator) => void) => (operator: DishonestOperator) => {
  const keys = keyListOf(operator.log);
  operator.wait(1);
  change(operator);
  return given(keyListOf(operator.log), { keys, log: operator.log });
};

const lists: Lie[] = [
  {
    lie: 'A list and its log of keys are signed years ahead.',
    tell: (operator) => {
      logged(operator);
      const keys = keyListOf(operator.log);
      operator.wait(60 * 24 * 365);
      return given(keyListOf(operator.log), { keys, log: operator.log });
    },
    noticed: byVerifiers('verdict: future'),
  },
  {
    lie: 'A list has a key that the log of keys does not know.',
    tell: list(() => {
      const { kid, publicKey: public_key } = generateKeyPair('Ed25519');
      return { rows: (rows) => [...rows, { ...rows.at(-1), kid, public_key }] };
    }),
    noticed: byVerifiers('verdict: mismatch'),
  },
  {
    lie: 'A list lacks a key of the log of keys.',
    tell: list(() => ({ rows: (rows) => rows.slice(0, -1) })),
    noticed: byVerifiers('verdict: mismatch'),
  },
  {
    lie: 'A list calls a compromised key active.',
    tell: list((operator) => {
      operator.endReceiptKey('compromised', 3, 1);
      return {
        row: (row) => ({
          ...row,
          ...(row.status === 'compromised' && {
            ...{ status: 'active', valid_until: null, receipts_logs: [], receipts_tree_size: null },
          }),
        }),
      };
    }),
    noticed: byVerifiers('verdict: mismatch'),
  },
  {
    lie: 'A list says another size of the log at the end of a key.',
    tell: list((operator) => {
      operator.endReceiptKey('compromised', 3, 1);
      return {
        row: (row) => ({ ...row, ...(row.status === 'compromised' && { receipts_tree_size: 0 }) }),
      };
    }),
    noticed: byVerifiers('verdict: mismatch'),
  },
  {
    lie: 'A list gives a key another purpose.',
    tell: list(() => ({
      row: (row) => (row.purpose === 'credentials' ? { ...row, purpose: 'receipts' } : row),
    })),
    noticed: byVerifiers('verdict: mismatch'),
  },
  {
    lie: 'A list has two rows of one key.',
    tell: list(() => ({ rows: (rows) => [...rows, ...rows.slice(-1)] })),
    noticed: byVerifiers('verdict: mismatch'),
  },
  {
    lie: 'A list names a closed log that the log of keys does not name.',
    tell: list(({ log }) => ({
      closedLogs: () => [
        { ...log.closing('receipts'), origin: 'shadow.example/receipts', at: after(0), log_index: 1 },
      ],
    })),
    noticed: byVerifiers('verdict: mismatch'),
  },
  {
    lie: 'A list states another root than its checkpoint.',
    tell: list(() => ({ log: { root_hash: '00'.repeat(32) } })),
    noticed: byVerifiers('verdict: bad_checkpoint'),
  },
  {
    lie: 'A list has the checkpoint of another log of keys of the same key.',
    tell: (operator) => {
      const keys = keyListOf(operator.log);
      const other = operator.log.fork('shadow.example');
      return given(keyListOf(other), { keys, log: other });
    },
    noticed: byVerifiers('verdict: wrong_log'),
  },
  {
    lie: 'A list is of a fork of the log of keys, without a compromise.',
    tell: (operator) => {
      const keys = keyListOf(operator.log);
      const fork = operator.log.fork();
      operator.endReceiptKey('compromised', 0, 1);
      operator.wait(2);
      fork.addKey(generateKeyPair('Ed25519'), 'credentials', [fork.logKey]);
      return given(keyListOf(fork), { keys, log: operator.log });
    },
    noticed: byVerifiers('verdict: bad_log'),
  },
  {
    lie: 'A list names the issuer of somebody else.',
    tell: (operator) => {
      const keys = keyListOf(operator.log);
      return given({ ...keys, issuer: 'did:web:bank.example' }, { keys, log: operator.log });
    },
    noticed: {},
    nobody: {
      asked: ['verify', 'python'],
      reason: 'The log of keys does not say the issuer: it is as trusted as the place that the list is from.',
    },
  },
];

const keyLogs: Lie[] = [
  {
    lie: 'A key is added that no key of the log signed.',
    tell: events(({ log }) => {
      const stranger = generateKeyPair('Ed25519');
      log.addKey(stranger, 'receipts', [stranger]);
    }),
    noticed: byVerifiers('verdict: bad_events'),
  },
  {
    lie: 'A key is added by a key that the log of keys does not know.',
    tell: events(({ log }) => {
      const stranger = generateKeyPair('Ed25519');
      log.addKey(stranger, 'receipts', [generateKeyPair('Ed25519'), stranger]);
    }),
    noticed: byVerifiers('verdict: bad_events'),
  },
  {
    lie: 'A compromised key becomes active again.',
    tell: events((operator) => {
      const { log } = operator;
      operator.endReceiptKey('compromised', 0, 1);
      log.addKey(log.receiptKey, 'receipts', [log.logKey, log.receiptKey], 'activated');
    }),
    noticed: byVerifiers('verdict: bad_events'),
  },
  {
    lie: 'A key gets a second purpose.',
    tell: events(({ log }) => log.addKey(log.receiptKey, 'credentials', [log.logKey, log.receiptKey])),
    noticed: byVerifiers('verdict: bad_events'),
  },
  {
    lie: 'The log of keys has an entry that is no event of a key.',
    tell: ({ log }) => {
      const keys = keyListOf(log);
      log.entries.keys.push(Buffer.from('{"v":2}'));
      return given(keys, { keys, log });
    },
    noticed: byVerifiers('verdict: bad_events'),
  },
  {
    lie: 'The end of a key is dated years back.',
    tell: events((operator) => operator.endReceiptKey('compromised', 0, -60 * 24 * 365)),
    noticed: {},
    nobody: {
      asked: ['verify', 'python'],
      reason: 'The log of keys alone does not show when an event came. A monitor knows.',
    },
  },
];

testLies(
  'keys',
  [
    { truth: 'a key ended after its receipt was logged', tell: ended(3), accepted: ['verify', 'python'] },
    { truth: 'a list of keys and its log', tell: list(() => ({})), accepted: ['verify', 'python'] },
    {
      truth: 'a log of keys in which a key was compromised and replaced',
      tell: events((operator) => operator.endReceiptKey('compromised', 0, 1)),
      accepted: ['verify', 'python'],
    },
  ],
  [...ends, ...lists, ...keyLogs],
);
