/** A request whose headers have arrived, and whose body arrives when `arrive` is called. */
export interface LateBody {
  body: ReadableStream<Uint8Array>;
  /** Resolves when the body is being read: whatever comes before it has been asked by then. */
  awaited: Promise<void>;
  arrive(): void;
}

/** A body that keeps its reader waiting. */
export function lateBody(text: string): LateBody {
  const { promise: awaited, resolve } = Promise.withResolvers<void>();
  const { promise: arrival, resolve: arrive } = Promise.withResolvers<void>();
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        resolve();
        await arrival;
        controller.enqueue(new TextEncoder().encode(text));
        controller.close();
      },
    },
    // Nothing is pulled before somebody reads.
    { highWaterMark: 0 },
  );
  return { body, awaited, arrive };
}
