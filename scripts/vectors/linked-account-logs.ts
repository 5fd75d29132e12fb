import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { nativePrimitives } from '../../src/platform/crypto/crypto.ts';
import { bytesToHex } from '../../src/proof/encoding/hex.ts';
import { type AccountEntry, accountEntryText } from '../../src/proof/log/log-entry.ts';
import { Frontier, leafHash } from '../../src/proof/log/merkle.ts';
import type { Receipt } from '../../src/proof/receipt/receipt.ts';
import {
  cosigned,
  cosignedNote,
  FINAL,
  LeafWriter,
  OTHER,
  pendingReceipt,
  REVOKED,
  version,
  writeAccountLog,
} from '../../test/support/made-account.ts';

export const NOW = Date.parse('2026-05-01T12:00:00.000Z');
export const ATTESTED = NOW - 30_000;
const MINUTE = 60_000;
/** The time so many minutes after the beginning of the hour of the stories. */
export const at = (minutes: number): number => NOW - 60 * MINUTE + minutes * MINUTE;
const SECONDS = 1 / 60;

/** A receipt whose agent has several. */
export const issued = (index: number, time: number, expiry = '2090-01-01T00:00:00.000Z'): Receipt =>
  pendingReceipt(index, time, { agent_id: `agent-${index % 3}`, expiry });
export const final = (receipt: Receipt): Receipt => version(receipt, FINAL);
const revoked = (receipt: Receipt): Receipt => version(receipt, REVOKED);

interface Changes {
  /**
   * When the receipts 1 and 2 were issued, which are the first and the last leaf between two kept
   * checkpoints.
   */
  first?: number;
  last?: number;
  /** When the receipt 5 expires. */
  expiry?: number;
}

/** Six receipts with all outcomes, and the leaves of another account between them. */
function sixReceipts({ first = at(3), last = at(5), expiry = ATTESTED + 1 }: Changes = {}) {
  const writer = new LeafWriter();
  const all = [at(2), first, last, at(8), at(10), at(12)].map((time, index) =>
    issued(index, time, new Date([3, 5].includes(index) ? expiry : at(1_000_000)).toISOString()),
  );
  const [zero, one, two, three, four, five] = all;
  if (!zero || !one || !two || !three || !four || !five) throw new Error('there are six receipts');
  const others = pendingReceipt(100, at(3.5), { operator_id: OTHER });
  const outcomes = { zero: final(zero), two: final(two), four: final(four) };
  const latest = [outcomes.zero, one, revoked(outcomes.two), revoked(three), outcomes.four, five] as const;
  writer.link('linked', at(0));
  writer.link('linked', at(0.5), OTHER);
  writer.act('issued', zero, at(2));
  writer.act('issued', one, first);
  writer.act('issued', others, at(3.5));
  writer.act('finalized', outcomes.zero, at(4));
  writer.act('issued', two, last);
  writer.act('finalized', outcomes.two, at(6));
  writer.act('revoked', latest[2], at(7));
  writer.act('issued', three, at(8));
  writer.act('revoked', latest[3], at(9));
  writer.act('issued', four, at(10));
  writer.act('finalized', outcomes.four, at(11));
  writer.act('issued', five, at(12));
  return { entries: writer.entries, all, latest: [...latest], others };
}

const KEPT = [
  { size: 0, time: at(-1) },
  { size: 3, time: at(2 + 10 * SECONDS) },
  { size: 7, time: at(5 + 10 * SECONDS) },
  { size: 11, time: at(9 + 10 * SECONDS) },
];
export const SIX = sixReceipts();

/** The entries that the log of the six receipts and the closed one have in common. */
const COMMON = 9;

/** A log that was closed at minute 7.5, whose last two entries its successor does not have. */
function closedLog() {
  const writer = new LeafWriter();
  const receipt = issued(6, at(7) + 10_000);
  // So that sequences continue those of the common entries.
  const [zero, one, two] = SIX.latest;
  if (!zero || !one || !two) throw new Error('there are six receipts');
  writer.link('linked', at(0));
  writer.act('issued', zero, at(2));
  writer.act('issued', one, at(3));
  writer.act('finalized', zero, at(4));
  writer.act('issued', two, at(5));
  writer.act('finalized', two, at(6));
  writer.act('revoked', two, at(7));
  const before = writer.entries.length;
  writer.act('issued', receipt, at(7) + 10_000);
  writer.act('finalized', final(receipt), at(7) + 20_000);
  const entries = [...SIX.entries.slice(0, COMMON), ...writer.entries.slice(before)];
  return { entries, receipt: final(receipt) };
}
export const CLOSED = closedLog();
const AT_CLOSE = { size: CLOSED.entries.length, time: at(7.5) };

/** Returns the root of the first entries of a log. */
export function rootOf(entries: readonly AccountEntry[], size = entries.length): string {
  const frontier = new Frontier(nativePrimitives);
  for (const entry of entries.slice(0, size))
    frontier.append(leafHash(nativePrimitives, Buffer.from(accountEntryText(entry))));
  return bytesToHex(frontier.root());
}
/**
 * The first leaf is 60 s before the checkpoint that does not have it, the last one 60 s after the one that
 * has it.
 */
export const EDGE = sixReceipts({ first: at(1 + 10 * SECONDS), last: at(6 + 10 * SECONDS) });
export const BEYOND = sixReceipts({ first: at(1 + 10 * SECONDS) - 1, last: at(6 + 10 * SECONDS) + 1 });
export const EXPIRED = sixReceipts({ expiry: ATTESTED });

/** Unlinked from minute 10 to 40; receipts of each kind around. */
function unlinkedHalfHour() {
  const writer = new LeafWriter();
  const [a, b, c, d] = [at(5), at(6), at(20), at(45)].map((time, index) => issued(index, time));
  if (!a || !b || !c || !d) throw new Error('there are four receipts');
  writer.link('linked', at(0));
  writer.act('issued', a, at(5));
  writer.act('issued', b, at(6));
  writer.link('unlinked', at(10));
  writer.link('linked', at(40));
  writer.act('finalized', final(c), at(41));
  writer.act('issued', d, at(45));
  return { entries: writer.entries, list: [a, final(b), final(c), d] };
}
export const HALF_HOUR = unlinkedHalfHour();

/** Linked and unlinked twice each, and a receipt without a link. */
function contradictingLinks() {
  const writer = new LeafWriter();
  const list = [issued(0, at(5)), issued(1, at(8))] as const;
  writer.link('linked', at(0));
  writer.link('linked', at(1));
  writer.act('issued', list[0], at(5));
  writer.link('unlinked', at(6));
  writer.link('unlinked', at(7));
  writer.act('issued', list[1], at(8));
  writer.link('linked', at(9));
  return { entries: writer.entries, list: [...list] };
}
export const LINKS = contradictingLinks();

/** Two receipts that are older than the link: one is finalized, and one, which is final, revoked. */
function beforeLink() {
  const writer = new LeafWriter();
  const list = [final(issued(0, at(5))), revoked(final(issued(1, at(6))))] as const;
  writer.link('linked', at(10));
  writer.act('finalized', list[0], at(11));
  writer.act('revoked', list[1], at(12));
  return { entries: writer.entries, list: [...list] };
}
export const BEFORE = beforeLink();

/** Not linked any more. */
function unlinkedForEver() {
  const writer = new LeafWriter();
  const list = [issued(0, at(5)), issued(1, at(50))] as const;
  writer.link('linked', at(0));
  writer.act('issued', list[0], at(5));
  writer.link('unlinked', at(10));
  return { entries: writer.entries, list: [...list] };
}
export const ENDED = unlinkedForEver();

/** The checkpoint of before the first entry. */
const EMPTY = KEPT.slice(0, 1);
export const FORMER = 'former.example/accounts';
type Kept = { size: number; time: number }[];
const whole = (entries: readonly unknown[], before: Kept = KEPT): Kept => [
  ...before,
  { size: entries.length, time: ATTESTED },
];

const leaf = (index: number): AccountEntry => {
  const entry = SIX.entries[index];
  if (entry === undefined) throw new Error(`there is no entry ${index}`);
  return entry;
};
const without = SIX.entries.toSpliced(7, 1);
const repeated = SIX.entries.toSpliced(8, 0, leaf(7));
const swapped = SIX.entries.with(6, leaf(7)).with(7, leaf(6));
const ofOtherAgent = SIX.entries.map(
  (entry, index): AccountEntry =>
    index === 8 && entry.receipt_id !== null ? { ...entry, agent: 'f'.repeat(64) } : entry,
);
const texts = (own: number, change: (text: string) => string): (AccountEntry | string)[] =>
  SIX.entries.map((entry, index) => (index === own ? change(JSON.stringify(entry)) : entry));
const bundle = `accounts/tile/entries/000.p/${SIX.entries.length}`;
const rootIn = (directory: string): Buffer =>
  Buffer.from(readFileSync(join(directory, 'accounts/checkpoint'), 'utf8').split('\n')[2] ?? '', 'base64');
const keepLine = (directory: string, line: string): void =>
  writeFileSync(join(directory, 'accounts/checkpoints.ndjson'), `${line}\n`, { flag: 'a' });
const keep = (directory: string, note: string): void => keepLine(directory, JSON.stringify({ note }));
const sign = (directory: string, note: string): void =>
  writeFileSync(join(directory, 'accounts/checkpoint'), note);
const size = SIX.entries.length;
/** A checkpoint that one witness cosigned at one time, and the other at another. */
const byTimes = (entries: number, root: Uint8Array, one: number, two: number): string =>
  cosigned(cosigned(cosignedNote(entries, root, 0, []), one, ['one']), two, ['two']);
const other = Buffer.alloc(32, 1);
const rootOfNothing = new Frontier(nativePrimitives).root();

/**
 * The copies of logs, by the names of their directories: the entries, the kept checkpoints, and what is
 * changed afterwards.
 */
const LOGS: Readonly<
  Record<
    string,
    {
      entries: readonly (AccountEntry | string)[];
      kept?: Kept;
      origin?: string;
      /** The last of `kept` is its newest checkpoint. */
      isClosed?: true;
      change?: (directory: string) => void;
    }
  >
> = {
  log: SIX,
  'log-dropped': { entries: without },
  'log-repeated': { entries: repeated },
  'log-swapped': { entries: swapped },
  'log-agent': { entries: ofOtherAgent },
  'log-edge': EDGE,
  'log-beyond': BEYOND,
  'log-expired': EXPIRED,
  'log-half-hour': { entries: HALF_HOUR.entries, kept: EMPTY },
  'log-links': { entries: LINKS.entries, kept: EMPTY },
  'log-before': { entries: BEFORE.entries, kept: EMPTY },
  'log-ended': { entries: ENDED.entries, kept: EMPTY },
  // The first leaves could be younger than they say.
  'log-late': { entries: SIX.entries, kept: KEPT.slice(1) },
  'log-alone-cosigned': { entries: SIX.entries, kept: [] },
  // It continues the closed log from its beginning, or from a backup of that.
  'log-continues': { entries: SIX.entries, kept: [{ size: COMMON, time: at(7.6) }] },
  'log-closed': {
    entries: CLOSED.entries,
    kept: [...KEPT.slice(0, 3), AT_CLOSE],
    origin: FORMER,
    isClosed: true,
  },
  'log-closed-whole': {
    entries: SIX.entries.slice(0, COMMON),
    kept: [...KEPT.slice(0, 3), { size: COMMON, time: at(7.5) }],
    origin: FORMER,
    isClosed: true,
  },
  'log-closed-cut': {
    entries: SIX.entries.slice(0, 8),
    kept: KEPT.slice(0, 3),
    origin: FORMER,
    isClosed: true,
  },
  'log-closed-uncosigned': {
    entries: CLOSED.entries,
    origin: FORMER,
    kept: [AT_CLOSE],
    isClosed: true,
    change: (directory) => {
      writeFileSync(join(directory, 'accounts/checkpoints.ndjson'), '');
      sign(directory, cosignedNote(CLOSED.entries.length, rootIn(directory), at(7.5), [], FORMER));
    },
  },
  'log-form': { entries: texts(5, (text) => ` ${text}`) },
  'log-own-form': { entries: texts(5, () => `{"account":"${leaf(5).account}","v":1}`) },
  'log-cut': {
    entries: SIX.entries,
    change: (directory) => {
      const file = join(directory, bundle);
      writeFileSync(file, readFileSync(file).subarray(0, -1));
    },
  },
  'log-missing': { entries: SIX.entries, change: (directory) => rmSync(join(directory, bundle)) },
  'log-changed': {
    entries: SIX.entries,
    change: (directory) => {
      const file = join(directory, bundle);
      writeFileSync(
        file,
        Buffer.from(readFileSync(file, 'latin1').replace('"issued"', '"issueD"'), 'latin1'),
      );
    },
  },
  'log-alone': {
    entries: SIX.entries,
    change: (directory) => sign(directory, cosignedNote(size, rootIn(directory), ATTESTED, ['three'])),
  },
  'log-forged': {
    entries: SIX.entries,
    // The witness `three` cosigned another tree.
    change: (directory) => {
      const note = readFileSync(join(directory, 'accounts/checkpoint'), 'utf8');
      const [line] = cosigned(cosignedNote(size, other, ATTESTED, []), ATTESTED, ['three'])
        .trimEnd()
        .split('\n')
        .slice(-1);
      sign(directory, `${note}${line}\n`);
    },
  },
  'log-other-name': {
    entries: SIX.entries,
    change: (directory) =>
      sign(
        directory,
        cosignedNote(size, rootIn(directory), ATTESTED, ['one', 'two'], 'other.example/accounts'),
      ),
  },
  'log-behind': {
    entries: SIX.entries,
    change: (directory) => keep(directory, cosignedNote(size + 1, other, ATTESTED - 60_000)),
  },
  'log-growing': {
    entries: SIX.entries,
    change: (directory) => keep(directory, cosignedNote(size + 1, other, ATTESTED - 59_000)),
  },
  'log-behind-of-one': {
    entries: SIX.entries,
    change: (directory) =>
      keep(directory, byTimes(size + 1, other, ATTESTED - 60 * MINUTE, ATTESTED - 59_000)),
  },
  'log-kept-early-of-one': {
    entries: SIX.entries,
    change: (directory) =>
      keep(directory, byTimes(7, Buffer.from(rootOf(SIX.entries, 7), 'hex'), at(-1), at(5.5))),
  },
  'log-early-of-one': {
    entries: SIX.entries,
    change: (directory) => {
      writeFileSync(join(directory, 'accounts/checkpoints.ndjson'), '');
      for (const { size: entries, time } of KEPT) {
        const root = Buffer.from(rootOf(SIX.entries, entries), 'hex');
        keep(directory, byTimes(entries, root, time, ATTESTED));
      }
    },
  },
  'log-old-of-one': {
    entries: SIX.entries,
    change: (directory) => sign(directory, byTimes(size, rootIn(directory), NOW - 15 * MINUTE, ATTESTED)),
  },
  'log-second-of-one': {
    entries: SIX.entries,
    change: (directory) => sign(directory, byTimes(size, rootIn(directory), ATTESTED - 1000, ATTESTED)),
  },
  'log-second-of-one-alone': {
    entries: SIX.entries,
    kept: EMPTY,
    change: (directory) => {
      sign(directory, byTimes(size, rootIn(directory), ATTESTED - 1000, ATTESTED));
      writeFileSync(join(directory, 'accounts/checkpoints.ndjson'), '');
      keep(directory, cosignedNote(0, rootOfNothing, at(-1)));
    },
  },
  'log-forked': {
    entries: SIX.entries,
    change: (directory) => keep(directory, cosignedNote(7, other, at(5.5))),
  },
  'log-kept-alone': {
    entries: SIX.entries,
    change: (directory) => keep(directory, cosignedNote(7, other, at(5.5), ['two'])),
  },
  'log-kept-text': {
    entries: SIX.entries,
    change: (directory) =>
      writeFileSync(join(directory, 'accounts/checkpoints.ndjson'), 'made.example/accounts\n', { flag: 'a' }),
  },
  'log-kept-integer': {
    entries: SIX.entries,
    change: (directory) => keepLine(directory, '{"note":"","size":9007199254740993}'),
  },
  'log-kept-surrogate': {
    entries: SIX.entries,
    change: (directory) => {
      const forked = JSON.stringify(cosignedNote(7, other, at(5.5)));
      keepLine(directory, `{"note":${forked.slice(0, -1)}\u2014 \\ud800.example AAAAAAA=\\n"}`);
    },
  },
  'log-ahead': {
    entries: [...SIX.entries, ...HALF_HOUR.entries.slice(0, 1)],
    change: (directory) => {
      const cosignedPart = join(directory, 'cosigned');
      writeAccountLog(cosignedPart, { entries: SIX.entries, kept: whole(SIX.entries) });
      const note = readFileSync(join(cosignedPart, 'accounts/checkpoint'));
      rmSync(cosignedPart, { recursive: true });
      writeFileSync(join(directory, 'accounts/cosigned-checkpoint'), note);
      sign(directory, cosignedNote(size + 1, rootIn(directory), ATTESTED, []));
      writeFileSync(join(directory, 'accounts/checkpoints.ndjson'), '');
      keep(directory, cosignedNote(0, rootOfNothing, at(-1)));
    },
  },
};

/** Writes all copies of logs. */
export function writeLogs(directory: string): void {
  for (const [name, { entries, kept = KEPT, origin, isClosed, change }] of Object.entries(LOGS)) {
    const own = join(directory, name);
    mkdirSync(own, { recursive: true });
    writeAccountLog(own, {
      entries,
      kept: isClosed ? kept : whole(entries, kept),
      ...(origin === undefined ? {} : { origin }),
    });
    change?.(own);
  }
}
