import { generateKeyPair } from '../../../../src/platform/crypto/key-files.ts';
import type { LogName } from '../../../../src/proof/log/log-names.ts';
import { byReaders, type Lie, type Shown, testLies } from '../../../support/dishonest/lies.ts';
import { after, append, type DishonestOperator } from '../../../support/dishonest/operator.ts';
import { evidenceEntries, hashed, leafOfEvidence } from '../../../support/evidence-entries.ts';

type Tell = Lie['tell'];

/** Readers saw three receipts a minute after noon, and see the logs of nine minutes later. */
const growing =
  (lie: (operator: DishonestOperator) => void): Tell =>
  async (operator, seen): Promise<Shown> => {
    operator.finalizeOthers(3);
    operator.wait(1);
    await seen();
    operator.wait(10);
    lie(operator);
    return { logs: operator.log };
  };

/** As `growing`; what follows is of another tree than the one that the monitor saw. */
const forked = (name: LogName, change: (entries: Uint8Array[]) => void): Tell =>
  growing(({ log }) => {
    log.entries = { ...log.entries, [name]: [...log.entries[name]] };
    change(log.entries[name]);
  });

const id = (digit: string): string => `rcpt_${digit.repeat(32)}`;

const receipts: Lie[] = [
  {
    lie: 'A receipt is finalized with two outcomes.',
    tell: growing((operator) => {
      const receipt = operator.receipt();
      operator.finalize(receipt, 10);
      operator.finalize(operator.refusalOf(receipt), 10);
    }),
    noticed: byReaders('is finalized a second time'),
  },
  {
    lie: 'An entry is in the log twice.',
    tell: growing((operator) => {
      const receipt = operator.receipt();
      operator.finalize(receipt, 10);
      operator.finalize(receipt, 10);
    }),
    noticed: byReaders('is finalized a second time'),
  },
  {
    lie: 'A receipt is finalized after its revocation.',
    tell: growing((operator) => {
      const receipt = operator.receipt();
      operator.revoke(receipt, 5);
      operator.finalize(receipt, 10);
    }),
    noticed: byReaders('is finalized after it was revoked'),
  },
  {
    lie: 'A receipt is revoked twice.',
    tell: growing((operator) => {
      const receipt = operator.receipt();
      operator.revoke(receipt, 9);
      operator.revoke(receipt, 10);
    }),
    noticed: byReaders('is revoked a second time'),
  },
  {
    lie: 'A revocation has the content_hash of the version that is not revoked.',
    tell: growing(({ log }) => {
      const content_hash = 'c'.repeat(64);
      log.finalizeReceipt(id('1'), log.receiptKey, { finalized_at: after(10), content_hash });
      log.revokeReceipt(id('1'), log.receiptKey, { revoked_at: after(10), content_hash });
    }),
    noticed: byReaders('a version that is not revoked'),
  },
  {
    lie: 'A revocation is of a receipt that was never finalized.',
    tell: growing((operator) => operator.revoke(operator.receipt(), 10)),
    noticed: {},
    nobody: {
      asked: ['monitor', 'fsck'],
      reason: 'A pending receipt can be revoked, and no log has it before.',
    },
  },
  {
    lie: 'A receipt is signed by a key that the log of keys does not know.',
    tell: growing((operator) => operator.finalize(operator.receipt({}, generateKeyPair('Ed25519')), 10)),
    noticed: byReaders('is not in the key log'),
  },
  {
    lie: 'A receipt is signed by the key of credentials.',
    tell: growing((operator) => operator.finalize(operator.receipt({}, operator.credentials), 10)),
    noticed: byReaders('is not a key for receipts'),
  },
  {
    lie: 'A receipt has the signature of another one.',
    tell: growing((operator) => {
      const { signature } = operator.receipt();
      operator.finalize({ ...operator.receipt(), signature }, 10);
    }),
    noticed: byReaders('its signature was not made by'),
  },
  {
    lie: 'An entry of receipts has a member more.',
    tell: growing(({ log }) => {
      const entry = JSON.parse(Buffer.from(log.entries.receipts[0] ?? []).toString());
      append(log, 'receipts', { ...entry, more: 1 });
    }),
    noticed: byReaders('it is not an entry of receipts'),
  },
  {
    lie: 'A revocation is in the log of receipts.',
    tell: growing((operator) => {
      operator.revoke(operator.receipt(), 10);
      operator.log.entries.receipts.push(...operator.log.entries.revocations);
    }),
    noticed: byReaders('it is not an entry of receipts'),
  },
  {
    lie: 'An entry is dated years before the round that first saw it.',
    tell: growing((operator) => operator.finalize(operator.receipt(), -60 * 24 * 365)),
    noticed: { monitor: 'before the checkpoints that do not have it' },
    nobody: {
      asked: ['newMonitor', 'fsck'],
      reason: 'Who reads the log for the first time does not know when the entry came.',
    },
  },
  {
    lie: 'An entry is dated after the checkpoint that has it.',
    tell: growing((operator) => operator.finalize(operator.receipt(), 60)),
    noticed: byReaders('after the checkpoint that has it'),
  },
];

const evidence: Lie[] = [
  {
    lie: 'A chain of evidence lacks an item.',
    tell: growing(({ log }) => {
      const [first, , third] = evidenceEntries([1, 1, 1]);
      for (const item of [first, third]) if (item) log.entries.evidence.push(leafOfEvidence(item));
    }),
    noticed: byReaders('items were dropped'),
  },
  {
    lie: 'A chain of evidence continues an item that it does not have.',
    tell: growing(({ log }) => {
      const [first, second] = evidenceEntries([1, 1]);
      if (first === undefined || second === undefined) return;
      const other = hashed({ ...second, prev_event_hash: 'e'.repeat(64) });
      log.entries.evidence.push(leafOfEvidence(first), leafOfEvidence(other));
    }),
    noticed: byReaders('its prev_event_hash is not the hash of the item before'),
  },
  {
    lie: 'An item of evidence has the hash of something else.',
    tell: growing(({ log }) => {
      const [first] = evidenceEntries([1]);
      if (first === undefined) return;
      log.entries.evidence.push(leafOfEvidence({ ...first, event_commitment_hash: 'e'.repeat(64) }));
    }),
    noticed: byReaders('is not the digest of its members'),
  },
  {
    lie: 'Two items of an agent have the same place.',
    tell: growing(({ log }) => {
      const [first] = evidenceEntries([1]);
      if (first !== undefined) log.entries.evidence.push(leafOfEvidence(first), leafOfEvidence(first));
    }),
    noticed: byReaders('items were dropped, repeated'),
  },
];

const keys: Lie[] = [
  {
    lie: 'The log is said to have been empty when the key of its receipts was compromised.',
    tell: growing((operator) => operator.endReceiptKey('compromised', 0, 10)),
    noticed: {
      monitor: 'the size is too small',
      newMonitor: 'it was signed after the end of its key',
      fsck: 'it was signed after the end of its key',
    },
  },
  {
    lie: 'The log is said to have had more entries than now when a key ended.',
    tell: growing((operator) => operator.endReceiptKey('retired', 50, 1)),
    noticed: byReaders('and the log of receipts has 3 entries'),
  },
  {
    lie: 'A key signs an entry after its end.',
    tell: growing((operator) => {
      operator.endReceiptKey('compromised', 3, 2);
      operator.finalize(operator.receipt(), 10);
    }),
    noticed: byReaders('it was signed after the end of its key'),
  },
  {
    lie: 'The end of a key is dated before the round that did not see it.',
    tell: growing((operator) => operator.endReceiptKey('compromised', 3, -30)),
    noticed: { monitor: 'before the checkpoints that do not have it' },
    nobody: {
      asked: ['newMonitor', 'fsck'],
      reason: 'Who reads the log for the first time does not know when the event came.',
    },
  },
  {
    lie: 'The end of a key is dated in the future.',
    tell: growing((operator) => operator.endReceiptKey('compromised', 3, 60)),
    noticed: byReaders('after the checkpoint that has it'),
  },
  {
    lie: 'A key is added that no key of the log signed.',
    tell: growing(({ log }) => {
      const stranger = generateKeyPair('Ed25519');
      log.addKey(stranger, 'receipts', [stranger]);
    }),
    noticed: byReaders('which no earlier key cross-signed'),
  },
];

const trees: Lie[] = [
  {
    lie: 'An entry is replaced by another one.',
    tell: forked('receipts', (entries) => entries.splice(1, 1, Buffer.from('another'))),
    noticed: { monitor: 'different roots', compare: 'different roots' },
    nobody: {
      asked: [],
      reason: 'Who reads the log for the first time sees one tree: compare it with an older copy.',
    },
  },
  {
    lie: 'The newest entry is removed, and the log signed later.',
    tell: forked('receipts', (entries) => entries.pop()),
    noticed: { monitor: 'rolled back', compare: 'rolled back' },
    nobody: {
      asked: ['newMonitor', 'fsck'],
      reason: 'Who reads the log for the first time sees one tree: compare it with an older copy.',
    },
  },
  {
    lie: 'An entry is inserted before older ones.',
    tell: growing((operator) => {
      operator.finalizeOthers(1);
      const { receipts: list } = operator.log.entries;
      list.splice(1, 0, ...list.splice(-1));
    }),
    noticed: { monitor: 'does not extend', compare: 'does not extend' },
    nobody: {
      asked: ['newMonitor', 'fsck'],
      reason: 'Who reads the log for the first time sees one tree: compare it with an older copy.',
    },
  },
  {
    lie: 'The event of a key is removed from the log of keys.',
    tell: async (operator, seen) => {
      operator.endReceiptKey('compromised', 0, 0);
      operator.wait(1);
      await seen();
      operator.wait(10);
      operator.log.entries.keys.length -= 3;
      operator.finalizeOthers(1);
      return { logs: operator.log };
    },
    noticed: { monitor: 'rolled back', compare: 'rolled back' },
    nobody: {
      asked: ['newMonitor', 'fsck'],
      reason: 'Who reads the log for the first time sees one tree: compare it with an older copy.',
    },
  },
  {
    lie: 'A checkpoint states the size n with the root of n − 1 entries.',
    tell: growing((operator) => {
      const { log } = operator;
      const note = log.note('receipts').split('\n\n')[0]?.replace('\n3\n', '\n4\n');
      operator.finalize(operator.receipt(), 10);
      log.instead.set('receipts/checkpoint', () => Buffer.from(log.noteOf('receipts', `${note}\n`)));
    }),
    noticed: { monitor: 'do not make the tree', fsck: 'does not match its 4 entries' },
  },
  {
    lie: 'The bundle of entries is another one than the tree has.',
    tell: growing((operator) => {
      const { log } = operator;
      operator.finalizeOthers(1);
      const other = log.fork();
      other.entries.receipts.reverse();
      log.instead.set('receipts/tile/entries/000.p/4', () => other.tileOf(0, 4));
    }),
    noticed: { monitor: 'do not make the tree', fsck: 'does not match its 4 entries' },
  },
  {
    lie: 'The hashes of a tile are not those of the entries.',
    tell: growing(({ log }) => log.instead.set('receipts/tile/0/000.p/3', () => new Uint8Array(96))),
    noticed: { fsck: 'its hashes do not match the entries' },
  },
  {
    lie: 'The checkpoint of a log is that of another log.',
    tell: growing(({ log }) =>
      log.instead.set('revocations/checkpoint', () => Buffer.from(log.note('evidence'))),
    ),
    noticed: { monitor: 'fake.example/evidence', fsck: 'is of another log' },
  },
  {
    lie: 'The checkpoint of a log is signed by the key of another log.',
    tell: growing(({ log }) => {
      log.signers.revocations = log.signers.evidence;
    }),
    noticed: byReaders('is not trusted: no trusted key has signed'),
  },
  {
    lie: 'The logs are those of another installation.',
    tell: growing((operator) => {
      const { now } = operator.log;
      operator.log = operator.log.fork('other.example');
      operator.log.now = now;
    }),
    noticed: { monitor: 'other.example', compare: 'other.example' },
  },
  {
    lie: 'A checkpoint is dated in the future.',
    tell: growing((operator) => {
      const { log } = operator;
      log.now += 3600;
      const future = Buffer.from(log.note('receipts'));
      log.now -= 3600;
      log.instead.set('receipts/checkpoint', () => future);
    }),
    noticed: { monitor: 'in the future' },
  },
  {
    lie: 'A log is not signed any more, as if nothing happened.',
    tell: growing((operator) => {
      const frozen = operator.log.fork();
      frozen.now -= 3600;
      for (const name of ['receipts', 'revocations'] as const)
        operator.log.instead.set(`${name}/checkpoint`, () => Buffer.from(frozen.note(name)));
    }),
    noticed: { monitor: 'is 60 minutes old' },
  },
];

testLies(
  'logs',
  [
    {
      truth: 'logs that grow',
      tell: growing((operator) => {
        const receipt = operator.receipt();
        operator.finalize(receipt, 10);
        operator.revoke(receipt, 10);
        for (const item of evidenceEntries([1, 2, 1]))
          operator.log.entries.evidence.push(leafOfEvidence({ ...item, anchored_at: after(10) }));
      }),
      accepted: ['monitor', 'newMonitor', 'fsck', 'compare'],
    },
    {
      truth: 'a key that ended',
      tell: growing((operator) => operator.endReceiptKey('compromised', 3, 10)),
      accepted: ['monitor', 'newMonitor', 'fsck', 'compare'],
    },
  ],
  [...receipts, ...evidence, ...keys, ...trees],
);
