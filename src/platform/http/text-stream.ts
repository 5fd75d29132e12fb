import { slices } from '../workers/slices.ts';

/** Returns a body that is encoded and sent part by part, so that no long text is copied at once. */
export function streamOf(parts: readonly string[]): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const rest = parts.values();
  return new ReadableStream(
    {
      async pull(controller) {
        await slices.pause();
        const part = rest.next();
        if (part.done === true) controller.close();
        else controller.enqueue(encoder.encode(part.value));
      },
    },
    { highWaterMark: 0 },
  );
}
