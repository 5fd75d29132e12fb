import { connect } from 'node:net';
import type { App } from '../../src/platform/http/app.ts';
import { listen } from '../../src/platform/http/server.ts';

/** A response to HEAD, as it came over the connection. */
export interface Head {
  status: number;
  headers: Headers;
  /** What followed the headers: nothing, unless the server is wrong. */
  rest: string;
}

/**
 * Sends HEAD to an application over a connection, because the runtime makes the response to HEAD from that to
 * GET.
 */
export async function headOf(
  fetch: App['fetch'],
  path: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Head> {
  const server = listen('127.0.0.1', 0, null);
  const refused = (): Response => new Response(null, { status: 503 });
  server.serve({
    fetch,
    unavailable: refused,
    busy: refused,
    payerOf: () => ({ id: '', key: '', isFree: false }),
    verifiedPayerOf: async () => null,
  });
  try {
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    const text = await received(
      Number(new URL(server.url).port),
      `HEAD ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n${lines.join('')}\r\n`,
    );
    const [head = '', ...rest] = text.split('\r\n\r\n');
    const [first = '', ...fields] = head.split('\r\n');
    return {
      status: Number(first.split(' ')[1]),
      headers: new Headers(fields.map((field): [string, string] => splitAtColon(field))),
      rest: rest.join('\r\n\r\n'),
    };
  } finally {
    await server.stop(0);
  }
}

/** Sends bytes and returns all that comes until the server closes the connection. */
function received(port: number, request: string): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const socket = connect(port, '127.0.0.1', () => socket.write(request));
  let text = '';
  socket.on('data', (data) => (text += data.toString('latin1')));
  socket.on('error', reject).on('close', () => resolve(text));
  return promise;
}

function splitAtColon(field: string): [string, string] {
  const colon = field.indexOf(':');
  return [field.slice(0, colon), field.slice(colon + 1).trim()];
}
