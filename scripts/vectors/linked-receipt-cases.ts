import { nativePrimitives } from '../../src/platform/crypto/crypto.ts';
import { accountOf } from '../../src/proof/log/linked-account.ts';
import { type AccountEntry, accountEntryText } from '../../src/proof/log/log-entry.ts';
import type { Receipt } from '../../src/proof/receipt/receipt.ts';
import {
  cosigned,
  FINAL,
  LeafWriter,
  OPERATOR,
  OTHER,
  pendingReceipt,
  REVOKED,
  version,
} from '../../test/support/made-account.ts';
import { leafOf, smallLog, testKey } from '../../test/support/small-log.ts';

const LINKED = Date.parse('2026-05-01T11:00:00.000Z');
const ISSUED = Date.parse('2026-05-01T12:00:00.500Z');
const COSIGNED = Date.parse('2026-06-01T12:00:00.000Z');
const ACTS = ['issued', 'finalized', 'revoked'] as const;
type Act = (typeof ACTS)[number];

/** The keys of the logs of receipts and of accounts. */
export const LOG_KEYS = { receipts: testKey(2), accounts: testKey(8) };

const pending = pendingReceipt(1, ISSUED);
const final = version(pending, FINAL);
const elsewhere = pendingReceipt(1, ISSUED, { issued_at: '2026-05-01T14:00:00.5009+02:00' });
const other = version(final, { output_hash: 'ef'.repeat(32) });
const revoked = version(final, REVOKED);

/** The receipts, by the names of their files. */
export const RECEIPTS = {
  pending,
  final,
  revoked,
  other,
  elsewhere,
  'pending-revoked': version(pending, REVOKED),
  changed: { ...final, authority_scope: 'all' },
  malformed: { ...final, receipt_type: 'x' },
};

/** Members to be added or changed; undefined removes one. */
type Changes = Record<string, unknown>;

/** What is otherwise about a proof. */
interface Otherwise {
  origin?: string;
  key?: ReturnType<typeof testKey>;
  witnesses?: readonly string[];
  /** Members of `inclusion_path`. */
  path?: Changes;
  /** Members beside it. */
  beside?: Changes;
}

/** Returns the entry of an act, after those of the earlier acts. */
function entryOf(act: Act, receipt: Receipt, { at = ISSUED }: { at?: number } = {}): AccountEntry {
  const writer = new LeafWriter();
  writer.link('linked', LINKED);
  for (const one of ACTS.slice(0, ACTS.indexOf(act) + 1)) writer.act(one, receipt, at);
  const entry = writer.entries.at(-1);
  if (entry === undefined) throw new Error('an act has a leaf');
  return entry;
}

/** The entries of the log of accounts: two accounts are linked, then all acts on the receipt. */
const links = new LeafWriter();
links.link('linked', LINKED, OTHER);
links.link('linked', LINKED);
const ENTRIES = [
  ...links.entries,
  ...[pending, final, revoked].map((receipt, index) =>
    entryOf(ACTS[index] ?? 'issued', receipt, { at: ISSUED + index * 60_000 }),
  ),
].map(accountEntryText);
const OWN_LINK = 1;
const FIRST_ACT = 2;

/** Returns a proof as a manifest has it, of an entry in the place of that at its index. */
function proven(entries: readonly string[], index: number, text: string, otherwise: Otherwise): Changes {
  const { origin = 'made.example/accounts', key = LOG_KEYS.accounts, witnesses = [], path } = otherwise;
  const log = smallLog(origin, entries.with(index, text), [key]);
  const checkpoint = cosigned(log.checkpoint, COSIGNED, witnesses);
  return { ...Object(log.manifest(index).inclusion_path), checkpoint, ...path };
}

/** Returns an element of `account_leaves`. */
function leafAt(index: number, text = ENTRIES[index] ?? '', otherwise: Otherwise = {}): Changes {
  const inclusion_path = proven(ENTRIES, index, text, otherwise);
  return { event: JSON.parse(text).event, leaf_entry: text, inclusion_path, ...otherwise.beside };
}
const leaf = (act: Act, otherwise: Otherwise = {}): Changes =>
  leafAt(FIRST_ACT + ACTS.indexOf(act), undefined, otherwise);
/** Returns the leaf of an act on another receipt, or at another time. */
const leafFor = (act: Act, receipt: Receipt, at?: number): Changes =>
  leafAt(
    FIRST_ACT + ACTS.indexOf(act),
    accountEntryText(entryOf(act, receipt, at === undefined ? {} : { at })),
  );

/** Returns the `inclusion_path` of the final receipt itself. */
function ownPath(otherwise: Otherwise = {}): Changes {
  const entry = leafOf(final, '2026-05-01T12:01:00.500Z');
  const first = leafOf(version(pendingReceipt(2, ISSUED), FINAL), '2026-05-01T12:00:30.000Z');
  return proven([first, entry], 1, entry, {
    ...{ origin: 'made.example/receipts', key: LOG_KEYS.receipts },
    ...otherwise,
  });
}

/** A receipt, its manifest, and what must be said. */
export interface LinkedCase {
  name: string;
  receipt: keyof typeof RECEIPTS;
  /** Members of the manifest, or its text. */
  manifest: Changes | string;
  /** Null if nothing can be said. */
  verdict: string | null;
  checks: Record<string, string>;
  keys?: string;
  policy?: string;
  at?: string;
}
type Others = Partial<Pick<LinkedCase, 'receipt' | 'verdict' | 'checks' | 'keys' | 'policy' | 'at'>> & {
  path?: unknown;
};

const issued = leaf('issued');
const finalized = leaf('finalized');
const both = [issued, finalized];
const all = [...both, leaf('revoked')];

/** Returns a case of the final receipt. */
function one(name: string, linked: string, account_leaves: unknown, others: Others = {}): LinkedCase {
  const { path: inclusion_path = ownPath(), receipt = 'final', verdict = 'valid', checks, ...rest } = others;
  const manifest = { receipt_id: pending.receipt_id, inclusion_path, account_leaves };
  return { name, receipt, manifest, verdict, checks: { linked, proof: 'ok', ...checks }, ...rest };
}
const revocation = (name: string, linked: string, leaves: unknown): LinkedCase =>
  one(name, linked, leaves, { receipt: 'revoked', verdict: 'revoked' });
/** Returns a case of a pending receipt, which has no proof of its own. */
function unfinished(name: string, linked: string, leaves: unknown, others: Others = {}): LinkedCase {
  const { checks, ...made } = one(name, linked, leaves, { receipt: 'pending', path: null, ...others });
  const { proof: _, ...rest } = checks;
  return { ...made, checks: rest };
}
/** Returns a case in which the leaf `finalized` is proven otherwise. */
const altered = (name: string, linked: string, otherwise: Otherwise): LinkedCase =>
  one(name, linked, [issued, leaf('finalized', otherwise)]);
/** Returns a case of which nothing can be said. */
const stopped = (name: string, leaves: unknown, others: Others = {}): LinkedCase => ({
  ...one(name, '', leaves, others),
  ...{ verdict: null, checks: {} },
});
const formless = (name: string, otherwise: Otherwise): LinkedCase =>
  stopped(name, [issued, leaf('finalized', otherwise)]);

// Only this member is another one.
const ofOther = leafFor('finalized', { ...final, receipt_id: pendingReceipt(3, ISSUED).receipt_id });
const ofOtherAgent = leafFor('finalized', { ...final, agent_id: 'agent-2' });
const [ownAccount = '', otherAccount = ''] = [OPERATOR, OTHER].map((id) => accountOf(nativePrimitives, id));
const ofOtherAccount = leafAt(FIRST_ACT + 1, ENTRIES[FIRST_ACT + 1]?.replace(ownAccount, otherAccount));
const early = leafFor('issued', pending, ISSUED + 1);
const unlike = leafFor('issued', final);
const broken = leaf('issued', { path: { hashes: [] } });
const WITNESSES = ['one', 'two'];
const cosignedLeaves = ACTS.slice(0, 2).map((act) => leaf(act, { witnesses: WITNESSES }));
const cosignedByOne = [leaf('issued', { witnesses: WITNESSES }), leaf('finalized', { witnesses: ['one'] })];
const quorum = (check: string): Pick<Others, 'checks' | 'policy' | 'path'> => ({
  ...{ checks: { quorum: check }, policy: 'policy.txt', path: ownPath({ witnesses: WITNESSES }) },
});

export const CASES: readonly LinkedCase[] = [
  // All acts have their leaves.
  one('a final receipt', 'ok', both),
  revocation('a revoked receipt', 'ok', all),
  unfinished('a pending receipt', 'ok', [issued]),
  unfinished(
    'a receipt that was revoked while pending',
    'ok',
    [issued, leafFor('revoked', RECEIPTS['pending-revoked'])],
    { receipt: 'pending-revoked', verdict: 'revoked' },
  ),
  unfinished('a pending receipt with a path of no form', 'ok', [issued], { path: { log: 1 } }),
  one('a receipt that has expired', 'ok', both, { verdict: 'expired', at: '2090-01-01T00:00:01.000Z' }),
  unfinished('issued at a time of another form', 'ok', [leafFor('issued', elsewhere)], {
    receipt: 'elsewhere',
  }),
  one('the leaves in another order', 'ok', both.toReversed()),
  one('leaves in two logs of accounts', 'wrong_log', [
    issued,
    leaf('finalized', { origin: 'later.example/accounts' }),
  ]),
  one('a list without log', 'log_not_named', both, {
    ...{ keys: 'keys-without-log.json', checks: { proof: 'log_not_named' } },
  }),
  one('a list without log, and a policy', 'log_not_named', both, {
    keys: 'keys-without-log.json',
    policy: 'policy.txt',
    checks: { proof: 'log_not_named', quorum: 'unchecked' },
  }),
  one('a list of another service', 'wrong_log', both, {
    ...{ keys: 'keys-other.json', checks: { proof: 'wrong_log' } },
  }),
  one('another log, and a leaf that another key signed before it', 'bad', [
    leaf('issued', { key: testKey(9) }),
    leaf('finalized', { origin: 'later.example/accounts' }),
  ]),
  one('another log, and a leaf that another key signed after it', 'wrong_log', [
    leaf('issued', { origin: 'later.example/accounts' }),
    leaf('finalized', { key: testKey(9) }),
  ]),
  one('another log, and an entry that is not in it', 'wrong_log', [
    issued,
    leaf('finalized', { origin: 'later.example/accounts', path: { leaf_index: 0 } }),
  ]),
  altered('another event beside the path', 'ok', { beside: { event: 'issued' } }),
  altered('another entry beside the path', 'ok', { beside: { leaf_entry: ENTRIES[FIRST_ACT] } }),
  altered('an entry only in the path', 'ok', { beside: { leaf_entry: undefined } }),
  one('the key of the log has ended', 'ok', both, { keys: 'keys-ended.json' }),

  // Some have none.
  one('no leaf finalized', 'missing', [issued]),
  one('no leaf issued', 'issue_unproven', [finalized]),
  one('no member with leaves', 'missing', undefined),
  one('null for leaves', 'missing', null),
  unfinished('a pending receipt without a leaf', 'missing', []),
  revocation('a revoked receipt without a leaf finalized', 'missing', [issued, leaf('revoked')]),
  revocation('a revoked receipt without a leaf revoked', 'missing', both),
  unfinished(
    'revoked while pending without a leaf issued',
    'issue_unproven',
    [leafFor('revoked', RECEIPTS['pending-revoked'])],
    { receipt: 'pending-revoked', verdict: 'revoked' },
  ),

  // They are of something else.
  unfinished('a leaf finalized of a pending receipt', 'mismatch', both),
  one('a leaf revoked of an active receipt', 'mismatch', all),
  one('a leaf of another receipt', 'mismatch', [issued, ofOther]),
  one('a leaf of another account', 'mismatch', [issued, ofOtherAccount]),
  one('a leaf of another agent', 'mismatch', [issued, ofOtherAgent]),
  one('a leaf of another version', 'mismatch', [issued, leafFor('finalized', other)]),
  one('the issue of another version', 'mismatch', [unlike, finalized]),
  one('the issue a millisecond later', 'mismatch', [early, finalized]),
  one('a leaf twice', 'mismatch', [...both, finalized]),
  one('a receipt that was signed anew', 'mismatch', both, {
    receipt: 'other',
    checks: { proof: 'mismatch' },
  }),
  one('a receipt that was changed', 'mismatch', both, { receipt: 'changed', verdict: 'hash_mismatch' }),

  // They are not proven.
  one('a leaf of the account itself', 'bad', [...both, leafAt(OWN_LINK)]),
  one('a leaf of another form', 'bad', [
    issued,
    leafAt(FIRST_ACT + 1, `${ENTRIES[FIRST_ACT + 1]?.slice(0, -2)} 1}`),
  ]),
  altered('other hashes', 'bad', {
    path: { hashes: Array<string>(3).fill(Buffer.alloc(32).toString('base64')) },
  }),
  // Its index is 3. To the left and to the right, 11 and -5 turn as 3 does.
  ...[3.5, -5, 11, 1e300, 2].map((leaf_index) =>
    altered(`leaf index ${leaf_index}`, 'bad', { path: { leaf_index } }),
  ),
  altered('a checkpoint by an unknown key', 'bad', { key: testKey(7) }),
  altered('a checkpoint by the key of the log of receipts', 'bad', { key: LOG_KEYS.receipts }),
  altered('a leaf in the log of receipts', 'bad', {
    ...{ key: LOG_KEYS.receipts, origin: 'made.example/receipts' },
  }),
  one('the key of the log is compromised', 'bad', both, { keys: 'keys-compromised.json' }),

  // The first that applies.
  one('a mismatch before a bad proof', 'mismatch', [early, leaf('finalized', { path: { hashes: [] } })]),
  one('a bad proof before a mismatch', 'bad', [broken, leafFor('finalized', other), early]),
  one('an act without a leaf before a mismatch', 'missing', [unlike]),

  // The proof of the receipt itself.
  one('a bad proof of the receipt', 'ok', both, {
    ...{ path: ownPath({ path: { leaf_index: 0 } }), checks: { proof: 'bad' } },
  }),
  one('half an index of the receipt', 'ok', both, {
    ...{ path: ownPath({ path: { leaf_index: 1.5 } }), checks: { proof: 'bad' } },
  }),

  // A policy.
  one('a quorum', 'ok', cosignedLeaves, quorum('ok')),
  one('no quorum of a leaf', 'bad', cosignedByOne, quorum('ok')),
  one('no quorum of a leaf beside an act without one', 'bad', [leaf('issued')], quorum('ok')),
  one('no quorum of the receipt', 'ok', cosignedLeaves, { ...quorum('missing'), path: ownPath() }),
  one('a policy without a quorum', 'ok', both, { ...quorum('none'), policy: 'none.txt' }),
  unfinished('no quorum of the leaf of a pending receipt', 'bad', [issued], { policy: 'policy.txt' }),

  // What has not its form.
  stopped('leaves that are an object', {}),
  formless('an index that is a text', { path: { leaf_index: '3' } }),
  formless('another leaf hash', { path: { leaf_hash: '00'.repeat(32) } }),
  formless('another tree size', { path: { tree_size: 6 } }),
  formless('another log', { path: { log: 'other.example/accounts' } }),
  formless('a checkpoint that is no note', { path: { checkpoint: 'none' } }),
  formless('a path without hashes', { path: { hashes: undefined } }),
  formless('an entry only beside the path', { path: { leaf_entry: undefined } }),
  stopped('a final receipt without a path', both, { path: null }),
  stopped('a receipt of no form', both, { receipt: 'malformed' }),
  { ...stopped('a manifest that is no JSON', both), manifest: 'no JSON\n' },
];
