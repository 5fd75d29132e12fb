/**
 * Returns a function that creates a value on its first call and then returns the same one. A start need not
 * wait for values that no request uses.
 */
export function lazy<Value>(make: () => Value): () => Value {
  let made: { value: Value } | null = null;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
