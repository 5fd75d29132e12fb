import { LOG_NAMES, type LogName, originOf } from '../../../../src/proof/log/log-names.ts';
import { given, logged } from '../../../support/dishonest/customer.ts';
import { keyListOf } from '../../../support/dishonest/key-list.ts';
import { byVerifiers, type Lie, testLies } from '../../../support/dishonest/lies.ts';
import type { DishonestOperator } from '../../../support/dishonest/operator.ts';
import { inclusionOf, proofOf } from '../../../support/dishonest/proofs.ts';
import type { FakeLog } from '../../../support/fake-log.ts';
import { cosigned, POLICY } from '../../../support/made-account.ts';

const NEXT = 'fake.example-2';
type Closing = ReturnType<FakeLog['closing']>;

/** What the operator lets a customer with a policy see of a closed log, and of the log of keys that closed it. */
interface Said {
  /** The closed log that the proof and the list of keys are of. */
  shown?: (closed: FakeLog) => FakeLog;
  /** What the copy of the log of keys, which the witnesses saw, says of the end. */
  end?: (closing: Closing) => Closing;
  keysCheckpoint?: (note: string, time: number) => string;
  /** What happens to the copy of the logs before the witnesses see it, and after that. */
  before?: (copy: FakeLog) => void;
  after?: (copy: FakeLog, shown: FakeLog) => void;
}

/** Closes the logs, each as `end` says. */
function restarted(closed: FakeLog, end: (closing: Closing, name: LogName) => Closing): FakeLog {
  const next = closed.fork(NEXT);
  next.at = closed.at;
  for (const name of LOG_NAMES) next.close(end(closed.closing(name), name));
  for (const name of LOG_NAMES) next.continue({ log: name, predecessor: originOf(closed.origin, name) });
  next.now += 60;
  return next;
}

/** Nobody cosigned the last checkpoint of the closed log; a copy of the logs that continue is read. */
const atEnd =
  ({
    shown = (closed) => closed,
    end = (closing) => closing,
    keysCheckpoint = cosigned,
    before = () => undefined,
    after = () => undefined,
  }: Said) =>
  (operator: DishonestOperator) => {
    const receipt = logged(operator);
    operator.log.at = '2026-05-01T12:01:00.000Z';
    const forked = shown(operator.log);
    const proof = proofOf(forked, 'receipts', 1);
    const copy = restarted(operator.log, (closing, name) => (name === 'receipts' ? end(closing) : closing));
    const keys = keyListOf(restarted(forked, (closing) => closing));
    before(copy);
    const note = keysCheckpoint(copy.note('keys'), copy.now * 1000);
    copy.instead.set('keys/checkpoint', () => Buffer.from(note));
    after(copy, forked);
    return given(receipt, { keys, proof, policy: POLICY, log: copy });
  };

/** A closed log whose third receipt is another one. */
function forkOf(closed: FakeLog): FakeLog {
  const fork = closed.fork();
  fork.at = closed.at;
  fork.now = closed.now;
  fork.entries.receipts = closed.entries.receipts.slice(0, 2);
  fork.finalize(1);
  return fork;
}

/** A bundle: witnesses cosigned the checkpoint of its proof, and nobody that of its leaves, which is the last one. */
const linkedAtEnd =
  ({ shown = (closed) => closed, keysCheckpoint = cosigned }: Said, isCompared = true) =>
  (operator: DishonestOperator) => {
    const receipt = operator.receipt();
    const { output_hash: _, error_tranche: __, ...rest } = receipt;
    operator.link();
    const acts = {
      issued: operator.leaf('issued', operator.version(rest, { status: 'pending' })),
      finalized: operator.leaf('finalized', receipt),
    };
    logged(operator, receipt);
    const { log } = operator;
    log.at = '2026-05-01T12:01:00.000Z';
    const forked = shown(log);
    const copy = restarted(log, (closing) => closing);
    const note = keysCheckpoint(copy.note('keys'), copy.now * 1000);
    copy.instead.set('keys/checkpoint', () => Buffer.from(note));
    const checkpoint = cosigned(log.note('receipts'), log.now * 1000);
    const bundle = {
      ...{
        type: 'receipt-bundle',
        receipt: { ...receipt },
        status: operator.status(receipt),
        key_events: [],
      },
      proof: inclusionOf(log, 'receipts', 1, { checkpoint }),
      linked: {
        issued: inclusionOf(forked, 'accounts', acts.issued),
        finalized: inclusionOf(forked, 'accounts', acts.finalized),
      },
    };
    const keys = keyListOf(restarted(forked, (closing) => closing));
    return given(bundle, { keys, policy: POLICY, ...(isCompared && { log: copy }) });
  };

/** A closed log of accounts with one more leaf. */
function accountsForkOf(closed: FakeLog): FakeLog {
  const fork = closed.fork();
  fork.at = closed.at;
  fork.now = closed.now;
  const [first = new Uint8Array()] = closed.entries.accounts;
  fork.entries.accounts = [...closed.entries.accounts, first];
  return fork;
}

const lies: Lie[] = [
  {
    lie: 'The leaves of a bundle are in the end of a closed log that nobody cosigned, and no log of keys is shown.',
    tell: linkedAtEnd({}, false),
    noticed: byVerifiers('quorum: missing'),
  },
  {
    lie: 'The leaves of a bundle are in the end of a closed log, and no witness saw the log of keys that records it.',
    tell: linkedAtEnd({ keysCheckpoint: (note) => note }),
    noticed: byVerifiers('linked: bad'),
  },
  {
    lie: 'The leaves of a bundle are in a fork of the closed log, which only the list of keys names.',
    tell: linkedAtEnd({ shown: accountsForkOf }),
    noticed: byVerifiers('linked: bad'),
  },
  {
    lie: 'A fork of the closed log is shown, which only the list of keys names.',
    tell: atEnd({ shown: forkOf }),
    noticed: byVerifiers('quorum: missing'),
  },
  {
    lie: 'No witness saw the log of keys that records the end.',
    tell: atEnd({ keysCheckpoint: (note) => note }),
    noticed: byVerifiers('quorum: missing'),
  },
  {
    lie: 'One witness saw the log of keys, and the policy asks for two.',
    tell: atEnd({ keysCheckpoint: (note, time) => cosigned(note, time, ['one']) }),
    noticed: byVerifiers('quorum: missing'),
  },
  {
    lie: 'The witnesses saw the log of keys before it recorded the end.',
    tell: atEnd({
      before: (copy) => {
        copy.entries.keys = copy.entries.keys.slice(0, -2 * LOG_NAMES.length);
      },
    }),
    noticed: byVerifiers('but the checkpoint is of'),
  },
  {
    lie: 'The log of keys, which the witnesses saw, says that the log can have had more.',
    tell: atEnd({ end: (closing) => ({ ...closing, certain: false }) }),
    noticed: byVerifiers('quorum: missing'),
  },
  {
    lie: 'An entry of the log of keys is replaced under the checkpoint that the witnesses saw.',
    tell: atEnd({
      shown: forkOf,
      after: (copy, forked) => {
        const closing = (log: FakeLog): string => log.closing('receipts').root_hash;
        copy.entries.keys = copy.entries.keys.map((entry) =>
          Buffer.from(Buffer.from(entry).toString().replace(closing(copy), closing(forked))),
        );
      },
    }),
    noticed: { verify: 'do not hash to the root', python: 'do not have the root' },
  },
];

testLies(
  'recorded ends of closed logs',
  [
    {
      truth: 'the end of a closed log that nobody cosigned, which a cosigned log of keys records',
      tell: atEnd({}),
      accepted: ['verify', 'python'],
    },
    {
      truth: 'leaves in the end of a closed log that nobody cosigned, which a cosigned log of keys records',
      tell: linkedAtEnd({}),
      accepted: ['verify', 'python'],
    },
  ],
  lies,
);
