import type { JsonObject, JsonValue } from '../../src/proof/encoding/json.ts';
import type { PackageVerdict } from '../../src/proof/package/verdict.ts';
import { replaced } from '../../test/support/changed-document.ts';
import {
  FOREIGN,
  type Leaf,
  packageKeys,
  packageReceipt,
  referenceSet,
  sampledReceipts,
  signedPackage,
  sponsorPackage,
  unsignedPackage,
} from '../../test/support/compliance-package.ts';
import { testKey } from '../../test/support/small-log.ts';

/** A package with receipts, and what a verifier must say of it. */
interface ReceiptsCase {
  name: string;
  document: JsonObject;
  keys: JsonObject;
  verdict: PackageVerdict;
  problem: string | null;
  checks: Record<string, string>;
}

const genuine = sponsorPackage();
const receipts = sampledReceipts();
const RECEIPTS_ROW = 0;

const one = (
  name: string,
  document: JsonObject,
  attribution: string,
  problem: string | null = null,
  keys = packageKeys,
): ReceiptsCase => ({
  ...{ name, document, keys, problem, checks: { attribution } },
  verdict: attribution === 'bad' ? 'bad_receipt' : 'valid',
});

const at = (value: JsonValue | undefined, ...place: (string | number)[]): JsonObject =>
  replaced(genuine, ['sampled_receipts', ...place], value);

const withMore = (receipt: ReturnType<typeof packageReceipt>): JsonObject => ({
  ...genuine,
  sampled_receipts: [...receipts, receipt].map((each) => ({ ...each })),
});

const keysWith = (change: JsonObject): JsonObject => ({
  ...packageKeys,
  keys: Array.from(Object(packageKeys).keys, (row: JsonObject, index) =>
    index === RECEIPTS_ROW ? { ...row, ...change } : row,
  ),
});
const stolen = (receipts_tree_size: number): JsonObject =>
  keysWith({
    status: 'compromised',
    valid_until: '2026-06-01T00:00:00.000Z',
    receipts_logs: ['receipts.example/receipts'],
    receipts_tree_size,
  });

/** Receipts of another agent, which the issuer put into the set of this one. */
const others: readonly Leaf[] = [1, 3, 5].map((index) => ['receipts', index]);
const ofOthers = signedPackage(unsignedPackage('assessment', [referenceSet('receipts', others)], others));
const cluster = signedPackage(unsignedPackage('datacenter'));
const shownBy = (document: JsonObject, indexes: readonly number[]): JsonObject => ({
  ...document,
  sampled_receipts: indexes.map((index) => ({ ...packageReceipt(index) })),
});
/** A receipt of the agent that the log has and the sample has not. */
const unsampled =
  2 *
  Array.from({ length: 34 }, (_, index) => index).findIndex(
    (index) => !receipts.some(({ receipt_id }) => receipt_id === packageReceipt(2 * index).receipt_id),
  );

/** Packages with the receipts of their sampled entries, and with others. */
export const RECEIPTS_CASES: readonly ReceiptsCase[] = [
  one('the receipts of all sampled entries', genuine, 'ok'),
  one(
    'the receipts in another order',
    { ...genuine, sampled_receipts: Object(genuine).sampled_receipts.toReversed() },
    'ok',
  ),
  one('a receipt less', at(undefined, 0), 'partly'),
  one('no receipts', { ...genuine, sampled_receipts: [] }, 'not_shown'),
  one(
    'a swapped receipt: another one of the agent',
    at({ ...packageReceipt(unsampled) }, 0),
    'bad',
    'sampled_receipts[0]',
  ),
  one(
    'a receipt that is not sampled, in addition',
    withMore(packageReceipt(unsampled)),
    'bad',
    `sampled_receipts[${receipts.length}]`,
  ),
  one(
    'a receipt with another scope',
    at('invoices:read', 0, 'authority_scope'),
    'bad',
    'sampled_receipts[0]',
  ),
  one('a receipt with another agent', at('another-agent', 0, 'agent_id'), 'bad', 'sampled_receipts[0]'),
  one(
    'another version of a receipt than the log has',
    at({ ...packageReceipt(receiptIndex(0), { authority_scope: 'invoices:read' }) }, 0),
    'bad',
    'sampled_receipts[0]',
  ),
  one(
    'a receipt that another key signed',
    at({ ...packageReceipt(receiptIndex(0), {}, testKey(7)) }, 0),
    'bad',
    'sampled_receipts[0]',
  ),
  one('a receipt without kid', at(undefined, 0, 'kid'), 'ok'),
  one('a receipt with another member', at('x', 0, 'note'), 'bad', 'sampled_receipts[0]'),
  one('a text as receipt', at('receipt', 0), 'bad', 'sampled_receipts[0]'),
  {
    ...one('a text as receipts', at('receipts'), 'unchecked', 'sampled_receipts is not'),
    verdict: 'malformed',
  },
  one('somebody else’s entries, without their receipts', ofOthers, 'not_shown'),
  one(
    'somebody else’s entries, with their receipts',
    shownBy(ofOthers, [1, 3, 5]),
    'bad',
    'sampled_receipts[0]',
  ),
  one(
    'somebody else’s entries, with receipts of the agent',
    shownBy(ofOthers, [2, 4, 6]),
    'bad',
    'sampled_receipts[0]',
  ),
  one(
    'another sponsor',
    sponsorPackage({ subject: { ...Object(genuine.subject), sponsor: 'op_cus_Z9y8X7w6V5u4T3s2R1q0P9o8' } }),
    'bad',
    'sampled_receipts[0]',
  ),
  {
    ...one(
      'a sponsor that is no operator',
      sponsorPackage({ subject: { ...Object(genuine.subject), sponsor: 'x' } }),
      'unchecked',
      'subject.sponsor',
    ),
    verdict: 'malformed',
  },
  one(
    'receipts of a key that is not trusted for receipts',
    genuine,
    'bad',
    'sampled_receipts[0]',
    keysWith({ purpose: 'credentials' }),
  ),
  one('receipts of a stolen key', genuine, 'not_shown', null, keysWith({ status: 'compromised' })),
  one(
    'receipts that were logged before their key was stolen',
    genuine,
    'partly',
    null,
    stolen(FOREIGN.text[1] + 1),
  ),
  one('receipts that were logged after their key was stolen', genuine, 'not_shown', null, stolen(0)),
  one('receipts of telemetry, which name no cluster', shownBy(cluster, [receiptOf(cluster, 0)]), 'not_shown'),
];

/** Returns the index in the log of a sampled receipt of the genuine package. */
function receiptIndex(position: number): number {
  return receiptOf(genuine, position);
}

function receiptOf(document: JsonObject, position: number): number {
  return Object(document).reference_sets[0].sample[position].inclusion_path.leaf_index;
}
