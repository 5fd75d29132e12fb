import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP } from 'node:net';
import { hostOf, type Target } from './target.ts';

/** Of an answer, so many bytes are read: nothing in it is kept. */
const ANSWER_BYTES = 64 * 1024;

export interface Post {
  headers: Record<string, string>;
  body: string;
  /** Ends the request, whatever it is doing. */
  signal: AbortSignal;
  /** Certificates (PEM) to trust instead of the system's. */
  ca?: string | undefined;
}

/**
 * Sends a POST to a target over a connection of its own to one of the target's checked addresses: no name is looked up
 * again, and no proxy of the environment is asked. The request and the certificate's name are still those of the URL.
 * Redirects are not followed. The status decides, however the rest of the answer ends; no more than 64 KiB of it is read.
 *
 * @returns the status. @throws the connection's error, or AbortError, when there was none
 */
export function post(target: Target, { headers, body, signal, ca }: Post): Promise<number> {
  const { url, addresses } = target;
  const secure = url.protocol === 'https:';
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
    let status: number | null = null;
    const over = () => {
      request.destroy();
      if (status !== null) resolve(status);
    };
    const request = (secure ? requestHttps : requestHttp)(options, (response) => {
      status = response.statusCode ?? 0;
      let read = 0;
      response.on('data', (chunk: Uint8Array) => {
        read += chunk.length;
        if (read >= ANSWER_BYTES) over();
      });
      response.on('end', over).on('error', over).on('close', over);
    });
    request.on('error', (error) => (status === null ? reject(error) : over()));
    request.end(body);
  });
}
