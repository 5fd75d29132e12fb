import type { ControlStatus, PackageControl, PackageKind } from '../format.ts';
import type { FrameworkId } from './framework-ids.ts';
import type { AgentCount, AgentSet, ClusterCount, ClusterSet } from './vocabulary.ts';

/** One requirement of a rule: a count that is at least a number, which is 1 or more. */
export interface Requirement<Count extends string> {
  count: Count;
  at_least: number;
}

/** How counts give the status of a control. */
export interface Rule<Count extends string> {
  /** `satisfied` if all of them are met, `partial` if some are, `not_assessed` if none is. At least one. */
  requires: readonly Requirement<Count>[];
  /** Counts that permit at most `partial` unless they are 0. */
  unless: readonly Count[];
  /** The best status that evidence permits: `partial` if a control needs more than the service can see. */
  best: 'satisfied' | 'partial';
}

/** What the service can show for a control. */
export interface Mapping<Name extends string, Count extends string> {
  /** The set of log entries that the control cites. */
  set: Name;
  /** The counts that the package shows with the control. Those of the rule are among them. */
  counts: readonly Count[];
  rule: Rule<Count>;
}

export type AgentMapping = Mapping<AgentSet, AgentCount>;
export type ClusterMapping = Mapping<ClusterSet, ClusterCount>;

/** A control of a framework. Titles and statements are our own words; only the id is the framework's. */
export interface Control {
  /** The identifier as the framework writes it. */
  id: string;
  /** What the control asks for, in a few words. */
  title: string;
  /** What the service can show for it, and what it cannot. */
  statement: string;
  /** What assesses it in the package of an agent. null: nothing, the control is `not_assessed` there. */
  agent: AgentMapping | null;
  /** The same in the package of a cluster. undefined: the package of a cluster does not list the control. */
  cluster?: ClusterMapping;
}

export interface Framework {
  id: FrameworkId;
  publisher: string;
  /** The edition whose identifiers the controls have. */
  edition: string;
  /** Which packages exist for it. */
  kinds: readonly PackageKind[];
  controls: readonly Control[];
}

/**
 * Returns the status that a rule gives to counts.
 * @param counts the counts of the period; each that the rule names is there
 * @param references how many log entries the control cites; with 0 the control is always `not_assessed`
 */
export function statusOf<Count extends string>(
  { requires, unless, best }: Rule<Count>,
  counts: Readonly<Record<Count, number>>,
  references: number,
): ControlStatus {
  const met = requires.filter(({ count, at_least }) => counts[count] >= at_least).length;
  if (references === 0 || met === 0) return 'not_assessed';
  return met === requires.length && unless.every((count) => counts[count] === 0) ? best : 'partial';
}

/** How many entries a set has, and the root of the tree over them. */
export interface SetFacts {
  count: number;
  merkle_root: string;
}

/**
 * Assesses a control: what a package says about it.
 * @param mapping that of the control for this kind of subject. null or undefined: nothing assesses it
 * @param counts the counts of the period; each that the mapping names is there
 * @param sets the set that the mapping names; it may be missing if it is empty
 */
export function assess<Name extends string, Count extends string>(
  { id, title, statement }: Control,
  mapping: Mapping<Name, Count> | null | undefined,
  counts: Readonly<Record<Count, number>>,
  sets: Readonly<Partial<Record<Name, SetFacts>>>,
): PackageControl {
  const control = { id, title, statement };
  if (mapping == null) return { ...control, status: 'not_assessed', counts: {}, references: null };
  const set = sets[mapping.set];
  const status = statusOf(mapping.rule, counts, set?.count ?? 0);
  const shown: PackageControl['counts'] = {};
  for (const name of mapping.counts) shown[name] = counts[name];
  const references =
    set === undefined || status === 'not_assessed'
      ? null
      : { set: mapping.set, count: set.count, merkle_root: set.merkle_root };
  return { ...control, status, counts: shown, references };
}

/** The parts of a rule that are not the default. */
interface RuleOptions<Count extends string> {
  /** Those of the required counts that must be more than 1. */
  atLeast?: Partial<Record<Count, number>>;
  unless?: readonly Count[];
  best?: 'partial';
  /** Counts that the package shows although the rule does not use them. */
  shows?: readonly Count[];
}

/** Makes a mapping whose rule requires each of the counts at least once. */
function mappingOf<Name extends string, Count extends string>(
  set: Name,
  requires: readonly Count[],
  { atLeast = {}, unless = [], best, shows = [] }: RuleOptions<Count>,
): Mapping<Name, Count> {
  const rule: Rule<Count> = {
    requires: requires.map((count) => ({ count, at_least: atLeast[count] ?? 1 })),
    unless,
    best: best ?? 'satisfied',
  };
  return { set, counts: [...new Set([...requires, ...unless, ...shows])], rule };
}

/** Maps a control to what the service knows of an agent. */
export const byAgent = (
  set: AgentSet,
  requires: readonly AgentCount[],
  options: RuleOptions<AgentCount> = {},
): AgentMapping => mappingOf(set, requires, options);

/** Maps a control to what the service knows of a cluster. */
export const byCluster = (
  set: ClusterSet,
  requires: readonly ClusterCount[],
  options: RuleOptions<ClusterCount> = {},
): ClusterMapping => mappingOf(set, requires, options);
