/**
 * What decides for how long the hires of an agent stood still. They do while the agent is frozen, or the
 * account of its sponsor is not active. Times are milliseconds since 1970.
 */
export interface StandstillFacts {
  frozenSince: number | null;
  /** Of `agent_standstill`; null for an agent that was never frozen and never changed its sponsor. */
  baseMs: number | null;
  since: number | null;
  carriedOver: number | null;
  /** Of the sponsor; null without one. */
  inactiveSince: number | null;
  inactiveMs: number | null;
}

/** Returns since when the hires of an agent stand still, without a break; null if they do not. */
export function standsStillSince({
  frozenSince,
  since,
  carriedOver,
  inactiveSince,
}: StandstillFacts): number | null {
  if (frozenSince !== null) return since ?? frozenSince;
  return inactiveSince !== null && carriedOver === inactiveSince ? (since ?? inactiveSince) : inactiveSince;
}

/** Returns for how long the hires of an agent stood still until `now`. Only differences have a meaning. */
export function stoodStillMs(facts: StandstillFacts, now: number): number {
  const { frozenSince, baseMs, inactiveSince, inactiveMs } = facts;
  const base = baseMs ?? 0;
  if (frozenSince !== null) return base + elapsed(frozenSince, now);
  return base + (inactiveMs ?? 0) + elapsed(inactiveSince, now);
}

/** Returns the same without the present standstill. */
export function stoodStillBefore(facts: StandstillFacts): number {
  const since = standsStillSince(facts);
  const { frozenSince, inactiveSince } = facts;
  const begin = frozenSince ?? inactiveSince;
  return since === null || begin === null
    ? stoodStillMs(facts, 0)
    : stoodStillMs(facts, begin) - elapsed(since, begin);
}

/** A clock that was set back makes no time negative. */
function elapsed(since: number | null, now: number): number {
  return since === null ? 0 : Math.max(0, now - since);
}
