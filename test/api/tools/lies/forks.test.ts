import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { given } from '../../../support/dishonest/customer.ts';
import { keyListOf } from '../../../support/dishonest/key-list.ts';
import { byVerifiers, type Lie, testLies } from '../../../support/dishonest/lies.ts';
import type { DishonestOperator } from '../../../support/dishonest/operator.ts';
import { proofOf } from '../../../support/dishonest/proofs.ts';
import type { FakeLog } from '../../../support/fake-log.ts';
import { cosigned, POLICY } from '../../../support/made-account.ts';
import { body, openWitnessApp, SmallLog, type WitnessApp } from '../../../support/witness.ts';

/** The operator logs four receipts, and shows the customer another history of the last two. */
function forkOf(operator: DishonestOperator): FakeLog {
  operator.finalizeOthers(2);
  const fork = operator.log.fork();
  operator.finalizeOthers(2);
  operator.finalizeOthers(2, fork);
  operator.wait(1);
  fork.now = operator.log.now;
  return fork;
}

/** A customer has a proof, and the copy of somebody else. */
const compared =
  (views: (operator: DishonestOperator) => { own: FakeLog; copy: FakeLog; size?: number }) =>
  (operator: DishonestOperator) => {
    const { own, copy, size = own.entries.receipts.length } = views(operator);
    const document = proofOf(own, 'receipts', 1, { size });
    const { evidence } = given({}, { keys: keyListOf(operator.log), log: copy });
    return { evidence: { ...evidence, document } };
  };

const views: Lie[] = [
  {
    lie: 'A customer is shown another history of the log than everybody else.',
    tell: compared((operator) => ({ own: forkOf(operator), copy: operator.log })),
    noticed: byVerifiers('copy: forked'),
  },
  {
    lie: 'A customer is shown another history, smaller than what everybody else has.',
    tell: compared((operator) => ({ own: forkOf(operator), copy: operator.log, size: 3 })),
    noticed: byVerifiers('copy: forked'),
  },
  {
    lie: 'A customer is shown another history, and no copy of others.',
    tell: (operator) => {
      const receipt = operator.receipt();
      operator.finalizeOthers(1);
      const fork = operator.log.fork();
      operator.finalizeOthers(1);
      operator.finalize(receipt, 0, fork);
      fork.now = operator.log.now;
      return given(receipt, { keys: keyListOf(operator.log), proof: proofOf(fork, 'receipts', 1) });
    },
    noticed: {},
    nobody: {
      asked: ['verify', 'python'],
      reason: 'One view of a log is consistent by itself: ask for cosignatures, or compare it with a copy.',
    },
  },
  {
    lie: 'A customer with a policy is shown another history, which its witnesses cosigned too.',
    tell: (operator) => {
      const receipt = operator.receipt();
      const fork = forkOf(operator);
      operator.finalize(receipt, 1, fork);
      const checkpoint = cosigned(fork.note('receipts'), fork.now * 1000);
      const proof = proofOf(fork, 'receipts', 4, { checkpoint });
      return given(receipt, { keys: keyListOf(operator.log), proof, policy: POLICY });
    },
    noticed: {},
    nobody: {
      asked: ['verify', 'python'],
      reason: 'With a policy, the witnesses are those who notice: if they lie, compare the log with a copy.',
    },
  },
  {
    lie: 'A customer is shown a log whose copy is of another installation.',
    tell: compared((operator) => {
      const own = forkOf(operator);
      return { own, copy: own.fork('other.example') };
    }),
    noticed: byVerifiers('of other.example/receipts, but the checkpoint is of fake.example/receipts'),
  },
];

testLies(
  'forks',
  [
    {
      truth: 'a proof of an older tree than that of a copy',
      tell: compared((operator) => {
        forkOf(operator);
        return { own: operator.log, copy: operator.log, size: 2 };
      }),
      accepted: ['verify', 'python'],
    },
  ],
  views,
);

describe('a witness does not cosign', () => {
  const log = new SmallLog('log.example/one');
  let app: WitnessApp;
  beforeAll(async () => {
    app = await openWitnessApp([log, new SmallLog('log.example/two')]);
    expect((await app.add(log.submission(0, 5))).status).toBe(200);
  });
  afterAll(() => app.close());

  const fork = log.fork('another leaf');
  test.each<[lie: string, submission: string, status: number]>([
    ['another tree of the size that it cosigned', body(5, [], fork.note(5)), 409],
    ['a larger tree that is no continuation', fork.submission(5, 9), 422],
    ['a smaller tree than the one that it cosigned', log.submission(0, 3), 409],
    ['a tree that begins anew', fork.submission(0, 9), 409],
    ['a larger tree without a proof', body(5, [], log.note(9)), 422],
    ['a larger tree that claims to follow a larger one', log.submission(7, 9), 409],
    ['a log that it does not know', new SmallLog('log.example/three').submission(0, 5), 404],
    ['a checkpoint that another key signed', new SmallLog(log.origin).submission(5, 9), 403],
    [
      'a checkpoint of one log under the name of another',
      body(0, [], log.note(5).replaceAll(log.origin, 'log.example/two')),
      403,
    ],
  ])('%s', async (_, submission, status) => {
    const answer = await app.add(submission);
    expect([answer.status, answer.text.includes('— witness.example')]).toEqual([status, false]);
  });

  test('the truth: a larger tree that continues the one that it cosigned', async () => {
    const answer = await app.add(log.submission(5, 9));
    expect([answer.status, answer.text.includes('— witness.example')]).toEqual([200, true]);
  });
});
