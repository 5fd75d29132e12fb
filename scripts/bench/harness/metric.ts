/** `short` takes seconds and is run often; `full` has the size and the rounds that the goals are about. */
export type Form = 'short' | 'full';

/** What a metric is measured in. MB are millions of bytes. */
export type Unit = 'ratio' | 'ms' | 'µs' | 's' | 'MB' | 'bytes' | 'requests/s' | 'count';

export type Goal = { readonly atLeast: number } | { readonly atMost: number };

/** What one metric of a benchmark means, and what is wanted of it. */
export interface Metric {
  /** What was measured, as a table shows it. */
  label: string;
  unit: Unit;
  goal?: Goal;
  /** Set where the goal depends on the size: the short form says nothing about it. */
  goalHoldsFor?: 'full';
}

/** A measured metric; the note names what it belongs to, such as the slowest of many routes. */
export interface Measured {
  value: number;
  note?: string;
}

export type Verdict = 'met' | 'missed' | 'full form only' | 'no goal';

export function atLeast(value: number): Goal {
  return { atLeast: value };
}

export function atMost(value: number): Goal {
  return { atMost: value };
}

/** Holds a value against the goal of its metric. A value that is no number misses every goal. */
export function verdictOf({ goal, goalHoldsFor }: Metric, value: number, form: Form): Verdict {
  if (goal === undefined) return 'no goal';
  if (goalHoldsFor === 'full' && form === 'short') return 'full form only';
  const isMet = 'atLeast' in goal ? value >= goal.atLeast : value <= goal.atMost;
  return isMet ? 'met' : 'missed';
}

/** A value with its unit: `0.312`, `12.4 ms`, `83,411`. */
export function withUnit(value: number, unit: Unit): string {
  if (unit === 'ratio') return value.toFixed(3);
  if (unit === 'count') return grouped(value);
  // Three digits say as much as a measurement knows.
  return `${value >= 100 ? grouped(value) : String(Number(value.toPrecision(3)))} ${unit}`;
}

/** A goal with its unit: `≥ 0.35`, `≤ 30 ms`; a dash where there is none. */
export function goalText({ goal, unit }: Metric): string {
  if (goal === undefined) return '–';
  const [sign, value] = 'atLeast' in goal ? ['≥', goal.atLeast] : ['≤', goal.atMost];
  return `${sign} ${unit === 'ratio' ? value : withUnit(value, unit)}`;
}

function grouped(value: number): string {
  return Math.round(value).toLocaleString('en-US');
}
