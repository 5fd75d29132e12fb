import type { JsonObject, JsonValue } from '../../src/proof/encoding/json.ts';
import {
  type LogChange,
  type LogClosedEntry,
  logChangeText,
  readLogChange,
} from '../../src/proof/log/log-change.ts';
import { keyEntryText } from '../../src/proof/log/log-entry.ts';
import { LOG_NAMES, type LogName } from '../../src/proof/log/log-names.ts';
import { rootOfEntries } from '../../test/support/small-log.ts';
import { otherForms } from './entry-forms.ts';
import { KeyLogMaker, type KeyLogStory, keyFor, keyLogOf } from './key-log-maker.ts';

const K = keyFor('keys-log', 4);
const R = keyFor('receipts', 1);
const R2 = keyFor('receipts', 0x21);
const begun = new KeyLogMaker().begin(K, R);
const FIRST = begun.entries.map(keyEntryText);

const AT = '2026-05-02T12:00:00.000Z';
const closed = (name: string, log: LogName = 'receipts', tree_size = 20): LogClosedEntry => ({
  event: 'log_closed',
  log,
  origin: `${name}/${log}`,
  tree_size,
  root_hash: 'c'.repeat(64),
  certain: true,
  at: AT,
});
const continued = (predecessor: string, name: string, log: LogName = 'receipts'): LogChange => ({
  event: 'log_continued',
  log,
  origin: `${name}/${log}`,
  predecessor: `${predecessor}/${log}`,
  at: AT,
});

/** The log of keys itself, as it was when it was closed. */
const closedKeys = (name: string, entries: readonly string[] = FIRST): LogClosedEntry => ({
  ...closed(name, 'keys', entries.length),
  root_hash: rootOfEntries(entries),
});

/** Two restarts of all logs, the second of which opened the log that is read. */
function restartedWith(keys: (name: string) => LogChange): string[] {
  return LOG_NAMES.flatMap((log) => [
    log === 'keys' ? keys('first.example') : closed('first.example', log),
    continued('first.example', 'second.example', log),
    log === 'keys' ? keys('second.example') : closed('second.example', log, 30),
    continued('second.example', 'receipts.example', log),
  ]).map(logChangeText);
}
const restarted = restartedWith(closedKeys);
const lost = (keys: (name: string) => LogChange): KeyLogStory => ({
  log: logOf(restartedWith(keys)),
  verdict: 'lost_events',
  problem: 'receipts.example/keys does not begin with the',
});

/** Returns a log with these entries after its first ones, and what the list of keys says of it. */
function logOf(texts: readonly string[], listed: readonly JsonValue[] = closingsIn(texts)) {
  const log = keyLogOf(begun, [K], [...FIRST, ...texts]);
  return { ...log, document: { ...log.document, closed_logs: [...listed] } };
}

function closingsIn(texts: readonly string[]): JsonObject[] {
  return texts.flatMap((text, position) => {
    if (!text.includes('"log_closed"')) return [];
    const { event, ...row } = readLogChange(text);
    return [{ ...row, log_index: FIRST.length + position }];
  });
}

const bad = (problem: string, ...changes: readonly LogChange[]): KeyLogStory => ({
  log: logOf(changes.map(logChangeText)),
  verdict: 'bad_events',
  problem,
});
const listing = (problem: string, change: (rows: JsonObject[]) => JsonValue[]): KeyLogStory => ({
  log: logOf(restarted, change(closingsIn(restarted))),
  verdict: 'mismatch',
  problem,
});
const changed = (member: string, value: JsonValue) =>
  listing('closed_logs', (rows) => rows.map((row, at) => (at === 1 ? { ...row, [member]: value } : row)));

const first = closed('first.example');
const last = continued('first.example', 'receipts.example');

/** A key of receipts ended when the log had ten entries, and the list says of these logs that its size applies. */
const ended = begun.copy().later().event('added', R2, R, R2).event('retired', R, R, R2);
const FIRST_OF_ENDED = ended.entries.map(keyEntryText);

/** @param isBefore whether the key ended before the log of `closing` was closed */
function endedLog(receiptsLogs: readonly string[], closing: LogClosedEntry = first, isBefore = true) {
  const texts = [closing, last].map(logChangeText);
  const place = isBefore ? FIRST_OF_ENDED.length : FIRST.length;
  const log = keyLogOf(ended, [K], FIRST_OF_ENDED.toSpliced(place, 0, ...texts));
  const { event, ...row } = closing;
  const rows: JsonObject[] = Object(log.document.keys);
  const keys = rows.map(
    ({ log_index, ...key }): JsonObject => ({
      ...key,
      log_index: Number(log_index) + (Number(log_index) >= place ? texts.length : 0),
      ...(key.status === 'retired' && { receipts_logs: [...receiptsLogs] }),
    }),
  );
  return { ...log, document: { ...log.document, keys, closed_logs: [{ ...row, log_index: place }] } };
}

const at = FIRST.length;

const BOTH = ['first.example/receipts', 'receipts.example/receipts'];
const OPEN = BOTH.slice(1);
const ofEnded = (verdict: 'valid' | 'mismatch', ...given: Parameters<typeof endedLog>): KeyLogStory => ({
  log: endedLog(...given),
  verdict,
  problem: verdict === 'valid' ? null : 'keys[1].receipts_logs',
});
const ofSize = (tree_size: number, certain = true): LogClosedEntry => ({ ...first, tree_size, certain });

const ENDED: Readonly<Record<string, KeyLogStory>> = {
  'ended-in-both': ofEnded('valid', BOTH),
  'ended-in-the-open-log-only': ofEnded('mismatch', OPEN),
  'ended-in-an-unknown-log': ofEnded('mismatch', ['elsewhere.example/receipts', ...OPEN]),
  'ended-at-the-size-of-a-closed-log': ofEnded('valid', BOTH, ofSize(10), false),
  'ended-after-a-larger-log': ofEnded('valid', OPEN, ofSize(11), false),
  'ended-after-a-larger-log-in-both': ofEnded('mismatch', BOTH, ofSize(11), false),
  'ended-after-an-uncertain-log': ofEnded('valid', OPEN, ofSize(10, false), false),
  'ended-before-an-uncertain-log': ofEnded('valid', BOTH, ofSize(10, false)),
  'ended-before-a-smaller-uncertain-log': ofEnded('valid', OPEN, ofSize(9, false)),
};

/** Key logs with entries about closed logs. */
export const CLOSINGS: Readonly<Record<string, KeyLogStory>> = {
  restarted: { log: logOf(restarted), verdict: 'valid', problem: null },
  'restarted-without-an-event': lost((name) => closedKeys(name, [...FIRST, 'lost'])),
  'restarted-with-another-event': lost((name) => closedKeys(name, [...FIRST.slice(0, -1), 'other'])),
  'closed-and-never-continued': bad(
    `entry ${at + 2}: elsewhere.example/receipts is closed`,
    closed('elsewhere.example'),
    first,
    last,
  ),
  'closed-twice': bad(`entry ${at + 2}: it closes`, first, last, first),
  'closed-another': bad(`entry ${at + 2}: it closes`, first, last, closed('elsewhere.example')),
  'continued-unclosed': bad(`entry ${at}: it continues`, last),
  'continued-twice': bad(
    `entry ${at + 2}: it continues`,
    first,
    continued('first.example', 'other.example'),
    last,
  ),
  'continued-under-a-closed-name': bad(
    `entry ${at + 3}: it continues`,
    first,
    continued('first.example', 'second.example'),
    closed('second.example'),
    continued('second.example', 'first.example'),
  ),
  'continued-elsewhere': bad(
    `entry ${at + 1}: the log that continues is`,
    first,
    continued('first.example', 'other.example'),
  ),
  'closed-and-read': bad(`entry ${at}: receipts.example/receipts is closed`, closed('receipts.example')),
  'closed-at-last': bad(
    `entry ${at + 2}: receipts.example/receipts is closed`,
    first,
    last,
    closed('receipts.example'),
  ),
  'never-continued': bad(`entry ${at}: first.example/receipts is closed`, first),
  ...ENDED,
  'closed-logs-reversed': listing('closed_logs', (rows) => rows.toReversed()),
  'closed-log-missing': listing('closed_logs', (rows) => rows.slice(0, -1)),
  'closed-log-invented': listing('closed_logs', (rows) => [...rows, ...rows.slice(-1)]),
  'closed-log-smaller': changed('tree_size', 29),
  'closed-log-of-another-root': changed('root_hash', 'd'.repeat(64)),
  'closed-log-uncertain': changed('certain', false),
  'closed-log-at-another-index': changed('log_index', 4),
  ...Object.fromEntries(
    otherForms(logChangeText(first))
      .filter(({ key }) => key !== 'inner-order')
      .map(({ key, text }): [string, KeyLogStory] => [
        `closing-${key}`,
        {
          log: logOf([text, logChangeText(last)], closingsIn([logChangeText(first)])),
          verdict: 'bad_events',
          problem: `entry ${at} is not an entry of a key log`,
        },
      ]),
  ),
};
