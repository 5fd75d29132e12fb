import type { JsonObject } from '../../src/proof/encoding/json.ts';
import type { PackageVerdict } from '../../src/proof/package/verdict.ts';
import { replaced } from '../../test/support/changed-document.ts';
import { type Leaf, referenceSet, unsignedPackage } from '../../test/support/compliance-package.ts';

/** A set of a package for which the cited log has no room. */
interface CrowdedSet {
  name: string;
  leaves: readonly Leaf[];
  problem: string;
}

/**
 * The number of entries in the receipts log. The last of them is a text that is no entry, so no sample may
 * have it.
 */
const LOG_ENTRIES = 68;
/**
 * More entries than a sample has: of a smaller set every entry is sampled, so entries next to each other show
 * what is wrong.
 */
const FEWEST = 34;

/**
 * Returns the smallest set of its kind whose sample fits a condition. The root decides the sample, so some
 * sets show other entries.
 * @param indexOf the index in the receipts log of the entry at a position, in a set of `count` entries
 */
function found(
  indexOf: (position: number, count: number) => number,
  fits: (positions: readonly number[], count: number) => boolean,
): { leaves: readonly Leaf[]; positions: readonly number[] } {
  for (let count = FEWEST; count < LOG_ENTRIES; count++) {
    const leaves = Array.from({ length: count }, (_, at): Leaf => ['receipts', indexOf(at, count)]);
    const positions = referenceSet('receipts', leaves).sample.map(({ position }) => position);
    if (fits(positions, count)) return { leaves, positions };
  }
  throw new Error('no set has such a sample');
}

/** Where the set of the case about growth has an entry twice. */
const TWICE = 17;
const early = found(
  (position) => Math.max(0, position - 1),
  ([first = 0]) => first > 0,
);
const late = found(
  (position, count) => Math.min(LOG_ENTRIES - 1, LOG_ENTRIES - count + 1 + position),
  (positions, count) => (positions.at(-1) ?? count) < count - 2,
);
const middle = found(
  (position) => (position < TWICE ? position + 1 : position),
  (positions) => !(positions.includes(TWICE - 1) && positions.includes(TWICE)),
);

/**
 * Sets that have an entry twice, which is not sampled twice: all sampled entries are in ascending order, and
 * only one of the rules about room in the logs tells that the set cannot be a part of them.
 */
export const CROWDED_SETS: readonly CrowdedSet[] = [
  {
    name: 'no room in the logs for the entries before the first of the sample',
    leaves: early.leaves,
    problem: 'reference_sets[0].sample[0].inclusion_path.leaf_index',
  },
  {
    name: 'no room in the logs for the entries after the last of the sample',
    leaves: late.leaves,
    problem: 'reference_sets[0].count is greater',
  },
  {
    name: 'no room in the logs for the entries between two of the sample',
    leaves: middle.leaves,
    problem: `reference_sets[0].sample[${middle.positions.findIndex((position) => position >= TWICE)}].inclusion_path.leaf_index`,
  },
];

/** A package of a cluster with a period in which not all of its sampled entries are. */
interface TelemetryCase {
  name: string;
  unsigned: JsonObject;
  verdict: PackageVerdict;
  problem: string | null;
}

const ofPeriod = (unsigned: JsonObject, from: string, to: string): JsonObject =>
  replaced(unsigned, ['period'], { from, to });
const START = '2026-04-01T00:00:00.000Z';
const END = '2026-05-31T00:00:00.000Z';
/** The minute of the first entries of the logs. */
const FIRST_MINUTE = '2026-05-01T12:00:00.000Z';

const receipts = unsignedPackage('datacenter');
/** The time of its first sampled entry. */
const [firstSampled] = Object(receipts).reference_sets[0].sample;
const first = Date.parse(JSON.parse(firstSampled.inclusion_path.leaf_entry).finalized_at);
const afterFirst = (ms: number): string => new Date(first + ms).toISOString();
const ofAllLogs: readonly Leaf[] = [
  ['receipts', 2],
  ['keys', 0],
  ['revocations', 0],
  ['evidence', 0],
];
/** Its entry of /evidence is the first one, of 12:00:00.000. */
const mixed = unsignedPackage('datacenter', [referenceSet('all', ofAllLogs)], ofAllLogs);

/** Packages of a cluster that differ from those of an agent in which times the entries may have. */
export const TELEMETRY_CASES: readonly TelemetryCase[] = [
  {
    name: 'telemetry of a cluster that was received 60 seconds before the period began',
    unsigned: ofPeriod(receipts, afterFirst(60_000), END),
    verdict: 'valid',
    problem: null,
  },
  {
    name: 'telemetry of a cluster that was received more than 60 seconds before the period began',
    unsigned: ofPeriod(receipts, afterFirst(60_001), END),
    verdict: 'bad_sample',
    problem: 'reference_sets[0].sample[0].inclusion_path.leaf_entry',
  },
  {
    name: 'telemetry of a cluster that was received long before the period began',
    unsigned: ofPeriod(receipts, '2026-05-01T13:00:00.000Z', END),
    verdict: 'bad_sample',
    problem: 'reference_sets[0].sample[0].inclusion_path.leaf_entry',
  },
  {
    name: 'telemetry of a cluster that was received after the period ended',
    unsigned: ofPeriod(receipts, START, FIRST_MINUTE),
    verdict: 'valid',
    problem: null,
  },
  {
    name: 'entries of other logs about a cluster from after the period',
    unsigned: ofPeriod(mixed, START, FIRST_MINUTE),
    verdict: 'valid',
    problem: null,
  },
  {
    name: 'entries of other logs about a cluster from 60 seconds before the period on',
    unsigned: ofPeriod(mixed, '2026-05-01T12:01:00.000Z', END),
    verdict: 'valid',
    problem: null,
  },
  {
    name: 'an entry of another log about a cluster from more than 60 seconds before the period',
    unsigned: ofPeriod(mixed, '2026-05-01T12:01:00.001Z', END),
    verdict: 'bad_sample',
    problem: 'reference_sets[0].sample[3].inclusion_path.leaf_entry',
  },
];
