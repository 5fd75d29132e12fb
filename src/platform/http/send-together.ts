/**
 * The bytes of a body that the runtime always sends together with the headers. Outside of the callback in
 * which it received the request, it sends each part of each header of a larger response by itself: 38 system
 * calls, which takes six times as long as to send 50 KB. It sends the headers of a stream together
 * (Bun 1.4.5; https://github.com/oven-sh/bun/pull/41341).
 */
const MOST_TOGETHER = 14_000;

/** The bodies of responses that are not sent together with their headers. */
const large = new WeakMap<Response, string | Uint8Array<ArrayBuffer>>();

/** Returns a response with a body that is in memory. */
export function responseWith(body: string | Uint8Array<ArrayBuffer>, init: ResponseInit): Response {
  const response = new Response(body, init);
  if (isLarge(body)) large.set(response, body);
  return response;
}

/**
 * Returns a response as it is sent fastest: a large one of `responseWith` as a stream, so that its length is
 * not in the headers. Not for HEAD, whose response has the length.
 */
export function sentTogether(response: Response): Response {
  const body = large.get(response);
  if (body === undefined) return response;
  const stream = new ReadableStream({
    type: 'direct',
    pull(controller) {
      controller.write(body);
      controller.close();
    },
  });
  const { status, headers } = response;
  return new Response(stream, { status, headers });
}

function isLarge(body: string | Uint8Array): boolean {
  if (typeof body !== 'string') return body.length > MOST_TOGETHER;
  // No character has more than three bytes.
  return body.length * 3 > MOST_TOGETHER && Buffer.byteLength(body) > MOST_TOGETHER;
}
