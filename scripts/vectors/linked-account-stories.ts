import type { Receipt } from '../../src/proof/receipt/receipt.ts';
import { FINAL, linesOf, OPERATOR, OTHER, version } from '../../test/support/made-account.ts';
import {
  ATTESTED,
  at,
  BEFORE,
  BEYOND,
  CLOSED,
  EDGE,
  ENDED,
  EXPIRED,
  final,
  HALF_HOUR,
  issued,
  LINKS,
  SIX,
} from './linked-account-logs.ts';

/**
 * A problem: its kind, the receipt by its number (null for none), its line and the sequence of its leaf; then
 * the beginning of its detail.
 */
type Named = readonly [
  problem: string,
  receipt: number | null,
  line: number | null,
  sequence: number | null,
  detail?: string,
];

/** A list, the log that it is compared with, and what must be named; null if nothing can be said. */
interface Story {
  name: string;
  list: readonly Receipt[] | string;
  problems: readonly Named[] | null;
  log?: string;
  operator?: string;
  policy?: string;
  keys?: string;
  allowUnlinked?: true;
  /** The Unix time in milliseconds from which on the account is judged. */
  from?: number;
  /** Copies of closed logs. */
  predecessors?: readonly string[];
  /** The Unix time in milliseconds. */
  at?: number;
}

const list = SIX.latest;
const [r0, r1, r2, r3, r4, r5] = list;
if (!r0 || !r1 || !r2 || !r3 || !r4 || !r5) throw new Error('there are six receipts');
const rest = [r1, r2, r3, r4, r5];
const [a, bFinal, cFinal, d] = HALF_HOUR.list;
if (!a || !bFinal || !cFinal || !d) throw new Error('there are four receipts');
const [pending0, , pending2] = SIX.all;
if (!pending0 || !pending2) throw new Error('there are six receipts');
const forged = { ...r0, authority_scope: 'everything' };
const signature = `${r1.signature.startsWith('0') ? '1' : '0'}${r1.signature.slice(1)}`;
const receipts = (...of: number[]): Named[] =>
  of.map((line) => ['not_authentic', line - 1, line, [2, 3, 5, 8, 10, 12][line - 1] ?? null]);
const first = (name: string, receipt: object, ...problems: Named[]): Story => ({
  name,
  list: linesOf([receipt, ...rest]),
  problems,
});
const refused = (name: string, changes: Partial<Story>): Story => ({
  name,
  list,
  problems: null,
  ...changes,
});
/** A log that begins with a backup of a closed one, which is read. */
const CONTINUED = { log: 'log-continues', keys: 'keys-closed.json', predecessors: ['log-closed'] };
const half = (
  name: string,
  more: readonly Receipt[],
  problems: readonly Named[],
  changes: Partial<Story> = {},
): Story => ({
  name,
  list: [a, bFinal, cFinal, ...more, d],
  log: 'log-half-hour',
  problems: [
    ['outcome_unproven', 1, 2, 3],
    ['issue_unproven', 2, 3, 6],
    ...problems,
    ['unlinked', null, null, 4],
  ],
  ...changes,
});

export const STORIES: readonly Story[] = [
  { name: 'complete', list, problems: [] },
  { name: 'a receipt dropped', list: [r0, r1, r3, r4, r5], problems: [['missing', 2, null, 5]] },
  {
    name: 'cut at the end',
    list: [r0, r1, r2, r3],
    problems: [
      ['missing', 4, null, 10],
      ['missing', 5, null, 12],
    ],
  },
  {
    name: 'an empty list',
    list: [],
    problems: [2, 3, 5, 8, 10, 12].map((sequence, receipt) => ['missing', receipt, null, sequence]),
  },
  { name: 'two neighbours swapped', list: [r0, r2, r1, r3, r4, r5], problems: [['reordered', 2, 2, 5]] },
  { name: 'two swapped at the end', list: [r0, r1, r2, r3, r5, r4], problems: [['reordered', 5, 5, 12]] },
  { name: 'the first receipt moved to the end', list: [...rest, r0], problems: [['reordered', 0, 6, 2]] },
  {
    name: 'two halves swapped',
    list: [r3, r4, r5, r0, r1, r2],
    problems: [
      ['reordered', 3, 1, 8],
      ['reordered', 4, 2, 10],
      ['reordered', 5, 3, 12],
    ],
  },
  {
    name: 'backwards',
    list: [r5, r4, r3, r2, r1, r0],
    problems: [12, 10, 8, 5, 3].map((sequence, index) => ['reordered', 5 - index, index + 1, sequence]),
  },
  first('other content, signed again', version(r0, { input_digest: '00'.repeat(32) }), ['altered', 0, 1, 2]),
  first('another outcome, signed again', version(r0, { output_hash: '00'.repeat(32) }), ['altered', 0, 1, 2]),
  first('another agent, signed again', version(r0, { agent_id: 'agent-7' }), ['altered', 0, 1, 2]),
  first('another issued_at, signed again', version(r0, { issued_at: new Date(at(2) + 1).toISOString() }), [
    'altered',
    0,
    1,
    2,
  ]),
  first('the version before the outcome', pending0, ['altered', 0, 1, 2]),
  first('a revocation that the log does not have', version(r0, { revocation_status: 'revoked' }), [
    'altered',
    0,
    1,
    2,
  ]),
  {
    name: 'the version before the revocation',
    list: [r0, r1, final(pending2), r3, r4, r5],
    problems: [['altered', 2, 3, 5]],
  },
  {
    name: 'an outcome that the log does not have',
    list: [r0, version(r1, FINAL), r2, r3, r4, r5],
    problems: [['altered', 1, 2, 3]],
  },
  {
    name: 'altered and out of order',
    list: [r0, version(r2, { input_digest: '00'.repeat(32) }), r1, r3, r4, r5],
    problems: [
      ['altered', 2, 2, 5],
      ['reordered', 2, 2, 5],
    ],
  },
  first(
    'moved to another account, signed again',
    version(r0, { operator_id: OTHER }),
    ['foreign', 0, 1, 2],
    ['missing', 0, null, 2],
  ),
  first('changed and not signed again', forged, ['not_authentic', 0, 1, 2, 'hash_mismatch: ']),
  {
    name: 'another signature',
    list: linesOf([r0, { ...r1, signature }, r2, r3, r4, r5]),
    problems: [['not_authentic', 1, 2, 3, 'bad_signature: ']],
  },
  {
    name: 'an unknown key',
    list: linesOf([{ ...r0, kid: 'A'.repeat(43) }, ...rest]),
    problems: [['not_authentic', 0, 1, 2, 'key_unknown: ']],
  },
  { name: 'a receipt twice', list: [r0, r0, ...rest], problems: [['duplicate', 0, 2, 2]] },
  {
    name: 'a changed receipt before the genuine one',
    list: linesOf([forged, r0, ...rest]),
    problems: [
      ['not_authentic', 0, 1, 2, 'hash_mismatch: '],
      ['duplicate', 0, 2, 2],
    ],
  },
  {
    name: 'blank lines, lines that are no receipts, and no end of the last line',
    list: `${JSON.stringify(r0)}\r\n\n \t\r\nno JSON\n{"receipt_id":"${r1.receipt_id}"}\n${linesOf(rest).trimEnd()}`,
    problems: [
      ['not_authentic', null, 4, null, 'malformed: '],
      ['not_authentic', null, 5, null, 'malformed: '],
    ],
  },
  {
    name: 'a receipt that was issued later, without a leaf',
    list: [...list, issued(9, at(20))],
    problems: [['extra', 9, 7, null]],
  },
  {
    name: 'a receipt that was issued more than 60 s after the link, without a leaf',
    list: [issued(9, at(1) + 1), ...list],
    problems: [['extra', 9, 1, null]],
  },
  {
    name: 'a receipt that was issued 60 s after the link, without a leaf',
    list: [issued(9, at(1)), ...list],
    problems: [['unproven', 9, 1, null]],
  },
  {
    name: 'allowed: a receipt that was issued 60 s after the link',
    list: [issued(9, at(1)), ...list],
    problems: [['unproven', 9, 1, null]],
    allowUnlinked: true,
  },
  { name: 'the other account', list: [SIX.others], operator: OTHER, problems: [] },
  refused('an account that was never linked', { operator: OPERATOR.replace('A1', 'Z9') }),
  { name: 'a key of receipts that ended', list, keys: 'keys-retired.json', problems: receipts(5, 6) },
  {
    name: 'a compromised key of receipts',
    list,
    keys: 'keys-compromised.json',
    problems: receipts(1, 2, 3, 4, 5, 6),
  },

  {
    name: 'a leaf dropped',
    list,
    log: 'log-dropped',
    problems: [
      ['sequence', 2, null, 7],
      ['agent_sequence', 2, null, 7],
      ['altered', 2, 3, 5],
    ],
  },
  {
    name: 'a leaf twice',
    list,
    log: 'log-repeated',
    problems: [
      ['sequence', 2, null, 6],
      ['agent_sequence', 2, null, 6],
      ['event', 2, null, 6],
    ],
  },
  {
    name: 'two leaves swapped',
    list,
    log: 'log-swapped',
    problems: [
      ['sequence', 2, null, 6],
      ['agent_sequence', 2, null, 6],
      ['sequence', 2, null, 5],
      ['agent_sequence', 2, null, 5],
      ['event', 2, null, 5],
      ['altered', 2, 3, 6],
    ],
  },
  {
    name: 'a leaf moved to another agent',
    list,
    log: 'log-agent',
    problems: [
      ['agent_sequence', 2, null, 7],
      ['event', 2, null, 7],
      ['agent_sequence', 5, null, 12],
    ],
  },
  {
    name: 'a leaf that does not begin like one',
    list,
    log: 'log-form',
    problems: [
      ['sequence', 2, null, 5],
      ['agent_sequence', 3, null, 8],
      ['altered', 0, 1, 2],
    ],
  },
  {
    name: 'leaves that contradict the link',
    list: LINKS.list,
    log: 'log-links',
    problems: [
      ['link', null, null, 2],
      ['link', null, null, 5],
      ['link', 1, null, 6],
      ['unlinked', null, null, 4],
    ],
  },
  { name: 'times 60 s outside the checkpoints', list: EDGE.latest, log: 'log-edge', problems: [] },
  {
    name: 'times more than 60 s outside the checkpoints',
    list: BEYOND.latest,
    log: 'log-beyond',
    problems: [
      ['time', 1, null, 3],
      ['time', 2, null, 5],
    ],
  },
  {
    name: 'never finalized, and expired at the time of the checkpoint',
    list: EXPIRED.latest,
    log: 'log-expired',
    problems: [['pending', 5, 6, 12]],
  },

  half('unlinked for half an hour', [], []),
  half('allowed: unlinked for half an hour', [], [], { allowUnlinked: true }),
  half('allowed: issued meanwhile, without a leaf', [issued(7, at(30))], [['unproven', 7, 4, null]], {
    allowUnlinked: true,
  }),
  half(
    'issued 60 s before and after it',
    [issued(7, at(9)), issued(8, at(41))],
    [
      ['unproven', 7, 4, null],
      ['unproven', 8, 5, null],
    ],
  ),
  half(
    'allowed: issued more than 60 s before and after it',
    [issued(7, at(9) - 1), issued(8, at(41) + 1)],
    [
      ['extra', 7, 4, null],
      ['extra', 8, 5, null],
    ],
    { allowUnlinked: true },
  ),
  {
    name: 'unlinked, and a receipt dropped',
    list: [a, cFinal, d],
    log: 'log-half-hour',
    allowUnlinked: true,
    problems: [
      ['issue_unproven', 2, 2, 6],
      ['missing', 1, null, 3],
      ['unlinked', null, null, 4],
    ],
  },
  {
    name: 'unlinked for ever',
    list: ENDED.list,
    log: 'log-ended',
    problems: [
      ['unproven', 1, 2, null],
      ['unlinked', null, null, 3],
    ],
  },
  {
    name: 'receipts that are older than the link',
    list: BEFORE.list,
    log: 'log-before',
    problems: [
      ['issue_unproven', 0, 1, 2],
      ['issue_unproven', 1, 2, 3],
      ['outcome_unproven', 1, 2, 3],
    ],
  },

  {
    name: 'a millisecond before the checkpoint is too old',
    list,
    at: ATTESTED + 15 * 60_000 - 1,
    problems: [],
  },
  refused('a checkpoint that is 15 minutes old', { at: ATTESTED + 15 * 60_000 }),
  { name: 'cosignatures that are 60 s ahead', list, at: ATTESTED - 60_000, problems: [] },
  refused('cosignatures that are more than 60 s ahead', { at: ATTESTED - 60_001 }),
  refused('a checkpoint without the quorum', { log: 'log-alone' }),
  refused('a cosignature of another checkpoint', { log: 'log-forged' }),
  refused('the checkpoint of another log', { log: 'log-other-name' }),
  refused('a key of the log that ended before the cosignatures', { keys: 'keys-log-ended.json' }),
  {
    name: 'a key of the log that ended at the time of the cosignatures',
    list,
    keys: 'keys-log-ends.json',
    problems: [],
  },
  { name: 'a log that begins with a closed one', list, keys: 'keys-continued.json', problems: [] },
  { name: 'a closed log that had nothing', list, keys: 'keys-continued-empty.json', problems: [] },
  {
    name: 'a log that does not begin with the closed one',
    list,
    keys: 'keys-lost.json',
    problems: [['predecessor', null, null, null, 'made.example/accounts does not begin with the 5 entries']],
  },
  {
    name: 'a closed log that was larger',
    list,
    keys: 'keys-lost-more.json',
    problems: [['predecessor', null, null, null, 'made.example/accounts does not begin with the 1000']],
  },
  {
    name: 'a closed log with an uncertain end',
    list,
    keys: 'keys-uncertain.json',
    problems: [['predecessor', null, null, null, 'nothing says how many entries']],
  },
  {
    name: 'a log that continues a closed one, without a copy of that',
    list,
    log: 'log-continues',
    keys: 'keys-continued-nine.json',
    problems: [['unbounded', null, null, 7, 'no kept checkpoints bound the times of 7 leaves']],
  },
  {
    name: 'a log that continues a closed one, with a copy of that',
    list,
    log: 'log-continues',
    keys: 'keys-continued-nine.json',
    predecessors: ['log-closed-whole'],
    problems: [],
  },
  {
    name: 'a log that lost entries, without a copy of the closed one',
    list,
    log: 'log-continues',
    keys: 'keys-closed.json',
    problems: [
      ['unbounded', null, null, 7, 'no kept checkpoints bound the times of 7 leaves'],
      ['predecessor', null, null, null, 'made.example/accounts does not begin with the 11 entries'],
    ],
  },
  {
    name: 'a log that lost entries: the receipts of the closed one are missing',
    list,
    ...CONTINUED,
    problems: [['missing', 6, null, 8]],
  },
  {
    name: 'a log that lost entries, and all receipts of both',
    list: [r0, r1, r2, CLOSED.receipt, r3, r4, r5],
    ...CONTINUED,
    problems: [],
  },
  {
    name: 'a log that lost entries, from a time after that',
    list,
    ...CONTINUED,
    from: at(7.6),
    problems: [],
  },
  {
    name: 'a copy of a closed log without a quorum bounds no times',
    list: [r0, r1, r2, CLOSED.receipt, r3, r4, r5],
    ...CONTINUED,
    predecessors: ['log-closed-uncosigned'],
    problems: [['unbounded', null, null, 9, 'no kept checkpoints bound the times of 9 leaves']],
  },
  {
    name: 'a closed log with an uncertain end, of which the quorum cosigned more',
    list,
    ...CONTINUED,
    keys: 'keys-closed-uncertain.json',
    problems: [
      ['predecessor', null, null, null, 'nothing says how many entries'],
      ['missing', 6, null, 8],
    ],
  },
  refused('a closed log of which the quorum cosigned more', {
    ...CONTINUED,
    keys: 'keys-closed-smaller.json',
  }),
  refused('a copy that lacks entries of the closed log', { ...CONTINUED, predecessors: ['log-closed-cut'] }),
  refused('a copy of the closed log with other entries', { ...CONTINUED, keys: 'keys-lost-more.json' }),
  refused('a copy of a log that is not continued', { ...CONTINUED, keys: 'keys.json' }),
  refused('two copies of a closed log', { ...CONTINUED, predecessors: ['log-closed', 'log-closed'] }),
  {
    name: 'leaves from before the first kept checkpoint',
    list,
    log: 'log-late',
    problems: [['unbounded', null, null, 2, 'no kept checkpoints bound the times of 2 leaves']],
  },
  {
    name: 'no kept checkpoint but the newest',
    list,
    log: 'log-alone-cosigned',
    problems: [['unbounded', null, null, 12, 'no kept checkpoints bound the times of 12 leaves']],
  },
  { name: 'from the first kept checkpoint', list, log: 'log-late', from: at(2) + 10_000, problems: [] },
  {
    name: 'from a time before the first kept checkpoint',
    list,
    log: 'log-late',
    from: at(2) + 9999,
    problems: [['unbounded', null, null, 2, 'no kept checkpoints bound the times of 2 leaves']],
  },
  {
    name: 'from a time: an earlier receipt is not missed, one with a later leaf is',
    list: [r2, r3, r4, r5],
    from: at(2) + 10_000,
    problems: [
      ['missing', 0, null, 2],
      ['missing', 1, null, 3],
    ],
  },
  {
    name: 'from a time after the newest kept checkpoint but one',
    list: [],
    from: at(12) + 10_000,
    problems: [
      ['missing', 4, null, 10],
      ['missing', 5, null, 12],
    ],
  },
  {
    name: 'from a time: what was wrong before is not judged',
    list: [a, bFinal, cFinal, d],
    log: 'log-half-hour',
    from: at(-1),
    problems: [
      ['outcome_unproven', 1, 2, 3],
      ['issue_unproven', 2, 3, 6],
      ['unlinked', null, null, 4],
    ],
  },
  refused('from a time that is not before the newest checkpoint', { from: ATTESTED }),
  { name: 'a closed log of receipts', list, keys: 'keys-of-other-log.json', problems: [] },
  refused('a larger checkpoint, cosigned 60 s before', { log: 'log-behind' }),
  { name: 'a larger checkpoint, cosigned less than 60 s before', list, log: 'log-growing', problems: [] },
  {
    name: 'a larger checkpoint, which one of two cosigned an hour before',
    ...{ list, log: 'log-behind-of-one', problems: [] },
  },
  {
    name: 'a kept checkpoint that one of two cosigned before its leaves',
    ...{ list, log: 'log-kept-early-of-one', problems: [] },
  },
  {
    name: 'from a time: one of two cosigned before it, and a receipt was dropped',
    list: rest,
    log: 'log-early-of-one',
    from: at(13),
    problems: [['missing', 0, null, 2]],
  },
  refused('a checkpoint that one of two cosigned 15 minutes ago', { log: 'log-old-of-one' }),
  {
    name: 'cosignatures at different times',
    ...{ list, log: 'log-second-of-one', problems: [] },
  },
  refused('a key of the log that ended between the cosignatures', {
    ...{ log: 'log-second-of-one', keys: 'keys-log-ended.json' },
  }),
  refused('an account whose link only one of two cosigned before the newest time', {
    log: 'log-second-of-one-alone',
  }),
  refused('a kept checkpoint of another tree', { log: 'log-forked' }),
  { name: 'a kept checkpoint of another tree without the quorum', list, log: 'log-kept-alone', problems: [] },
  refused('kept checkpoints that are no JSON', { log: 'log-kept-text' }),
  { name: 'a copy with more entries than were cosigned', list, log: 'log-ahead', problems: [] },
  refused('a bundle that is cut', { log: 'log-cut' }),
  refused('a bundle that is missing', { log: 'log-missing' }),
  refused('an entry that was changed', { log: 'log-changed' }),
  refused('a leaf that has another form', { log: 'log-own-form' }),
  refused('a policy without a quorum', { policy: 'none.txt' }),
  refused('a kept checkpoint beside an integer that no double holds', { log: 'log-kept-integer' }),
  { name: 'a kept text with half of a surrogate pair', list, log: 'log-kept-surrogate', problems: [] },
];
