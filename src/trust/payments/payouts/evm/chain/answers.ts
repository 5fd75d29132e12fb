/** What one node answered: a value, or an error; null for one that took too long. */
export type Answer<Value> = { value: Value } | { error: unknown } | null;

/**
 * Waits for the answers of nodes: for all of them, or for `graceMs` after those suffice that have arrived. So
 * a slow node delays nothing for long.
 * @returns the answers in the order of `reads`
 */
export function answersOf<Value>(
  reads: readonly Promise<Value>[],
  suffice: (answers: readonly Answer<Value>[]) => boolean,
  graceMs: number,
): Promise<Answer<Value>[]> {
  const answers: Answer<Value>[] = reads.map(() => null);
  return new Promise((resolve) => {
    let left = reads.length;
    let timer: Timer | undefined;
    const end = () => {
      clearTimeout(timer);
      resolve([...answers]);
    };
    const arrived = (index: number, answer: Answer<Value>) => {
      answers[index] = answer;
      left -= 1;
      if (left === 0) end();
      else if (timer === undefined && suffice(answers)) timer = setTimeout(end, graceMs);
    };
    for (const [index, read] of reads.entries())
      read.then(
        (value) => arrived(index, { value }),
        (error: unknown) => arrived(index, { error }),
      );
    if (left === 0) end();
  });
}

/** Returns the values among some answers. */
export function valuesOf<Value>(answers: readonly Answer<Value>[]): Value[] {
  return answers.flatMap((answer) => (answer !== null && 'value' in answer ? [answer.value] : []));
}

/** Returns the first error among some answers; null without one. */
export function firstErrorOf(answers: readonly Answer<unknown>[]): { error: unknown } | null {
  return answers.find((answer) => answer !== null && 'error' in answer) ?? null;
}
