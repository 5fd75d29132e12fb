import type { JsonObject } from '../../src/proof/encoding/json.ts';
import { closedLogsIn, receiptsLogsOf } from '../../src/proof/log/log-chain.ts';
import { type LogChange, logChangeText, readLogChange } from '../../src/proof/log/log-change.ts';
import { keyEntryText } from '../../src/proof/log/log-entry.ts';
import { LOG_NAMES } from '../../src/proof/log/log-names.ts';
import { rootOfEntries } from '../../test/support/small-log.ts';
import { KeyLogMaker, type KeyLogStory, keyFor, keyLogOf, type StoredKeyLog } from './key-log-maker.ts';

const K = keyFor('keys-log', 4);
const R = keyFor('receipts', 1);
const R2 = keyFor('receipts', 0x21);
const R3 = keyFor('receipts', 0x31);
const FIRST = 'first.example';
const OPEN = 'receipts.example';

/** What the backup has that was restored. */
const backup = new KeyLogMaker().begin(K, R);

/** What happened in the closed log after the backup: an hour later, at ten receipts. */
const next = backup.copy().later().event('added', R2, R, R2);
const rotated = next.copy().event('retired', R, R, R2).event('activated', R2, R, R2);
const stolen = next.copy().event('compromised', R, K).event('activated', R2, K, R2);

const copyOf = (log: KeyLogMaker, more: readonly string[] = []): StoredKeyLog =>
  keyLogOf(log, [K], [...log.entries.map(keyEntryText), ...more], `${FIRST}/keys`);

/** Says of a log that it closed another one before. */
const earlier: LogChange = {
  ...{ event: 'log_closed', log: 'receipts', origin: 'older.example/receipts', tree_size: 5 },
  ...{ root_hash: 'e'.repeat(64), certain: true, at: '2026-05-01T12:30:00.000Z' },
};

/** The copies of closed logs, which no list is verified against. */
export const CLOSED_COPIES: Readonly<Record<string, StoredKeyLog>> = {
  'closed-added': copyOf(next),
  'closed-rotated': copyOf(rotated),
  'closed-stolen': copyOf(stolen),
  'closed-of-another-tree': copyOf(backup.copy().later().event('added', R3, R, R3)),
  'closed-twice-before': copyOf(next, [logChangeText(earlier)]),
};

/** What the log that continues says of the end of a closed one. */
interface End {
  copy: string;
  /** How many entries of the copy were published; all by default. */
  size?: number;
  certain?: boolean;
}

/** Returns the log of keys that continues a closed one, with the entries of another log. */
function continued(log: KeyLogMaker, { copy, size, certain = true }: End): StoredKeyLog {
  const published = CLOSED_COPIES[copy]?.entries ?? [];
  const entries = published.slice(0, size);
  const changes = [
    ...LOG_NAMES.map((name): LogChange => {
      const end =
        name === 'keys'
          ? { tree_size: entries.length, root_hash: rootOfEntries(entries) }
          : { tree_size: 20, root_hash: 'c'.repeat(64) };
      const at = '2026-05-02T12:00:00.000Z';
      return { event: 'log_closed', log: name, origin: `${FIRST}/${name}`, ...end, certain, at };
    }),
    ...LOG_NAMES.map((name): LogChange => {
      const at = '2026-05-02T12:00:00.000Z';
      const [origin, predecessor] = [`${OPEN}/${name}`, `${FIRST}/${name}`];
      return { event: 'log_continued', log: name, origin, predecessor, at };
    }),
  ].map(logChangeText);
  const texts = log.entries.map(keyEntryText);
  const place = backup.entries.length;
  const made = keyLogOf(log, [K], texts.toSpliced(place, 0, ...changes));
  const closings = changes.flatMap((text, position) => {
    const change = readLogChange(text);
    return change.event === 'log_closed' ? [{ change, index: place + position }] : [];
  });
  const closedLogs = closedLogsIn(closings);
  const indexOf = (index: number): number => (index < place ? index : index + changes.length);
  const rows: JsonObject[] = Object(made.document.keys);
  const keys = rows.map((row): JsonObject => {
    const end = log.entries.findLastIndex(({ kid }) => kid === row.kid);
    const ofReceipts = row.receipts_tree_size;
    return {
      ...row,
      log_index: indexOf(Number(row.log_index)),
      ...(typeof ofReceipts === 'number' && {
        receipts_logs: receiptsLogsOf(
          { index: indexOf(end), size: ofReceipts },
          closedLogs,
          `${OPEN}/receipts`,
        ),
      }),
    };
  });
  return {
    ...made,
    document: { ...made.document, keys, closed_logs: closedLogs.map((row) => ({ ...row })) },
  };
}

/** A day later, the service lets another key replace the one of the backup. */
const afterwards = (): KeyLogMaker => backup.copy().wait(24 * 3600_000);
const withNext = (): KeyLogMaker => afterwards().event('added', R3, K, R3);
const lost = 'entry 5 of first.example/keys is lost: the key';

const kept = (log: KeyLogMaker, end: End, predecessor: readonly string[] = [end.copy]): KeyLogStory => ({
  ...{ log: continued(log, end), predecessor, verdict: 'valid', problem: null },
});
const isLost = (problem: string, log: KeyLogMaker, end: End, predecessor = [end.copy]): KeyLogStory => ({
  ...kept(log, end, predecessor),
  verdict: 'lost_events',
  problem,
});

/** Ends the key of the backup once more, at the time and at the size of some hours after the backup. */
function endedAgain(event: 'retired' | 'compromised', hours: number, size = 10 * hours): KeyLogMaker {
  const by = event === 'retired' ? [R, R3] : [K];
  const log = withNext();
  const then = backup.copy();
  for (let hour = 0; hour < size / 10; hour++) then.later();
  then.wait((hours - size / 10) * 3600_000).event(event, R, ...by);
  log.entries.push(...then.entries.slice(backup.entries.length));
  return log.event('activated', R3, ...(event === 'retired' ? [R, R3] : [K, R3]));
}

/** Lists of logs that continue others after a restore, verified with copies of the closed ones. */
export const LOSSES: Readonly<Record<string, KeyLogStory>> = {
  'lost-only-a-next-key': kept(backup, { copy: 'closed-added' }),
  'lost-without-a-copy': isLost('receipts.example/keys does not begin', backup, { copy: 'closed-added' }, []),
  'lost-compromise': isLost(lost, backup, { copy: 'closed-stolen' }),
  'lost-retirement': isLost(lost, backup, { copy: 'closed-rotated' }),
  'compromise-kept': kept(endedAgain('compromised', 1), { copy: 'closed-stolen' }),
  'compromise-kept-at-fewer-receipts': kept(endedAgain('compromised', 1, 0), { copy: 'closed-stolen' }),
  'compromise-later': isLost(lost, endedAgain('compromised', 2, 10), { copy: 'closed-stolen' }),
  'compromise-at-more-receipts': isLost(lost, endedAgain('compromised', 1, 20), { copy: 'closed-stolen' }),
  'compromise-now-a-retirement': isLost(lost, endedAgain('retired', 1), { copy: 'closed-stolen' }),
  'retirement-kept': kept(endedAgain('retired', 1), { copy: 'closed-rotated' }),
  'retirement-now-a-compromise': kept(endedAgain('compromised', 1), { copy: 'closed-rotated' }),
  'retirement-later': isLost(lost, endedAgain('retired', 2, 10), { copy: 'closed-rotated' }),
  // The operator says that it published less than it did, and the copy has the report that it signed.
  'closed-before-the-compromise': isLost(
    'receipts.example/keys says that first.example/keys had 5 entries',
    backup,
    { copy: 'closed-stolen', size: 5 },
  ),
  'closed-uncertainly-before-the-compromise': isLost(lost, backup, {
    ...{ copy: 'closed-stolen', size: 5, certain: false },
  }),
  'closed-uncertainly-before-a-next-key': kept(backup, { copy: 'closed-added', size: 4, certain: false }),
  'closed-uncertainly-without-a-copy': kept(backup, { copy: 'closed-added', size: 4, certain: false }, []),
  'copy-of-another-tree': isLost(
    'the copy of first.example/keys does not begin',
    backup,
    { copy: 'closed-added' },
    ['closed-of-another-tree'],
  ),
  'lost-closing': isLost('entry 5 of first.example/keys is lost: log_closed', backup, {
    copy: 'closed-twice-before',
  }),
};
