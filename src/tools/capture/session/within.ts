/** Resolves with the value of a promise; with null if it takes longer, or is rejected. */
export function settledWithin<Value>(promise: Promise<Value>, ms: number): Promise<Value | null> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(null), Math.max(0, ms));
    promise.then(resolve, () => resolve(null)).finally(() => clearTimeout(timer));
  });
}
