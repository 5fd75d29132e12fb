/** A request as a scripted server got it. */
export interface SeenRequest {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: string;
}

/** A response of a script, or a function that makes it. */
export type Scripted = Response | (() => Response | Promise<Response>);

/** A server that responds by a script, in order; the last response repeats. */
export function scriptedServer(...script: Scripted[]) {
  const seen: SeenRequest[] = [];
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch(request) {
      const { pathname, search } = new URL(request.url);
      seen.push({
        method: request.method,
        path: pathname + search,
        headers: Object.fromEntries(request.headers),
        body: await request.text(),
      });
      const next = script[Math.min(seen.length, script.length) - 1];
      if (next === undefined) return new Response(null, { status: 500 });
      if (typeof next === 'function') return next();
      return new Response(await next.clone().arrayBuffer(), { status: next.status, headers: next.headers });
    },
  });
  return {
    url: `http://127.0.0.1:${server.port}`,
    seen,
    [Symbol.asyncDispose]: () => server.stop(true),
  };
}
