/** `short` takes seconds and runs often; `full` has the size and the rounds to which the goals apply. */
export type Form = 'short' | 'full';

/** The unit of a metric. 1 MB is a million bytes. */
export type Unit = 'ratio' | 'ms' | 'µs' | 's' | 'MB' | 'bytes' | 'requests/s' | 'count';

export type Goal = { readonly atLeast: number } | { readonly atMost: number };

/** A metric of a benchmark and its goal. */
export interface Metric {
  /** The label in tables. */
  label: string;
  unit: Unit;
  goal?: Goal;
  /** Set when the goal depends on the size, so that the short form cannot meet or miss it. */
  goalHoldsFor?: 'full';
}

/** A measured value. The note names its subject, such as the slowest of many routes. */
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

/** Compares a value with the goal of its metric. NaN misses every goal. */
export function verdictOf({ goal, goalHoldsFor }: Metric, value: number, form: Form): Verdict {
  if (goal === undefined) return 'no goal';
  if (goalHoldsFor === 'full' && form === 'short') return 'full form only';
  const isMet = 'atLeast' in goal ? value >= goal.atLeast : value <= goal.atMost;
  return isMet ? 'met' : 'missed';
}

/** Formats a value with its unit: `0.312`, `12.4 ms`, `83,411`. */
export function withUnit(value: number, unit: Unit): string {
  if (unit === 'ratio') return value.toFixed(3);
  if (unit === 'count') return grouped(value);
  // Measurements are not more precise than three digits.
  return `${value >= 100 ? grouped(value) : String(Number(value.toPrecision(3)))} ${unit}`;
}

/** Formats a goal with its unit: `≥ 0.35`, `≤ 30 ms`; a dash for none. */
export function goalText({ goal, unit }: Metric): string {
  if (goal === undefined) return '–';
  const [sign, value] = 'atLeast' in goal ? ['≥', goal.atLeast] : ['≤', goal.atMost];
  return `${sign} ${unit === 'ratio' ? value : withUnit(value, unit)}`;
}

function grouped(value: number): string {
  return Math.round(value).toLocaleString('en-US');
}
