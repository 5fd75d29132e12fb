/** What a proxy does with a request: it passes it on, or the process that asked is killed before or after. */
export type Verdict = 'pass' | 'kill before' | 'kill after';

/**
 * Starts a proxy in front of a node that kills whoever asks at given moments. It keeps the methods that were
 * asked.
 */
export function nodeProxy(target: string) {
  let judge: (method: string) => Verdict = () => 'pass';
  let kill: () => Promise<void> = async () => undefined;
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch(request) {
      const body = await request.text();
      const verdict = judge(JSON.parse(body).method);
      if (verdict === 'kill before') {
        await kill();
        return new Response(null, { status: 503 });
      }
      const headers = { 'content-type': 'application/json' };
      const answer = await fetch(target, { method: 'POST', headers, body });
      if (verdict === 'kill after') await kill();
      return new Response(await answer.text(), { headers });
    },
  });
  return {
    url: `http://127.0.0.1:${server.port}`,
    /** Calls `killing` at the `count`th request of a method, before or after the node gets it. */
    killAt(method: string, count: number, when: 'kill before' | 'kill after', killing: () => Promise<void>) {
      let seen = 0;
      kill = killing;
      judge = (asked) => {
        if (asked !== method) return 'pass';
        seen += 1;
        return seen === count ? when : 'pass';
      };
    },
    passAll() {
      judge = () => 'pass';
    },
    stop: () => server.stop(true),
  };
}
