import { isIP } from 'node:net';
import { hostOf, type Target } from './target.ts';

export interface Post {
  headers: Record<string, string>;
  body: string;
  /** Aborts the request at any point. */
  signal: AbortSignal;
  /** The maximum number of bytes to read of a response. */
  maxBytes: number;
  /** Certificates (PEM) to trust instead of the system's. */
  ca?: string | undefined;
}

/** The response to a POST. */
export interface PostResult {
  status: number;
  contentType: string;
  bytes: Uint8Array;
  /** `whole`: complete; `cut`: larger than `maxBytes`; `broken`: the connection broke. */
  end: 'whole' | 'cut' | 'broken';
}

/**
 * Sends a POST over a new connection to one of the target's checked addresses. Does not look up the name
 * again and uses no proxy from the environment. The Host header and the certificate's name come from the URL.
 * Does not follow redirects.
 *
 * @returns the response, complete, or the part that arrived if a status was received
 * @throws the connection's error or AbortError if no status was received
 */
export async function post(
  target: Target,
  { headers, body, signal, maxBytes, ca }: Post,
): Promise<PostResult> {
  const { url, addresses } = target;
  const secure = url.protocol === 'https:';
  // Loaded with the first request to keep the start fast.
  const { request: send } = await (secure ? import('node:https') : import('node:http'));
  const host = hostOf(url);
  const pinned = addresses.map((address) => ({ address, family: isIP(address) }));
  const options = {
    host,
    port: url.port === '' ? (secure ? 443 : 80) : Number(url.port),
    path: url.pathname + url.search,
    method: 'POST',
    headers: { ...headers, host: url.host, 'content-length': String(Buffer.byteLength(body)) },
    agent: false,
    signal,
    lookup: (_name: string, _options: unknown, found: (error: null, all: typeof pinned) => void) =>
      found(null, pinned),
    ...(ca === undefined ? {} : { ca }),
  } as const;
  return new Promise((resolve, reject) => {
    let result: Omit<PostResult, 'bytes' | 'end'> | null = null;
    let read = 0;
    const chunks: Uint8Array[] = [];
    const over = (end: PostResult['end']) => {
      request.destroy();
      if (result !== null) resolve({ ...result, bytes: Buffer.concat(chunks), end });
    };
    const request = send(options, (response) => {
      result = { status: response.statusCode ?? 0, contentType: response.headers['content-type'] ?? '' };
      response.on('data', (chunk: Uint8Array) => {
        read += chunk.length;
        if (read > maxBytes) over('cut');
        else chunks.push(chunk);
      });
      response.on('end', () => over('whole'));
      response.on('error', () => over('broken')).on('close', () => over('broken'));
    });
    request.on('error', (error) => (result === null ? reject(error) : over('broken')));
    request.end(body);
  });
}
