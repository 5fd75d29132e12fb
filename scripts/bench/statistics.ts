/** The middle one. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((left, right) => left - right);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/** The smallest value that so large a share of all does not exceed: 0.99 is the 99th percentile, 1 the largest. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((left, right) => left - right);
  return sorted[Math.floor((sorted.length - 1) * share)] ?? Number.NaN;
}

/** The times of so many runs one after the other, in milliseconds, after a tenth as many that warm up. */
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

/** Median and 99th percentile of times, as a row shows them. */
export function spread(times: readonly number[]): string {
  return `${median(times).toFixed(2)} / ${percentile(times, 0.99).toFixed(2)} ms`;
}

export function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
