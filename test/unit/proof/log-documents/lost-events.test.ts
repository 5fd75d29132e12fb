import { describe, expect, test } from 'bun:test';
import { nativePrimitives } from '../../../../src/platform/crypto/crypto.ts';
import { readKeyLogEntries } from '../../../../src/proof/log/key-log-entries.ts';
import { lostEvents, rootsOf } from '../../../../src/proof/log-documents/lost-events.ts';
import { FakeLog } from '../../../support/fake-log.ts';

const NAME = 'fake.example-2/keys';

/** What the log of keys of an installation lacks of a copy of the closed one. */
function lost(log: FakeLog, copy: FakeLog) {
  const entries = log.entries.keys;
  const continuing = { ...readKeyLogEntries(entries), entries, roots: rootsOf(nativePrimitives, entries) };
  return lostEvents(nativePrimitives, { ...continuing, origin: `${log.origin}/keys` }, [
    { origin: `${copy.origin}/keys`, entries: copy.entries.keys },
  ]);
}

/** Changes the text of the entries of a log of keys. */
const edited =
  (edit: (text: string) => string) =>
  (entries: FakeLog['entries']): void => {
    entries.keys = entries.keys.map((entry) => Buffer.from(edit(Buffer.from(entry).toString())));
  };

describe('a log of keys that continues one that continued another', () => {
  const closed = new FakeLog().restart('fake.example-2');
  const first = closed.entries.keys.findIndex((entry) => Buffer.from(entry).includes('log_closed'));

  test('lacks nothing if it has all its entries', () => {
    expect(lost(closed.restart('fake.example-3'), closed)).toEqual({ problems: [], notes: [] });
  });

  test('has lost the closing and the continuation of a log that it does not repeat', () => {
    const log = closed.restart('fake.example-3', (entries) => {
      entries.keys = entries.keys.toSpliced(first, 2);
    });
    expect(lost(log, closed).problems).toEqual([
      `entry ${first} of ${NAME} is lost: log_closed of fake.example/receipts`,
      `entry ${first + 1} of ${NAME} is lost: log_continued of fake.example-2/receipts`,
    ]);
  });

  test.each<[string, (text: string) => string, string]>([
    ['a certain end by an uncertain one', (text) => text.replace('true', 'false'), 'log_closed'],
    ['an end by a later one', (text) => text.replace('"tree_size":0', '"tree_size":1'), 'log_closed'],
    [
      'an end by one of another tree',
      (text) => text.replace(/"root_hash":"\w+"/, `"root_hash":"${'0'.repeat(64)}"`),
      'log_closed',
    ],
    [
      'a predecessor by another',
      (text) => text.replace('"predecessor":"fake.example/', '"predecessor":"x.example/'),
      'log_continued',
    ],
  ])('has lost what it replaces: %s', (_, edit, event) => {
    const { problems } = lost(closed.restart('fake.example-3', edited(edit)), closed);
    const named = problems.flatMap((problem) => /is lost: (\w+) of/.exec(problem)?.[1] ?? []);
    expect([...new Set(named)]).toEqual([event]);
  });
});

describe('the end of a key', () => {
  const closed = new FakeLog('fake.example-2');
  const { receiptKey: key } = closed;
  closed.addKey(key, 'receipts', [key], 'compromised');
  const last = closed.entries.keys.length - 1;
  const restarted = (from: number) =>
    closed.restart('fake.example-3', (entries) => {
      entries.keys = entries.keys.slice(0, from);
    });

  test('is lost where the log that continues says something earlier of it', () => {
    expect(lost(restarted(last), closed).problems).toEqual([
      `entry ${last} of ${NAME} is lost: the key ${key.kid} was compromised at ${closed.at}, with 0 entries in the log of receipts; fake.example-3/keys says added at 2026-05-01T12:00:00.000Z, with 0 entries`,
    ]);
  });

  test('may be lost with all of the key', () => {
    const { problems, notes } = lost(restarted(last - 1), closed);
    expect(problems).toEqual([]);
    expect(notes).toEqual([expect.stringContaining(`entry ${last} (compromised receipts ${key.kid})`)]);
  });
});

test('an entry without its form in a closed log is named', () => {
  const closed = new FakeLog('fake.example-2');
  closed.entries.keys.push(Buffer.from('nothing'));
  const index = closed.entries.keys.length - 1;
  expect(lost(closed.restart('fake.example-3'), closed).problems).toEqual([
    expect.stringContaining(`${NAME}: entry ${index} is not an entry of a key log`),
  ]);
});
