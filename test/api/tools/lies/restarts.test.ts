import { generateKeyPair } from '../../../../src/platform/crypto/key-files.ts';
import { LOG_NAMES, type LogName, originOf } from '../../../../src/proof/log/log-names.ts';
import { given, logged } from '../../../support/dishonest/customer.ts';
import { keyListOf, type SaidOfKeys } from '../../../support/dishonest/key-list.ts';
import { byVerifiers, type Lie, type Shown, testLies } from '../../../support/dishonest/lies.ts';
import { after, type DishonestOperator, type NamedReceipt } from '../../../support/dishonest/operator.ts';
import { proofOf } from '../../../support/dishonest/proofs.ts';
import { FakeLog } from '../../../support/fake-log.ts';

const NEXT = 'fake.example-2';
type Closing = ReturnType<FakeLog['closing']>;

/** Continues logs under another name. @param said what is said of the ends of logs */
function restarted(log: FakeLog, said: Partial<Record<LogName, Partial<Closing>>> = {}): FakeLog {
  const next = log.fork(NEXT);
  for (const name of LOG_NAMES) {
    next.close({ ...log.closing(name), ...said[name] });
    next.continue({ log: name, predecessor: originOf(log.origin, name) });
  }
  next.now += 300;
  return next;
}

/** What a monitor saw, and then the logs that continue: those of a rewritten copy, if there is one. */
const continued =
  (next: (operator: DishonestOperator) => FakeLog): Lie['tell'] =>
  async (operator, seen): Promise<Shown> => {
    operator.finalizeOthers(5);
    operator.wait(1);
    await seen();
    return { logs: next(operator) };
  };

/** A receipt with a proof of a closed log, judged by a list of the log that continues it. */
const inClosed =
  (
    proof: (closed: FakeLog, receipt: NamedReceipt, operator: DishonestOperator) => string,
    said: (closed: FakeLog) => SaidOfKeys = () => ({}),
  ) =>
  (operator: DishonestOperator): Shown => {
    const receipt = logged(operator);
    const { log } = operator;
    return given(receipt, {
      keys: keyListOf(restarted(log), said(log)),
      proof: proof(log, receipt, operator),
    });
  };

const proofsOfClosed: Lie[] = [
  {
    lie: 'A closed log is shown at its final size with another root.',
    tell: inClosed((closed) => {
      const other = closed.fork();
      other.entries.receipts.splice(2, 1, Buffer.from('another'));
      return proofOf(other, 'receipts', 1);
    }),
    noticed: byVerifiers('proof: closed_size_contradicted'),
  },
  {
    lie: 'A closed log is shown with an entry more than it had.',
    tell: inClosed((closed, _, operator) => {
      const larger = closed.fork();
      operator.finalizeOthers(1, larger);
      return proofOf(larger, 'receipts', 1);
    }),
    noticed: byVerifiers('proof: closed_size_contradicted'),
  },
  {
    lie: 'A closed log is shown smaller than it was, with an entry that it never had.',
    tell: inClosed((closed, receipt, operator) => {
      const forked = closed.fork();
      forked.entries.receipts = forked.entries.receipts.slice(0, 1);
      operator.finalize(receipt, 0, forked);
      return proofOf(forked, 'receipts', 1);
    }),
    noticed: byVerifiers({ remark: 'closed_unbound' }),
  },
  {
    lie: 'A list names a closed log twice, and the second row has the root of another tree.',
    tell: inClosed(
      (closed) => {
        const other = closed.fork();
        other.entries.receipts.splice(2, 1, Buffer.from('another'));
        return proofOf(other, 'receipts', 1);
      },
      (closed) => {
        const other = closed.fork();
        other.entries.receipts.splice(2, 1, Buffer.from('another'));
        const row = { ...other.closing('receipts'), at: after(1), log_index: 99 };
        return { closedLogs: (rows) => [...rows, row] };
      },
    ),
    noticed: byVerifiers('proof: closed_size_contradicted'),
  },
  {
    lie: 'A proof is of a closed log that the list does not name.',
    tell: inClosed(
      (closed) => proofOf(closed, 'receipts', 1),
      () => ({ closedLogs: () => [] }),
    ),
    noticed: byVerifiers('proof: wrong_log'),
  },
  {
    lie: 'A list leaves out the closed log in which an ended key had signed.',
    tell: (operator) => {
      logged(operator);
      operator.log = restarted(operator.log);
      operator.endReceiptKey('compromised', 3, 2);
      operator.wait(3);
      const open = originOf(NEXT, 'receipts');
      const keys = keyListOf(operator.log);
      const row: SaidOfKeys['row'] = (one) => ({
        ...one,
        ...(one.status === 'compromised' && { receipts_logs: [open] }),
      });
      const document = keyListOf(operator.log, { row });
      return given(document, { keys, log: operator.log });
    },
    noticed: byVerifiers('verdict: mismatch'),
  },
];

/** A list of keys of a log that continues another one, verified by itself. */
const listAfter =
  (next: (operator: DishonestOperator) => FakeLog) =>
  (operator: DishonestOperator): Shown => {
    logged(operator);
    const log = next(operator);
    const keys = keyListOf(log);
    return { ...given(keys, { keys, log }), logs: log };
  };

/** A list whose log of keys says this of receipts, after it was continued once. */
const chain = (change: (next: FakeLog, log: FakeLog) => void) =>
  listAfter(({ log }) => {
    const next = restarted(log);
    change(next, log);
    return next;
  });

const chains: Lie[] = [
  {
    lie: 'A chain of logs loops: the second log is continued by the first one.',
    tell: chain((next, log) => {
      next.close(next.closing('receipts'));
      const back = log.fork();
      back.entries.keys = next.entries.keys;
      back.continue({ log: 'receipts', predecessor: originOf(NEXT, 'receipts') });
    }),
    noticed: byVerifiers('verdict: bad_events'),
  },
  {
    lie: 'A log is closed twice, with two ends.',
    tell: chain((next, log) => next.close({ ...log.closing('receipts'), tree_size: 1 })),
    noticed: byVerifiers('verdict: bad_events'),
  },
  {
    lie: 'A closed log is continued twice.',
    tell: chain((next, { origin }) => {
      next.continue({ log: 'receipts', predecessor: originOf(origin, 'receipts') });
      next.continue({ log: 'receipts', predecessor: 'never.example/receipts' });
    }),
    noticed: byVerifiers('verdict: bad_events'),
  },
  {
    lie: 'A second log is declared a predecessor later.',
    tell: chain((next, log) => {
      next.close({ ...log.closing('receipts'), origin: 'shadow.example/receipts' });
    }),
    noticed: byVerifiers('verdict: bad_events'),
  },
  {
    lie: 'A log that is read is said to be closed.',
    tell: chain((next) => next.close(next.closing('receipts'))),
    noticed: byVerifiers('verdict: bad_events'),
  },
  {
    lie: 'A closed log of keys had an event that the log that continues it lacks.',
    tell: listAfter((operator) => {
      const before = operator.log.fork();
      operator.endReceiptKey('compromised', 3, 1);
      const next = before.fork(NEXT);
      next.close(operator.log.closing('keys'));
      next.continue({ log: 'keys', predecessor: originOf(before.origin, 'keys') });
      return next;
    }),
    noticed: {
      ...byVerifiers('verdict: lost_events'),
      newMonitor: 'does not begin with',
      fsck: 'does not begin with',
    },
  },
];

/**
 * A customer verifies a list of keys with a copy of the closed log of keys, which had ends of keys that the
 * restored backup lacked.
 * @param after what the operator writes into the log that continues
 * @param copy of the closed log
 */
const restored =
  (
    event: 'retired' | 'compromised' | null,
    after: (operator: DishonestOperator) => void = () => undefined,
    { copy = (closed: FakeLog) => closed, closedAt = 'end' }: LossOptions = {},
  ) =>
  (operator: DishonestOperator): Shown => {
    logged(operator);
    operator.log.addKey(operator.log.receiptKey, 'receipts', [operator.log.logKey], 'activated');
    const backup = operator.log.fork();
    if (event === null) operator.log.addKey(generateKeyPair('Ed25519'), 'receipts', [backup.logKey]);
    else operator.endReceiptKey(event, 3, 1);
    const closed = operator.log;
    const next = backup.fork(NEXT);
    for (const name of LOG_NAMES) {
      next.close((closedAt === 'end' ? closed : backup).closing(name));
      next.continue({ log: name, predecessor: originOf(closed.origin, name) });
    }
    operator.log = next;
    operator.wait(5);
    after(operator);
    const keys = keyListOf(next);
    return given(keys, { keys, log: next }, { predecessors: [copy(closed)] });
  };

interface LossOptions {
  copy?: (closed: FakeLog) => FakeLog;
  /** When the closed log of keys is said to have ended. */
  closedAt?: 'backup' | 'end';
}

const losses: Lie[] = [
  {
    lie: 'A backup is restored that does not know that a key was reported as compromised.',
    tell: restored('compromised'),
    noticed: byVerifiers('verdict: lost_events'),
  },
  {
    lie: 'A backup is restored that does not know that a key was retired.',
    tell: restored('retired'),
    noticed: byVerifiers('verdict: lost_events'),
  },
  {
    lie: 'After the restore, a stolen key is used for some minutes before it is reported again.',
    tell: restored('compromised', (operator) => operator.endReceiptKey('compromised', 3, 5)),
    noticed: byVerifiers('verdict: lost_events'),
  },
  {
    lie: 'After the restore, a stolen key is reported again at a larger size.',
    tell: restored('compromised', (operator) => operator.endReceiptKey('compromised', 4, 1)),
    noticed: byVerifiers('verdict: lost_events'),
  },
  {
    lie: 'After the restore, a stolen key is only retired.',
    tell: restored('compromised', (operator) => operator.endReceiptKey('retired', 3, 1)),
    noticed: byVerifiers('verdict: lost_events'),
  },
  {
    lie: 'A closed log of keys is said to have ended before a key was reported as compromised.',
    tell: restored('compromised', () => undefined, { closedAt: 'backup' }),
    noticed: byVerifiers('verdict: lost_events'),
  },
  {
    lie: 'A copy of the closed log of keys is shown in which another key was reported as compromised.',
    tell: restored('compromised', () => undefined, {
      copy: (closed) => {
        const copy = closed.fork();
        copy.entries.keys = copy.entries.keys.toSpliced(-2, 1, ...copy.entries.keys.slice(-1));
        return copy;
      },
    }),
    noticed: byVerifiers('verdict: lost_events'),
  },
  {
    lie: 'A copy of the closed log of keys is shown that ends before the key was reported as compromised.',
    tell: restored('compromised', () => undefined, {
      copy: (closed) => {
        const copy = closed.fork();
        copy.entries.keys = copy.entries.keys.slice(0, -3);
        return copy;
      },
    }),
    noticed: byVerifiers('entries'),
  },
];

/** The log that continues another one, without the newest entry of that. */
const lossy = (name: LogName) => (operator: DishonestOperator) =>
  operator.log.restart(NEXT, (entries) => entries[name].pop());

const histories: Lie[] = [
  {
    lie: 'A restart drops a receipt.',
    tell: continued(lossy('receipts')),
    noticed: { newMonitor: 'does not begin with', fsck: 'does not begin with', compare: 'lost' },
  },
  {
    lie: 'A restart drops a revocation.',
    tell: continued((operator) => {
      operator.revoke(operator.receipt(), 1);
      return lossy('revocations')(operator);
    }),
    noticed: { newMonitor: 'does not begin with', fsck: 'does not begin with' },
  },
  {
    lie: 'A restart rewrites an entry, and closes the log as if it had always been so.',
    tell: continued(({ log }) => {
      const forged = log.fork();
      forged.entries.receipts.splice(2, 1);
      return restarted(forged);
    }),
    noticed: { monitor: 'EQUIVOCATION', compare: 'forked' },
    nobody: {
      asked: ['newMonitor', 'fsck'],
      reason: 'Who reads the log for the first time sees one history: compare it with an older copy.',
    },
  },
  {
    lie: 'A log is closed with another root than it had.',
    tell: continued(({ log }) => restarted(log, { receipts: { root_hash: 'ab'.repeat(32) } })),
    noticed: { newMonitor: 'does not begin with', fsck: 'does not begin with', compare: 'forked' },
  },
  {
    lie: 'A log is closed at a larger size than it had.',
    tell: continued(({ log }) => restarted(log, { receipts: { tree_size: 1000 } })),
    noticed: { newMonitor: 'does not begin with', fsck: 'does not begin with' },
  },
  {
    lie: 'Only one of the logs goes on under another name.',
    tell: continued(({ log }) => {
      const next = log.fork();
      next.now += 300;
      next.instead.set('receipts/checkpoint', () => Buffer.from(log.fork(NEXT).note('receipts')));
      return next;
    }),
    noticed: { monitor: 'but the first copy is of fake.example/receipts', fsck: 'is of another log' },
  },
  {
    lie: 'A log that nobody saw is declared the predecessor of a log that is watched.',
    tell: continued(({ log }) => {
      const shadow = new FakeLog('shadow.example', log.logKeys, log.receiptKey);
      shadow.finalize(1);
      log.close(shadow.closing('receipts'));
      log.continue({ log: 'receipts', predecessor: 'shadow.example/receipts' });
      log.now += 300;
      return log;
    }),
    noticed: {
      monitor: 'does not begin with the 1 entry',
      newMonitor: 'does not begin with',
      fsck: 'does not begin with',
    },
  },
  {
    lie: 'Logs go on under another name, and no entry says so.',
    tell: continued(({ log }) => {
      const next = log.fork(NEXT);
      next.now += 300;
      return next;
    }),
    noticed: {
      monitor: 'does not say that it continues fake.example/keys',
      compare: 'does not say that it continues',
    },
    nobody: {
      asked: ['newMonitor', 'fsck'],
      reason: 'Who reads the log for the first time sees a log that seems to begin here.',
    },
  },
];

/** A customer reads the log of revocations that continues another one, which had a revocation more. */
const afterLoss = (predecessors: (closed: FakeLog) => FakeLog[]) => (operator: DishonestOperator) => {
  const receipt = logged(operator);
  operator.revoke(receipt, 1);
  operator.wait(8);
  const closed = operator.log;
  const next = lossy('revocations')(operator);
  next.now = closed.now;
  const files = { keys: keyListOf(next), revocations: next };
  return given(receipt, files, { predecessors: predecessors(closed) });
};

const revocations: Lie[] = [
  {
    lie: 'A restart drops the revocation of the receipt.',
    tell: afterLoss(() => []),
    noticed: byVerifiers('revocation: predecessor'),
  },
  {
    lie: 'A restart drops the revocation of the receipt, and somebody has a copy of the closed log.',
    tell: afterLoss((closed) => [closed]),
    noticed: byVerifiers('verdict: revoked'),
  },
  {
    lie: 'A copy of the closed log is shown that lacks the revocation too.',
    tell: afterLoss((closed) => {
      const copy = closed.fork();
      copy.entries.revocations = [];
      return [copy];
    }),
    noticed: byVerifiers('has 0 of its 1 entries'),
  },
  {
    lie: 'A copy of the closed log has another revocation in the place of the one that it had.',
    tell: afterLoss((closed) => {
      const copy = closed.fork();
      copy.entries.revocations = [];
      copy.revokeReceipt(`rcpt_${'9'.repeat(32)}`);
      return [copy];
    }),
    noticed: { verify: 'do not hash to the root', python: 'do not have the root of their log' },
  },
  {
    lie: 'The closed log of revocations, signed again today, is shown instead of the one that continues it.',
    tell: (operator) => {
      const receipt = logged(operator);
      operator.wait(8);
      const next = restarted(operator.log);
      next.revokeReceipt(receipt.receipt_id);
      return given(receipt, { keys: keyListOf(next), revocations: operator.log });
    },
    noticed: byVerifiers('revocation: wrong_log'),
  },
];

testLies(
  'restarts',
  [
    {
      truth: 'logs that continue others with all of their entries',
      tell: continued(({ log }) => restarted(log)),
      accepted: ['newMonitor', 'fsck'],
    },
    {
      truth: 'a proof of a closed log at its final size',
      tell: inClosed((closed) => proofOf(closed, 'receipts', 1)),
      accepted: ['verify', 'python'],
    },
    {
      truth: 'a list of keys after a restart',
      tell: listAfter(({ log }) => restarted(log)),
      accepted: ['verify', 'python', 'newMonitor', 'fsck'],
    },
    {
      truth: 'a list of keys after a restore that lost a key which was never used',
      tell: restored(null),
      accepted: ['verify', 'python'],
    },
    {
      truth: 'a list of keys after a restore, with the compromise that the backup lacked',
      tell: restored('compromised', (operator) => operator.endReceiptKey('compromised', 3, 1)),
      accepted: ['verify', 'python'],
    },
    {
      truth: 'a list of keys after a restore, with the retirement that the backup lacked, for fewer receipts',
      tell: restored('retired', (operator) => operator.endReceiptKey('retired', 2, 1)),
      accepted: ['verify', 'python'],
    },
  ],
  [...proofsOfClosed, ...chains, ...losses, ...histories, ...revocations],
);
