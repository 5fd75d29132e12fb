import { readFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { selfSigned } from './certificate.ts';

/** A public https host in front of a service, for clients of this machine that get `env`. */
export interface HttpsFront {
  /** The port of 127.0.0.1 that the service behind it must listen on. */
  servicePort: string;
  /** The environment of a client that finds the host: a proxy instead of DNS, and the certificate. */
  env: Record<string, string>;
  stop(): Promise<void>;
}

/**
 * Starts a front that has a self-signed certificate for a host name, and a proxy that connects every name to
 * it (CONNECT, RFC 9110 section 9.3.6). Both listen on 127.0.0.1, and the front speaks plain HTTP with the
 * service, as behind a reverse proxy.
 */
export async function httpsFront(directory: string, host: string): Promise<HttpsFront> {
  const { cert, key } = selfSigned(directory, host, host);
  const servicePort = freePort();
  const front = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    tls: { cert: readFileSync(cert, 'utf8'), key: readFileSync(key, 'utf8') },
    async fetch(request) {
      const { pathname, search } = new URL(request.url);
      const { method, headers } = request;
      const body = method === 'GET' ? {} : { body: await request.arrayBuffer() };
      return fetch(`http://127.0.0.1:${servicePort}${pathname}${search}`, {
        method,
        headers,
        redirect: 'manual',
        ...body,
      });
    },
  });
  const proxy = createServer((client) => {
    client.on('error', () => client.destroy());
    client.once('data', () => {
      const tunnel = connect(Number(front.port), '127.0.0.1', () => {
        client.write('HTTP/1.1 200 Connection established\r\n\r\n');
        client.pipe(tunnel).pipe(client);
      });
      tunnel.on('error', () => client.destroy());
    });
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const address = proxy.address();
  const port = address === null || typeof address === 'string' ? 0 : address.port;
  return {
    servicePort: String(servicePort),
    env: { HTTPS_PROXY: `http://127.0.0.1:${port}`, NODE_EXTRA_CA_CERTS: cert },
    async stop() {
      proxy.close();
      await front.stop(true);
    },
  };
}

/** Returns a port that nobody listens on. */
function freePort(): number {
  const server = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: () => new Response() });
  const { port } = server;
  server.stop(true);
  return Number(port);
}
