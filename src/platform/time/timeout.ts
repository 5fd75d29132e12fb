/**
 * Waits for `promise` for at most `ms` milliseconds, then returns the result of `late` or throws its error.
 * Clears its timer, so that it does not keep the process running.
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
