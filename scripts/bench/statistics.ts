/** Returns the median. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((left, right) => left - right);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/** Returns the percentile for a share of the values: 0.99 for the 99th percentile, 1 for the maximum. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((left, right) => left - right);
  return sorted[Math.floor((sorted.length - 1) * share)] ?? Number.NaN;
}

/** Measures sequential runs, after a warm-up of a tenth as many. @returns the times in milliseconds */
export async function timed(runs: number, run: (turn: number) => Promise<unknown>): Promise<number[]> {
  for (let turn = 0; turn < runs / 10; turn++) await run(turn);
  const times: number[] = [];
  for (let turn = 0; turn < runs; turn++) {
    const since = performance.now();
    await run(turn);
    times.push(performance.now() - since);
  }
  return times;
}

/** Formats the median and the 99th percentile of times in milliseconds. */
export function spread(times: readonly number[]): string {
  return `${median(times).toFixed(2)} / ${percentile(times, 0.99).toFixed(2)} ms`;
}

export function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
