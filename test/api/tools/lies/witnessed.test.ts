import type { KeyPair } from '../../../../src/platform/crypto/key-files.ts';
import { formatVerifierKey, parseNote, signatureLine } from '../../../../src/proof/log/note.ts';
import { given, logged, NOW } from '../../../support/dishonest/customer.ts';
import { keyListOf } from '../../../support/dishonest/key-list.ts';
import { byVerifiers, type Lie, testLies } from '../../../support/dishonest/lies.ts';
import { type DishonestOperator, NOON } from '../../../support/dishonest/operator.ts';
import { proofOf } from '../../../support/dishonest/proofs.ts';
import type { FakeLog } from '../../../support/fake-log.ts';
import { cosigned, POLICY } from '../../../support/made-account.ts';
import { newNoteSigner } from '../../../unit/proof/log/signed-notes.ts';

/** Returns a key of the service as a witness. */
const ownWitness = ({ privateKey }: KeyPair) => {
  const seed = privateKey.export({ format: 'der', type: 'pkcs8' }).subarray(-32).toString('hex');
  return newNoteSigner('own.example/w', 'cosignature', seed);
};

/** The cosignatures in a note, as lines. */
const linesOf = (note: string): string => note.slice(parseNote(Buffer.from(note)).text.length + 1);

/** A customer has a policy, and a proof whose checkpoint is this one. */
const witnessed =
  (checkpointOf: (note: string, operator: DishonestOperator) => string, policy = POLICY) =>
  (operator: DishonestOperator) => {
    const receipt = logged(operator);
    const checkpoint = checkpointOf(operator.log.note('receipts'), operator);
    const proof = proofOf(operator.log, 'receipts', 1, { checkpoint });
    return given(receipt, { keys: keyListOf(operator.log), proof, policy });
  };

const cosignatures: Lie[] = [
  {
    lie: 'Nobody cosigned the checkpoint.',
    tell: witnessed((note) => note),
    noticed: byVerifiers('quorum: missing'),
  },
  {
    lie: 'One witness cosigned twice.',
    tell: witnessed((note) => cosigned(cosigned(note, NOON, ['one']), NOON + 1000, ['one'])),
    noticed: byVerifiers('quorum: missing'),
  },
  {
    lie: 'The cosignatures are those of a smaller tree of the log.',
    tell: witnessed((note, { log }) => {
      const smaller = log.note('receipts', 2);
      return `${note}${linesOf(cosigned(smaller, NOON)).slice(linesOf(smaller).length)}`;
    }),
    noticed: byVerifiers('quorum: bad'),
  },
  {
    lie: 'The cosignatures are those of another log.',
    tell: witnessed((note, { log }) => {
      const other = log.fork('shadow.example').note('receipts');
      return `${note}${linesOf(cosigned(other, NOON)).slice(linesOf(other).length)}`;
    }),
    noticed: byVerifiers('quorum: bad'),
  },
  {
    lie: 'The cosignatures are dated in the future.',
    tell: witnessed((note) => cosigned(note, NOW + 120_000)),
    noticed: byVerifiers('quorum: future'),
  },
  {
    lie: 'The cosignatures have no time.',
    tell: witnessed((note) => cosigned(note, 0)),
    noticed: byVerifiers('quorum: missing'),
  },
];

/** A customer reads a log of revocations. */
const revocations =
  (read: (operator: DishonestOperator) => FakeLog, policy?: string) => (operator: DishonestOperator) => {
    const receipt = logged(operator);
    operator.wait(9);
    const log = read(operator);
    const files = { keys: keyListOf(operator.log), revocations: log };
    return given(receipt, { ...files, ...(policy && { policy }) });
  };

/** Revokes the receipt at index 1 of the log. */
function revokeLogged(operator: DishonestOperator): void {
  const { receipt_id } = JSON.parse(Buffer.from(operator.log.entries.receipts[1] ?? []).toString());
  operator.revoke(operator.receipt({ receipt_id }), 1);
}

const logsOfRevocations: Lie[] = [
  {
    lie: 'A fresh status denies a revocation that the log of revocations has.',
    tell: (operator) => {
      const receipt = logged(operator);
      revokeLogged(operator);
      operator.wait(9);
      const { log } = operator;
      return given(receipt, { keys: keyListOf(log), status: operator.status(receipt), revocations: log });
    },
    noticed: { verify: 'verdict: revoked' },
  },
  {
    lie: 'A log of revocations is another one of the same key, and empty.',
    tell: revocations((operator) => {
      const shadow = operator.log.fork('shadow.example');
      revokeLogged(operator);
      return shadow;
    }),
    noticed: byVerifiers('revocation: wrong_log'),
  },
  {
    lie: 'A log of revocations is a copy from before.',
    tell: revocations((operator) => {
      const before = operator.log.fork();
      before.now -= 20 * 60;
      return before;
    }),
    noticed: byVerifiers('revocation: stale'),
  },
  {
    lie: 'A log of revocations is dated in the future, so that it stays fresh.',
    tell: revocations((operator) => {
      const future = operator.log.fork();
      future.now += 86_400;
      return future;
    }),
    noticed: byVerifiers('revocation: future'),
  },
  {
    lie: 'A log of revocations has no time.',
    tell: revocations((operator) => {
      const timeless = operator.log.fork();
      timeless.signers.revocations = [timeless.logKeys.revocations];
      return timeless;
    }),
    noticed: byVerifiers('revocation: undated'),
  },
  {
    lie: 'The bundle of a log of revocations lacks an entry that its checkpoint has.',
    tell: revocations((operator) => {
      revokeLogged(operator);
      const bundle = operator.log.fork();
      bundle.instead.set('revocations/tile/entries/000.p/1', () => Buffer.from([0, 2, 123, 125]));
      return bundle;
    }),
    noticed: { verify: 'an entry that is not a revocation', python: 'not the members of an entry' },
  },
  {
    lie: 'The entry of another revocation is in the place of the one that the checkpoint has.',
    tell: revocations((operator) => {
      const { log } = operator;
      revokeLogged(operator);
      const other = log.fork();
      other.entries.revocations = [];
      operator.revoke(operator.receipt(), 1, other);
      const note = log.note('revocations');
      other.instead.set('revocations/checkpoint', () => Buffer.from(note));
      return other;
    }),
    noticed: { verify: 'do not hash to the root', python: 'do not have the root of its checkpoint' },
  },
  {
    lie: 'A log of revocations that nobody cosigned is shown to one who has a policy.',
    tell: revocations(({ log }) => log, POLICY),
    noticed: byVerifiers('quorum: missing'),
  },
  {
    lie: 'The log of revocations is shown without its newest entry, signed anew.',
    tell: async (operator, seen) => {
      const receipt = logged(operator);
      revokeLogged(operator);
      await seen();
      const fork = operator.log.fork();
      fork.entries.revocations = [];
      fork.now += 300;
      const keys = keyListOf(operator.log);
      return { ...given(receipt, { keys, revocations: fork }), logs: fork };
    },
    noticed: { monitor: 'rolled back', compare: 'rolled back' },
    nobody: {
      asked: ['verify', 'python'],
      reason:
        'One view of a log is consistent by itself: ask for cosignatures, or compare it with another copy.',
    },
  },
];

testLies(
  'witnesses and revocations',
  [
    {
      truth: 'a checkpoint that two of three witnesses cosigned',
      tell: witnessed((note) => cosigned(note, NOON)),
      accepted: ['verify', 'python'],
    },
    {
      truth: 'a log without revocations',
      tell: revocations(({ log }) => log),
      accepted: ['verify', 'python'],
    },
  ],
  [
    ...cosignatures,
    {
      lie: 'A policy that the operator wrote names the key of its own credentials as the witness.',
      tell: (operator) => {
        const receipt = logged(operator);
        const { credentials, log } = operator;
        const own = ownWitness(credentials);
        const note = log.note('receipts');
        const line = signatureLine(own.sign(parseNote(Buffer.from(note)).text, NOON / 1000));
        const proof = proofOf(log, 'receipts', 1, { checkpoint: `${note}${line}` });
        const policy = `witness own ${formatVerifierKey(own.key)}\nquorum own\n`;
        return given(receipt, { keys: keyListOf(log), proof, policy });
      },
      noticed: byVerifiers('key of the service'),
    },
    ...logsOfRevocations,
  ],
);
