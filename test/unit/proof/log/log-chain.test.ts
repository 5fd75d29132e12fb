import { describe, expect, test } from 'bun:test';
import { closedLogsIn, logChainProblems } from '../../../../src/proof/log/log-chain.ts';
import { type LogChange, logChangeText, readKeyLogEntry } from '../../../../src/proof/log/log-change.ts';
import { LOG_NAMES, type LogName } from '../../../../src/proof/log/log-names.ts';

const AT = '2026-05-01T12:00:00.000Z';
const ROOT = 'c'.repeat(64);

const closed = (origin: string, log: LogName = 'receipts'): LogChange => ({
  event: 'log_closed',
  log,
  origin: `${origin}/${log}`,
  tree_size: 3,
  root_hash: ROOT,
  certain: true,
  at: AT,
});
const continued = (predecessor: string, origin: string, log: LogName = 'receipts'): LogChange => ({
  event: 'log_continued',
  log,
  origin: `${origin}/${log}`,
  predecessor: `${predecessor}/${log}`,
  at: AT,
});
const indexed = (changes: readonly LogChange[]) =>
  changes.map((change, index) => ({ change, index: index + 10 }));

describe('an entry about a closed log', () => {
  test('is read as it was written', () => {
    for (const change of [closed('a'), continued('a', 'b')])
      expect(readKeyLogEntry(logChangeText(change))).toEqual({ change });
    expect(logChangeText(closed('a'))).toBe(
      `{"at":"${AT}","certain":true,"event":"log_closed","log":"receipts","origin":"a/receipts","root_hash":"${ROOT}","tree_size":3,"v":1}`,
    );
    expect(logChangeText(continued('a', 'b'))).toBe(
      `{"at":"${AT}","event":"log_continued","log":"receipts","origin":"b/receipts","predecessor":"a/receipts","v":1}`,
    );
  });

  const text = logChangeText(closed('a'));
  const next = logChangeText(continued('a', 'b'));
  test.each([
    [text.replace('"log":"receipts"', '"log":"other"'), 'log is not one of receipts, keys'],
    [text.replace('a/receipts', 'a/keys'), 'origin does not have the required format'],
    [text.replace('a/receipts', '/receipts'), 'origin does not have the required format'],
    [text.replace('a/receipts', 'a b/receipts'), 'origin does not have the required format'],
    [text.replace('a/receipts', 'a+b/receipts'), 'origin does not have the required format'],
    [text.replace('true', '1'), 'certain is not true or false'],
    [text.replace('"tree_size":3', '"tree_size":-1'), 'tree_size is not a whole number'],
    [text.replace('"tree_size":3', '"tree_size":3.5'), 'tree_size is not a whole number'],
    [text.replace(ROOT, ROOT.toUpperCase()), 'root_hash does not have the required format'],
    [text.replace('"v":1', '"v":2'), 'the entry is not the canonical text of its members'],
    [text.replace('"v":1', '"v":1,"x":1'), 'the entry is not the canonical text of its members'],
    [text.replace(AT, '2026-05-01'), 'at does not have the required format'],
    [next.replace('a/receipts', 'b/receipts'), 'predecessor is origin'],
    [next.replace('a/receipts', 'a/keys'), 'predecessor does not have the required format'],
  ])('%#. is refused where it is wrong', (wrong, message) => {
    expect(() => readKeyLogEntry(wrong)).toThrow(message);
  });
});

describe('the closed logs of an installation', () => {
  test('are one chain from the first log to the one that is read', () => {
    const all = LOG_NAMES.flatMap((log) => [
      closed('a', log),
      continued('a', 'b', log),
      closed('b', log),
      continued('b', 'c', log),
    ]);
    expect(logChainProblems(indexed(all), 'c')).toEqual([]);
    expect(logChainProblems(indexed(all), null)).toEqual([]);
    expect(logChainProblems([], 'a')).toEqual([]);
    expect(
      closedLogsIn(indexed(all))
        .map(({ origin, log_index }) => [origin, log_index])
        .slice(0, 2),
    ).toEqual([
      ['a/receipts', 10],
      ['b/receipts', 12],
    ]);
  });

  test.each<[what: string, changes: LogChange[], common: string, problems: [number, string][]]>([
    [
      'a log is closed twice',
      [closed('a'), continued('a', 'b'), closed('a')],
      'b',
      [[12, 'it closes a/receipts, which an earlier entry closed']],
    ],
    [
      'another log is closed than the one that continues',
      [closed('a'), continued('a', 'b'), closed('x'), continued('b', 'c')],
      'c',
      [
        [12, 'it closes x/receipts, but the log that continues is b/receipts'],
        [13, 'it continues b/receipts, which no earlier entry closes'],
        [13, 'x/receipts is closed, and no entry says which log continues it'],
      ],
    ],
    [
      'a log continues one that was not closed',
      [continued('a', 'b')],
      'b',
      [[10, 'it continues a/receipts, which no earlier entry closes']],
    ],
    [
      'two logs continue one',
      [closed('a'), continued('a', 'b'), continued('a', 'c')],
      'c',
      [[12, 'it continues a/receipts, but the log that continues is b/receipts']],
    ],
    [
      'a closed log continues',
      [closed('a'), continued('a', 'b'), closed('b'), continued('b', 'a')],
      'a',
      [
        [13, 'it continues b/receipts under a/receipts, the name of a closed log'],
        [13, 'a/receipts is closed, and still continued'],
      ],
    ],
    [
      'the log that is read is not the one that continues',
      [closed('a'), continued('a', 'b')],
      'c',
      [[11, 'the log that continues is b/receipts, not c/receipts']],
    ],
    [
      'the log that is read is closed',
      [closed('a')],
      'a',
      [[10, 'a/receipts is closed, and still continued']],
    ],
    [
      'no log continues a closed one',
      [closed('a'), continued('a', 'b'), closed('b')],
      'b',
      [[12, 'b/receipts is closed, and still continued']],
    ],
    [
      'no entry continues the only closed one',
      [closed('a')],
      'b',
      [[10, 'a/receipts is closed, and no entry says which log continues it']],
    ],
    [
      'two are closed before the first that continues',
      [closed('x'), closed('a'), continued('a', 'b')],
      'b',
      [[12, 'x/receipts is closed, and no entry says which log continues it']],
    ],
  ])('are none where %s', (_, changes, common, problems) => {
    expect(logChainProblems(indexed(changes), common)).toEqual(
      problems.map(([index, what]) => ({ index, what })),
    );
  });
});
