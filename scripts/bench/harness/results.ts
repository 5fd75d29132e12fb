import { type Static, Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import type { Benchmark } from './benchmark.ts';
import type { Form, Measured } from './metric.ts';
import { QUIET } from './quiet.ts';

const Goal = Type.Union([Type.Object({ atLeast: Type.Number() }), Type.Object({ atMost: Type.Number() })]);

const StoredMetric = Type.Object({
  figure: Type.String(),
  value: Type.Number(),
  unit: Type.String(),
  /** The goal at the time of the measurement; the page compares the value with the current goal. */
  goal: Type.Union([Goal, Type.Null()]),
  note: Type.Optional(Type.String()),
});

const StoredRun = Type.Object({
  benchmark: Type.String(),
  form: Type.Union([Type.Literal('short'), Type.Literal('full')]),
  /** The measured commit: 12 characters of the hash, and `+dirty` when files differed from it. */
  commit: Type.String(),
  /** RFC 3339, UTC. */
  date: Type.String(),
  machine: Type.String(),
  versions: Type.Record(Type.String(), Type.String()),
  command: Type.String(),
  size: Type.String(),
  /** How many processors others kept busy before or after it, the higher; absent if it was not measured. */
  load: Type.Optional(Type.Number()),
  /** The reason why there are no metrics; null when the run succeeded. */
  failure: Type.Union([Type.String(), Type.Null()]),
  figures: Type.Array(StoredMetric),
});

const StoredResults = Type.Object({
  /** The commit at which the page was written; runs with another commit are older. */
  commit: Type.String(),
  runs: Type.Array(StoredRun),
});

/** A run of a benchmark in one form. */
export type Run = Static<typeof StoredRun>;
/** The content of docs/benchmarks.json: the last run of each benchmark in each form. */
export type Results = Static<typeof StoredResults>;

/** The outcome of a run: its metrics, or the failure. */
export type Outcome = { metrics: Record<string, Measured> } | { failure: string };

const StoredOutcome = Type.Union([
  Type.Object({
    metrics: Type.Record(
      Type.String(),
      Type.Object({ value: Type.Number(), note: Type.Optional(Type.String()) }),
    ),
  }),
  Type.Object({ failure: Type.String() }),
]);

/** When, where and how a benchmark ran. */
export type RunContext = Pick<Run, 'commit' | 'date' | 'machine' | 'versions' | 'command' | 'load'>;

/** Parses docs/benchmarks.json. @throws Error when it does not match the schema */
export function parseResults(text: string): Results {
  const results: unknown = JSON.parse(text);
  if (!Value.Check(StoredResults, results)) {
    const problem = Value.Errors(StoredResults, results).First();
    throw new Error(`docs/benchmarks.json is not valid at ${problem?.path}: ${problem?.message}`);
  }
  return results;
}

/**
 * Parses the outcome file of a benchmark. @throws Error when it does not match the schema, for example when a
 * value is not a number
 */
export function parseOutcome(text: string): Outcome {
  const outcome: unknown = JSON.parse(text);
  if (!Value.Check(StoredOutcome, outcome))
    throw new Error(`the benchmark returned ${text}, in which not every metric is a number`);
  return outcome;
}

/** Returns the stored form of a run. A declared metric without a value makes it a failure. */
export function runOf(benchmark: Benchmark, form: Form, outcome: Outcome, context: RunContext): Run {
  const run = { benchmark: benchmark.name, form, ...context, size: benchmark.sizeOf(form) };
  if ('failure' in outcome) return { ...run, failure: outcome.failure, figures: [] };
  const missing = Object.keys(benchmark.metrics).filter((name) => outcome.metrics[name] === undefined);
  if (missing.length > 0) return { ...run, failure: `no value for ${missing.join(', ')}`, figures: [] };
  const metrics = Object.entries(benchmark.metrics).map(([name, { unit, goal }]) => {
    const { value = Number.NaN, note } = outcome.metrics[name] ?? {};
    return {
      figure: name,
      // Further digits are noise that changes with every run.
      value: Number(value.toPrecision(5)),
      unit,
      goal: goal ?? null,
      ...(note === undefined ? {} : { note }),
    };
  });
  return { ...run, failure: null, figures: metrics };
}

/** Returns whether others were busy while a benchmark ran. */
export function isDisturbed({ load = 0 }: Pick<Run, 'load'>): boolean {
  return load >= QUIET;
}

/** Replaces the run of the same benchmark and form, unless only the new one was disturbed. */
export function withRun(results: Results, run: Run): Results {
  const before = results.runs.find(({ benchmark, form }) => benchmark === run.benchmark && form === run.form);
  if (before !== undefined && before.failure === null && isDisturbed(run) && !isDisturbed(before)) {
    return results;
  }
  const otherRuns = results.runs.filter(
    ({ benchmark, form }) => benchmark !== run.benchmark || form !== run.form,
  );
  return { ...results, runs: [...otherRuns, run] };
}

/** Removes metrics that no benchmark has any longer, and sorts the rest in the order of the benchmarks. */
export function withoutRemovedMetrics(results: Results, benchmarks: readonly Benchmark[]): Results {
  const runs = benchmarks.flatMap(({ name, metrics }) =>
    results.runs
      .filter(({ benchmark }) => benchmark === name)
      .map((run) => ({ ...run, figures: run.figures.filter(({ figure }) => Object.hasOwn(metrics, figure)) }))
      .toSorted((left, right) => right.form.localeCompare(left.form)),
  );
  return { ...results, runs };
}
