import { nativePrimitives } from '../../src/platform/crypto/crypto.ts';
import { encodeBase64 } from '../../src/proof/encoding/base64.ts';
import { bytesToHex } from '../../src/proof/encoding/hex.ts';
import type { JsonObject, JsonValue } from '../../src/proof/encoding/json.ts';
import { type JournalHead, journalHeadHash } from '../../src/proof/ledger/journal-head.ts';
import { journalHeadsText } from '../../src/proof/log/journal-heads-entry.ts';
import { accountEntryText } from '../../src/proof/log/log-entry.ts';
import { inclusionPath, type NodeReader, nodeHash, treeRoot } from '../../src/proof/log/merkle.ts';
import { formatVerifierKey } from '../../src/proof/log/note.ts';
import type { Operation } from '../../test/support/json-patch.ts';
import { keyRow, type SmallLog, smallLog, testKey, verifierOf } from '../../test/support/small-log.ts';

const AT = '2026-06-01T12:00:00.000Z';
const DATE = '2026-05-27';
const LOG = testKey(8);
const ORIGIN = 'receipts.example/accounts';
const pretty = (value: JsonValue): string => `${JSON.stringify(value, null, 2)}\n`;

/** The heads of a day: of two agents and a pool, each with its salt. */
const HEADS: readonly (JournalHead & { salt: string })[] = [
  { account: 'a1'.repeat(32), entries: 3, head: 'b1'.repeat(32), salt: 'c1'.repeat(16) },
  { account: 'op_cus_Vectors00000000000000001', entries: 1, head: 'b2'.repeat(32), salt: 'c2'.repeat(16) },
  { account: 'a3'.repeat(32), entries: 250, head: 'b3'.repeat(32), salt: 'c3'.repeat(16) },
];
const leaves = HEADS.map(({ salt, ...head }) => journalHeadHash(nativePrimitives, head, salt));
const node: NodeReader = (level, index) =>
  level === 0
    ? (leaves[index] ?? new Uint8Array())
    : nodeHash(nativePrimitives, node(level - 1, 2 * index), node(level - 1, 2 * index + 1));
const root = bytesToHex(treeRoot(nativePrimitives, leaves.length, node));

const entry = journalHeadsText({ date: DATE, accounts: HEADS.length, root });
const late = journalHeadsText({ date: '2026-05-29', accounts: HEADS.length, root });
const entries = [journalHeadsText({ date: '2026-05-26', accounts: 1, root: 'ee'.repeat(32) }), entry];
const log = smallLog(ORIGIN, entries, [LOG]);
/** Another log of the same key, and one of another key. */
const shadow = smallLog('shadow.example/accounts', entries, [LOG]);
const foreign = smallLog(ORIGIN, entries, [testKey(7)]);
const ofAccount = accountEntryText({
  ...{ account: 'd1'.repeat(32), sequence: 1, event: 'linked', at: `${DATE}T10:00:00.000Z` },
  ...{ agent: null, agent_sequence: null, content_hash: null, receipt_id: null },
});
const withAccount = smallLog(ORIGIN, [entries[0] ?? '', ofAccount], [LOG]);
const ofEvidence = smallLog('receipts.example/evidence', entries, [testKey(6)]);
const withLate = smallLog(ORIGIN, [entries[0] ?? '', late], [LOG]);

function proofOf(index: number, { manifest }: SmallLog = log, date = DATE): JsonObject {
  const { salt = '', ...head } = HEADS[index] ?? {};
  return {
    type: 'journal-head-proof',
    date,
    leaf: { ...head, salt, v: 1 },
    leaf_index: index,
    hashes: inclusionPath(nativePrimitives, index, leaves.length, node).map(encodeBase64),
    proof: manifest(1).inclusion_path ?? null,
  };
}

const LOG_LINE = `log ${formatVerifierKey(verifierOf(LOG, ORIGIN))}\n`;
const FILES: Readonly<Record<string, string>> = {
  'keys.json': pretty({
    keys: [keyRow(testKey(1), 'receipts'), keyRow(testKey(6), 'evidence-log'), keyRow(LOG, 'accounts-log')],
    log: { origin: 'receipts.example/keys' },
  }),
  policy: `${LOG_LINE}quorum none\n`,
  'agent.json': pretty(proofOf(0)),
  'pool.json': pretty(proofOf(1)),
  'last.json': pretty(proofOf(2)),
  'late.json': pretty(proofOf(0, withLate, '2026-05-29')),
  'duplicate.json': pretty(proofOf(0)).replace('{', '{"proof":null,'),
};

const one = (name: string, file: string, verdict: string, others: object = {}) => ({
  ...{ name, file: `${file}.json`, at: AT, verdict, problem: null },
  ...others,
});
const changed = (...patch: Operation[]): object => ({ patch });
const set = (path: string, value: JsonValue): Operation => ({ op: 'add', path: `/${path}`, value });
const of = (other: SmallLog): Operation => set('proof', other.manifest(1).inclusion_path ?? null);

const CASES = [
  one('the head of the journal of an agent', 'agent', 'valid', { checks: { head: 'ok', proof: 'ok' } }),
  one('of a pool', 'pool', 'valid'),
  one('the last leaf of the tree', 'last', 'valid'),
  one('with a policy', 'agent', 'valid', { policy: 'policy', checks: { quorum: 'none' } }),
  one('no proof yet', 'agent', 'not_proven', changed(set('proof', null))),
  one('another head', 'agent', 'mismatch', changed(set('leaf/head', 'b9'.repeat(32)))),
  one('another number of entries', 'agent', 'mismatch', changed(set('leaf/entries', 4))),
  one('another account', 'agent', 'mismatch', changed(set('leaf/account', 'a3'.repeat(32)))),
  one('the account of a pool', 'agent', 'mismatch', changed(set('leaf/account', HEADS[1]?.account ?? ''))),
  one('another salt', 'agent', 'mismatch', changed(set('leaf/salt', 'c9'.repeat(16)))),
  one('another day', 'agent', 'mismatch', changed(set('date', '2026-05-26'))),
  one(
    'the leaf of another day',
    'agent',
    'mismatch',
    changed(set('proof', log.manifest(0).inclusion_path ?? null)),
  ),
  one('the leaf of an account', 'agent', 'mismatch', changed(of(withAccount))),
  one('the index of another leaf', 'agent', 'mismatch', changed(set('leaf_index', 1))),
  one('an index beyond the tree', 'agent', 'mismatch', changed(set('leaf_index', 3))),
  one('no path', 'agent', 'mismatch', changed(set('hashes', []))),
  one('a log of another key', 'agent', 'bad_proof', changed(of(foreign))),
  one('a log of evidence', 'agent', 'bad_proof', changed(of(ofEvidence))),
  one('another log of the same key', 'agent', 'wrong_log', changed(of(shadow))),
  one('a day that ended after the checkpoint', 'late', 'future', { at: '2026-05-28T21:00:00.000Z' }),
  one('a day that does not exist', 'agent', 'malformed', changed(set('date', '2026-02-30'))),
  one('no entries', 'agent', 'malformed', changed(set('leaf/entries', 0))),
  one('half an entry', 'agent', 'malformed', changed(set('leaf/entries', 0.5))),
  one('another version', 'agent', 'malformed', changed(set('leaf/v', 2))),
  one('an account of no form', 'agent', 'malformed', changed(set('leaf/account', 'me'))),
  one('an upper-case head', 'agent', 'malformed', changed(set('leaf/head', 'B1'.repeat(32)))),
  one('a balance, which nothing proves', 'agent', 'malformed', changed(set('leaf/balance', 7))),
  one('another member', 'agent', 'malformed', changed(set('note', 'checked'))),
  one('a path that is a text', 'agent', 'malformed', changed(set('hashes', 'none'))),
  one('a member twice', 'duplicate', 'malformed'),
];

/** Returns the text of each file of test/vectors/journal-head-proof, by its name. */
export function journalHeadProofVectors(): ReadonlyMap<string, string> {
  return new Map([
    ...Object.entries(FILES),
    ['cases.json', `[\n${CASES.map((case_) => JSON.stringify(case_)).join(',\n')}\n]\n`],
  ]);
}
