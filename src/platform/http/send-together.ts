/**
 * The bytes of a body that the runtime always sends together with the headers. Outside of the callback in
 * which it received the request, it sends each part of each header of a larger response by itself: 38 system
 * calls, with which a response of 50 KB takes seven times as long. It sends the headers of a stream together
 * (Bun 1.4.5; https://github.com/oven-sh/bun/pull/41341).
 */
const MOST_TOGETHER = 14_000;

type Bytes = Uint8Array<ArrayBuffer>;

/** The bodies of responses that are not sent together with their headers. */
const large = new WeakMap<Response, string | Bytes | Blob>();

/** Returns a response with a body that is in memory. A blob is for those that are sent often. */
export function responseWith(body: string | Bytes | Blob, init: ResponseInit): Response {
  const response = new Response(body, init);
  if (isLarge(body)) large.set(response, body);
  return response;
}

/** Returns the bytes of a large response of `responseWith`; null for any other, such as a stream. */
export async function largeBodyOf(response: Response): Promise<Bytes | null> {
  const body = large.get(response);
  if (body === undefined || body instanceof Uint8Array) return body ?? null;
  return typeof body === 'string' ? Buffer.from(body) : new Uint8Array(await body.arrayBuffer());
}

/**
 * Returns a response as it is sent fastest: a large one as a stream, so that its length is not in the
 * headers, unless its body is a blob. Not for HEAD, whose response has the length.
 */
export function sentTogether(response: Response): Response {
  const body = large.get(response);
  if (body === undefined || body instanceof Blob) return response;
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

function isLarge(body: string | Bytes | Blob): boolean {
  if (body instanceof Blob) return body.size > MOST_TOGETHER;
  if (typeof body !== 'string') return body.length > MOST_TOGETHER;
  // No UTF-16 unit has more than three bytes.
  return body.length * 3 > MOST_TOGETHER && Buffer.byteLength(body) > MOST_TOGETHER;
}
