import type { Visit } from '../turns/visit.ts';
import { largeBodyOf, sentTogether } from './send-together.ts';

/** The most bytes that are sent in one turn. */
const SLICE_BYTES = 2 ** 18;

/**
 * Returns a response whose body is sent in turns, if it is large, since others wait: the operating system
 * takes its bytes on the same thread, and one client that reads megabytes would be served in front of all
 * others. Its length is then not in the headers.
 */
export async function sentInTurns(response: Response, visit: Visit): Promise<Response> {
  const bytes = await largeBodyOf(response);
  if (bytes === null || bytes.length <= SLICE_BYTES) return sentTogether(response);
  const { status, headers } = response;
  return new Response(inTurns(bytes, visit), { status, headers });
}

function inTurns(bytes: Uint8Array, visit: Visit): ReadableStream<Uint8Array> {
  let sent = 0;
  const release = visit.keep();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        if (sent > 0) await visit.resume();
        controller.enqueue(bytes.subarray(sent, sent + SLICE_BYTES));
        sent += SLICE_BYTES;
        visit.pause();
        if (sent < bytes.length) return;
        controller.close();
        release();
      },
      cancel: release,
    },
    { highWaterMark: 0 },
  );
}
