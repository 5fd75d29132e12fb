/**
 * Waits for `promise`, but for no longer than `ms` milliseconds; then for what `late` gives or throws. No timer outlives
 * the wait, so that none keeps the process from ending.
 */
export async function withTimeout<T>(promise: Promise<T>, ms: number, late: () => T): Promise<T> {
  let timer: Timer | undefined;
  const over = new Promise<'over'>((resolve) => {
    timer = setTimeout(resolve, ms, 'over');
  });
  try {
    const first = await Promise.race([promise.then((value) => ({ value })), over]);
    return first === 'over' ? late() : first.value;
  } finally {
    clearTimeout(timer);
  }
}
