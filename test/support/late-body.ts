/** A request whose headers have arrived, and whose body arrives when `arrive` is called. */
export interface LateBody {
  body: ReadableStream<Uint8Array>;
  /** Resolves when the body is being read: all earlier checks are done by then. */
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
    // The stream pulls nothing before it is read.
    { highWaterMark: 0 },
  );
  return { body, awaited, arrive };
}
