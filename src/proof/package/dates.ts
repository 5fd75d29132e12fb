import { AHEAD_MS, DAY_MS, parseTimestamp } from '../encoding/timestamp.ts';
import { readEntryFacts } from '../log/entry-facts.ts';
import { LogEntryError } from '../log/entry-members.ts';
import type { SignedTree } from '../log/log-keys.ts';
import type { LogName } from '../log/log-names.ts';
import { aheadOf } from '../log/misdated.ts';
import type { Primitives } from '../primitives.ts';
import { checkpointOf } from './cited.ts';
import type { CompliancePackage } from './format.ts';

/**
 * Checks when a package was generated: at most 60 s after the clock, and at most 60 s before what it cites.
 * A period can end later than its package, but at most with that day (UTC): so long the service lets it be.
 *
 * @param trees the trees of the cited checkpoints that a trusted key signed
 * @param now what the clock says, in milliseconds since 1970
 * @returns the check, and the problems, one sentence each
 */
export function checkDates(
  primitives: Primitives,
  read: CompliancePackage,
  { trees, now }: { trees: readonly SignedTree[]; now: number },
): { check: 'ok' | 'future' | 'misdated'; problems: string[] } {
  const signed = trees.map(({ log, signed_at }) => ({
    log,
    time: signed_at === null ? null : Date.parse(signed_at),
  }));
  const ahead = [
    aheadOf('generated_at is', Date.parse(read.generated_at), now),
    ...signed.map(({ log, time }) => aheadOf(`the checkpoint of ${log} is dated`, time, now)),
  ].find((problem) => problem !== null);
  const limit = Date.parse(read.generated_at) + AHEAD_MS;
  const before = (what: string): string => `generated_at is ${read.generated_at}, before ${what}`;
  const cited = trees.find((_, index) => (signed[index]?.time ?? 0) > limit);
  const entry = entryAfter(primitives, read, limit);
  const lastDay = Math.floor((Date.parse(read.period.to) - 1) / DAY_MS);
  const contradictions = [
    ...(cited === undefined ? [] : [before(`the checkpoint of ${cited.log} of ${cited.signed_at}`)]),
    ...(entry === null ? [] : [before(`the entry ${entry.path} of ${entry.at}`)]),
    ...(lastDay * DAY_MS <= limit ? [] : [before(`the day on which period.to (${read.period.to}) is`)]),
  ];
  const check = ahead !== undefined ? 'future' : contradictions.length === 0 ? 'ok' : 'misdated';
  return { check, problems: [...(ahead === undefined ? [] : [ahead]), ...contradictions] };
}

/** Returns a sampled entry that is dated after a time; null for none. What is no entry is not compared. */
function entryAfter(
  primitives: Primitives,
  read: CompliancePackage,
  limit: number,
): { path: string; at: string } | null {
  for (const [set, { sample }] of read.reference_sets.entries())
    for (const [index, sampled] of sample.entries()) {
      const log = checkpointOf(read, sampled)?.log;
      const at = log === undefined ? null : dateIn(primitives, log, sampled.inclusion_path.leaf_entry);
      if (at !== null && (parseTimestamp(at) ?? 0) > limit)
        return { path: `reference_sets[${set}].sample[${index}]`, at };
    }
  return null;
}

function dateIn(primitives: Primitives, log: LogName, text: string): string | null {
  try {
    return readEntryFacts(primitives, log, text).at;
  } catch (error) {
    if (!(error instanceof LogEntryError)) throw error;
    return null;
  }
}
