/** A value that is made when it is first asked for, and once: a start does not wait for what no request has needed yet. */
export function lazy<Value>(make: () => Value): () => Value {
  let made: { value: Value } | null = null;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
