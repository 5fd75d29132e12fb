import { afterAll } from 'bun:test';
import type { JsonValue } from '../../../../src/proof/encoding/json.ts';
import { accountEntryText } from '../../../../src/proof/log/log-entry.ts';
import { LOG_NAMES } from '../../../../src/proof/log/log-names.ts';
import { given, logged, NOW } from '../../../support/dishonest/customer.ts';
import { keyListOf } from '../../../support/dishonest/key-list.ts';
import { byVerifiers, type Lie, type Shown, testLies } from '../../../support/dishonest/lies.ts';
import type { DishonestOperator } from '../../../support/dishonest/operator.ts';
import { manifestOf, proofOf } from '../../../support/dishonest/proofs.ts';
import { checkpointList, DishonestService } from '../../../support/dishonest/service.ts';
import { FakeLog } from '../../../support/fake-log.ts';
import { cosignedNote, KEYS, linesOf, madeAccount, OPERATOR, POLICY } from '../../../support/made-account.ts';
import { rootOfEntries } from '../../../support/small-log.ts';

const KEY_LIST = '/api/v1/transparency/keys';
const CHECKPOINTS = '/api/v1/receipts/checkpoints';
const service = new DishonestService();
afterAll(() => service[Symbol.dispose]());

/** Lets the service answer so from now on. */
function answering(log: FakeLog | null, answers: Record<string, JsonValue>): void {
  service.log = log;
  service.answers = new Map(Object.entries(answers));
}

/** A customer asks the service for the keys. */
const askingKeys = (answer: (operator: DishonestOperator) => JsonValue) => (operator: DishonestOperator) => {
  const receipt = logged(operator);
  answering(operator.log, { [KEY_LIST]: answer(operator) });
  const proof = proofOf(operator.log, 'receipts', 1);
  return given(receipt, { proof }, { more: { keys: service.url } });
};

/** Somebody runs fsck on a service that lists these checkpoints of receipts, and the newest of each other log. */
const listing =
  (notes: (log: FakeLog, operator: DishonestOperator) => string[]) =>
  (operator: DishonestOperator): Shown => {
    logged(operator);
    const { log } = operator;
    const lists = LOG_NAMES.map((name) => {
      const of = name === 'receipts' ? notes(log, operator) : [log.note(name)];
      return [`${CHECKPOINTS}?log=${name}`, checkpointList(of)] as const;
    });
    answering(log, Object.fromEntries(lists));
    return { logs: log, api: new URL(service.url) };
  };

/** Somebody asks the service for a log of accounts, and for the checkpoints that it kept. */
const asking = (kept: (noteAt: (size: number) => string) => string[]) => (): Shown => {
  const made = madeAccount(20, NOW, 10);
  const texts = made.entries.map(accountEntryText);
  const noteAt = (size: number): string => {
    const time = made.kept.find((one) => one.size === size)?.time ?? NOW;
    return cosignedNote(size, Buffer.from(rootOfEntries(texts.slice(0, size)), 'hex'), time);
  };
  const log = new FakeLog('made.example');
  log.entries.accounts = texts.map((text) => Buffer.from(text));
  log.cosigned = noteAt(texts.length);
  answering(log, { [CHECKPOINTS]: checkpointList(kept(noteAt)) });
  const more = { complete: true, operator: OPERATOR, log: service.url };
  const files = { keys: KEYS, policy: POLICY };
  return { evidence: { document: linesOf(made.receipts), files, now: NOW, more } };
};
const KEPT = [30, 20, 10, 0];

const html = '<html>';

const lies: Lie[] = [
  {
    lie: 'The service answers with a page instead of the keys.',
    tell: askingKeys(() => html),
    noticed: { verify: 'not JSON', python: 'verify.py: error: ' },
  },
  {
    lie: 'The service answers with a list of keys without the key of the receipt.',
    tell: askingKeys(({ log }) =>
      keyListOf(log, { rows: (rows) => rows.filter(({ purpose }) => purpose !== 'receipts') }),
    ),
    noticed: byVerifiers('verdict: key_unknown'),
  },
  {
    lie: 'The service answers with the manifest of another receipt.',
    tell: (operator) => {
      const receipt = logged(operator);
      operator.link();
      operator.leaf('issued', receipt);
      const path = `/api/v1/receipts/${receipt.receipt_id}/public-manifest`;
      answering(operator.log, { [path]: manifestOf(operator.log, 0, [['issued', 1]]) });
      const more = { linked: true, proof: service.url };
      return given(receipt, { keys: keyListOf(operator.log) }, { more });
    },
    noticed: byVerifiers('proof: mismatch'),
  },
  {
    lie: 'The service does not have the entries of the log of revocations that it signed.',
    tell: (operator) => {
      const receipt = logged(operator);
      operator.revoke(receipt, 1);
      operator.wait(9);
      answering(operator.log, { '/log/revocations/tile/entries/000.p/1': html });
      return given(receipt, { keys: keyListOf(operator.log) }, { more: { revocations: service.url } });
    },
    noticed: { verify: 'the bundle ends within an entry', python: 'ends within an entry' },
  },
  {
    lie: 'The service lists a checkpoint of a fork of the log.',
    tell: listing((log, operator) => {
      const fork = log.fork();
      fork.entries.receipts = fork.entries.receipts.slice(0, 1);
      operator.finalizeOthers(1, fork);
      fork.now = log.now - 30;
      return [log.note('receipts'), fork.note('receipts')];
    }),
    noticed: { fsck: 'root_hash does not match the first 2 entries' },
  },
  {
    lie: 'The service lists a smaller log after a larger one.',
    tell: listing((log) => [log.note('receipts', 2), log.note('receipts')]),
    noticed: { fsck: 'is less than in the previous checkpoint' },
  },
  {
    lie: 'The service lists no checkpoint of a log that has one.',
    tell: listing(() => []),
    noticed: { fsck: 'the list is empty' },
  },
  {
    lie: 'The service leaves a checkpoint out of its list, and changes what follows.',
    tell: listing((log) => [log.note('receipts'), log.note('receipts', 1)]),
    noticed: {},
    nobody: {
      asked: ['fsck'],
      reason:
        'A checkpoint that nobody has kept, and that the others do not contradict, is missing to nobody.',
    },
  },
  {
    lie: 'The service keeps its old checkpoints of accounts back.',
    tell: asking((noteAt) => KEPT.slice(0, 0).map(noteAt)),
    noticed: byVerifiers('problem: unbounded'),
  },
  {
    lie: 'The service lists old checkpoints of accounts that nobody cosigned.',
    tell: asking((noteAt) =>
      KEPT.map((size) => noteAt(size).split('\n').slice(0, 5).join('\n').concat('\n')),
    ),
    noticed: byVerifiers('problem: unbounded'),
  },
];

testLies(
  'answers of a service',
  [
    {
      truth: 'keys from the service',
      tell: askingKeys(({ log }) => keyListOf(log)),
      accepted: ['verify', 'python'],
    },
    {
      truth: 'lists of checkpoints',
      tell: listing((log) => [log.note('receipts'), log.note('receipts', 2), log.note('receipts', 1)]),
      accepted: ['fsck'],
    },
    {
      truth: 'an account with the kept checkpoints',
      tell: asking((noteAt) => KEPT.map(noteAt)),
      accepted: ['verify', 'python'],
    },
  ],
  lies,
);
