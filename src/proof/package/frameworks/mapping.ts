import { type CoverageRule, daysOf, isCovered, usualCoverage } from '../coverage.ts';
import type { Attester, CompliancePackage, ControlStatus, PackageControl, PackageKind } from '../format.ts';
import { type FrameworkId, MIN_DAYS } from './framework-ids.ts';
import {
  type AgentCount,
  type AgentSet,
  ASSESSMENTS_SET,
  type ClusterCount,
  type ClusterSet,
  OWN_COUNTS,
} from './vocabulary.ts';

/** One requirement of a rule: a count that is at least a number, which is 1 or more. */
export interface Requirement<Count extends string> {
  count: Count;
  at_least: number;
}

/** A count that is at most so many percent of another one. */
export interface Share<Count extends string> {
  count: Count;
  of: Count;
  at_most_percent: number;
}

/** How counts and coverage give the status of a control. `requires` and `statements` have one at least. */
export interface Rule<Count extends string> {
  /** What the service must have recorded: all of it if `best` is `partial`, else a part for `partial`. */
  requires: readonly Requirement<Count>[];
  /** What the agent, its sponsor or their instruments must have signed. */
  statements: readonly Requirement<Count>[];
  /** Counts that permit at most `partial` unless they are 0. */
  unless: readonly Count[];
  /** Counts that permit at most `partial` if their share is greater. */
  shares: readonly Share<Count>[];
  /** What the period must be covered by; null for a rule whose best status needs no coverage. */
  coverage: CoverageRule | null;
  /** The best status: `partial` for a control that asks for more than the service can see. */
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

export type Statement = Readonly<Partial<Record<AgentCount | ClusterCount, string>>>;

/** A control of a framework. Titles and sentences are our own words; only the id is the framework's. */
export interface Control {
  /** The identifier as the framework writes it. */
  id: string;
  /** What the control asks for, in a few words. */
  title: string;
  /**
   * Why the evidence says something about the control: sentences by the count that each is about. A package
   * has those whose count is not 0, with counts for their names in braces. A text is about no count.
   */
  statement: string | Statement;
  /** What the evidence does not say. */
  not_shown: string;
  /** What the organization must add; missing for a control that asks nothing more of it. */
  to_add?: string;
  /** What assesses it in the package of an agent. null: nothing, the control is `not_assessed` there. */
  agent: AgentMapping | null;
  /** The same in the package of a cluster. undefined: the package of a cluster does not list the control. */
  cluster?: ClusterMapping | null;
}

export interface Framework {
  id: FrameworkId;
  publisher: string;
  /** The edition whose identifiers the controls have. */
  edition: string;
  /** What a reader must know of the framework, such as the dates of a law. Packages list it as limits. */
  notes: readonly string[];
  /** How many criteria the edition has, and where this number comes from; missing if it is not stated. */
  extent?: { criteria: number; parts: string };
  /** Which packages exist for it. */
  kinds: readonly PackageKind[];
  controls: readonly Control[];
}

/** What a package says of a period besides the counts of a control. */
export type PeriodFacts = Pick<CompliancePackage, 'framework' | 'period' | 'coverage'>;

/** An assessor confirms a control if its assessments are of at least so many of 100 days of the period. */
const MIN_CONFIRMED_PERCENT = 90;

/** Returns whether assessments that say pass are of enough of a period, and none says fail. */
export function isConfirmed(
  counts: Readonly<Partial<Record<string, number>>>,
  { period }: Pick<PeriodFacts, 'period'>,
): boolean {
  const { assessor_days = 0, assessor_fail = 0 } = counts;
  return assessor_fail === 0 && assessor_days * 100 >= MIN_CONFIRMED_PERCENT * daysOf(period).days;
}

/** Returns whether a period is long enough for `satisfied`, by its framework. */
export function isLongEnough({ framework, period }: Pick<PeriodFacts, 'framework' | 'period'>): boolean {
  return daysOf(period).days >= (MIN_DAYS[framework] ?? 1);
}

/**
 * Returns the status that a rule gives, and who says so.
 * @param counts the counts of the period; each that the rule names is there
 * @param references how many log entries the control cites; with 0 the control is always `not_assessed`
 */
export function statusOf<Count extends string>(
  { requires, statements, unless, shares, coverage, best }: Rule<Count>,
  counts: Readonly<Record<Count, number>>,
  references: number,
  facts: PeriodFacts,
): Pick<PackageControl, 'status' | 'attested_by'> {
  const isMet = ({ count, at_least }: Requirement<Count>): boolean => counts[count] >= at_least;
  // Where no more than partial can be shown, a part of that part is nothing.
  const isWhole = best === 'satisfied' || requires.every(isMet);
  const isRecorded = isWhole && requires.some(isMet);
  const isStated = statements.some(isMet);
  if (references === 0 || !(isRecorded || isStated)) return { status: 'not_assessed', attested_by: [] };
  const isComplete =
    [...requires, ...statements].every(isMet) &&
    unless.every((count) => counts[count] === 0) &&
    shares.every(({ count, of, at_most_percent }) => counts[count] * 100 <= at_most_percent * counts[of]) &&
    (best === 'partial' || isLongEnough(facts)) &&
    (coverage === null || isCovered(coverage, facts.coverage));
  const { assessor_pass = 0, assessor_fail = 0 }: Partial<Record<string, number>> = counts;
  const confirmed = isConfirmed(counts, facts);
  const isBest = isComplete && assessor_fail === 0 && (statements.length === 0 || confirmed);
  const status: ControlStatus = isBest ? best : isRecorded || confirmed ? 'partial' : 'reported';
  const attested_by: Attester[] = [
    ...(isRecorded ? (['service'] as const) : []),
    ...(isStated ? (['self'] as const) : []),
    ...(assessor_pass + assessor_fail > 0 ? (['assessor'] as const) : []),
  ];
  return { status, attested_by };
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
 * @param sets the set that the mapping names, which may be missing if it is empty, and that of assessments
 * @param said what reports and assessors say of it, one sentence each
 */
export function assess<Name extends string, Count extends string>(
  { id, title, statement, not_shown, to_add }: Control,
  mapping: Mapping<Name, Count> | null | undefined,
  counts: Readonly<Record<Count, number>>,
  sets: Readonly<Partial<Record<Name | typeof ASSESSMENTS_SET, SetFacts>>>,
  facts: PeriodFacts,
  said: readonly string[] = [],
): PackageControl {
  const control = { id, title, not_shown, to_add: to_add ?? null };
  if (mapping == null) {
    return {
      ...control,
      status: 'not_assessed',
      attested_by: [],
      statement: typeof statement === 'string' ? statement : NOTHING,
      counts: {},
      references: null,
      assessments: null,
    };
  }
  const set = sets[mapping.set];
  const found = statusOf(mapping.rule, counts, set?.count ?? 0, facts);
  const shown: PackageControl['counts'] = {};
  for (const name of mapping.counts) shown[name] = counts[name];
  const { assessor_pass = 0, assessor_fail = 0 } = shown;
  const sentences = isAssessed(found) ? sentencesOf(statement, counts) : [missingOf(mapping.rule, counts)];
  return {
    ...control,
    ...found,
    statement: [...sentences, ...said].join(' '),
    counts: shown,
    references: isAssessed(found) ? citedOf(mapping.set, set) : null,
    assessments: assessor_pass + assessor_fail > 0 ? citedOf(ASSESSMENTS_SET, sets[ASSESSMENTS_SET]) : null,
  };
}

const isAssessed = ({ status }: Pick<PackageControl, 'status'>): boolean => status !== 'not_assessed';

function citedOf(name: string, set: SetFacts | undefined): PackageControl['references'] {
  return set === undefined ? null : { set: name, count: set.count, merkle_root: set.merkle_root };
}

/** Returns a statement as it is without a package: all sentences, with the names of counts in braces. */
export function wholeOf(statement: Control['statement']): string {
  return typeof statement === 'string' ? statement : Object.values(statement).join(' ');
}

/** Returns the sentences of a statement whose counts are not 0. */
function sentencesOf(statement: Control['statement'], counts: Readonly<Record<string, number>>): string[] {
  if (typeof statement === 'string') return [statement];
  const sentences = Object.entries(statement).filter(([name]) => (counts[name] ?? 0) > 0);
  if (sentences.length === 0) return [NOTHING];
  return sentences.map(([, sentence]) =>
    sentence.replaceAll(/\{([a-z_]+)\}/g, (_, name: string) => String(counts[name] ?? 0)),
  );
}

const NOTHING = 'None in the period.';

/** Says what a control that is not assessed lacks. */
function missingOf<Count extends string>(
  { requires, statements }: Rule<Count>,
  counts: Readonly<Record<Count, number>>,
): string {
  if ([...requires, ...statements].every(({ count }) => counts[count] === 0)) return NOTHING;
  const missing = requires
    .filter(({ count, at_least }) => counts[count] < at_least)
    .map(({ count, at_least }) => `${count.replaceAll('_', ' ')} ${counts[count]} of ${at_least}`);
  return `Too little in the period: ${missing.join(', ')}.`;
}

/** The parts of a rule that are not the default. */
interface RuleOptions<Count extends string> {
  /** What the subject must have signed. */
  statements?: readonly Count[];
  /** Those of the required counts that must be more than 1. */
  atLeast?: Partial<Record<Count, number>>;
  unless?: readonly Count[];
  shares?: readonly Share<Count>[];
  best?: 'satisfied';
  /** Counts that the package shows although the rule does not use them. */
  shows?: readonly Count[];
}

/** Makes a mapping whose rule requires each of the counts at least once. */
function mappingOf<Name extends string, Count extends string>(
  set: Name,
  requires: readonly Count[],
  coverage: CoverageRule,
  { statements = [], atLeast = {}, unless = [], shares = [], best, shows = [] }: RuleOptions<Count>,
): Mapping<Name, Count> {
  const needed = (names: readonly Count[]): Requirement<Count>[] =>
    names.map((count) => ({ count, at_least: atLeast[count] ?? 1 }));
  const rule: Rule<Count> = {
    requires: needed(requires),
    statements: needed(statements),
    unless,
    shares,
    coverage: best === 'satisfied' && requires.length > 0 ? coverage : null,
    best: best ?? 'partial',
  };
  const shared = shares.flatMap(({ count, of }) => [count, of]);
  return { set, counts: [...new Set([...requires, ...statements, ...unless, ...shared, ...shows])], rule };
}

/**
 * Maps a control to what the service knows of an agent. If the best status is `satisfied`, receipts must
 * cover the period: what the agent or its sponsor signed covers nothing. Otherwise, where receipts are
 * required, there must be some on as many days: a single receipt shows no control of an organization. What
 * the agent itself reports as failed is not satisfied.
 */
export function byAgent(
  set: AgentSet,
  requires: readonly AgentCount[],
  { shows = [], atLeast = {}, unless = [], ...options }: RuleOptions<AgentCount> = {},
): AgentMapping {
  const coverage = usualCoverage('receipts');
  const needsDays = options.best === undefined && requires.includes('receipts');
  return mappingOf<AgentSet, AgentCount>(
    set,
    needsDays ? [...new Set<AgentCount>([...requires, DAYS])] : requires,
    coverage,
    {
      ...options,
      atLeast: { [DAYS]: coverage.min_record_days, ...atLeast },
      unless: [...unless, 'own_fails'],
      shows: [...shows, ...OWN_COUNTS],
    },
  );
}

const DAYS = 'receipt_days' satisfies AgentCount;

/** Maps a control to what the service knows of a cluster. */
export const byCluster = (
  set: ClusterSet,
  requires: readonly ClusterCount[],
  options: RuleOptions<ClusterCount> = {},
): ClusterMapping => mappingOf(set, requires, usualCoverage('telemetry'), options);
