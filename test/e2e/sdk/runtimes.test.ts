import { afterAll, beforeAll, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildSdk, SDK } from '../../../scripts/sdk.ts';
import { browserAvailable, closeBrowser, visiting } from '../../support/browser.ts';
import { type Running, scratch, serve } from '../../support/process.ts';

afterAll(closeBrowser);

const FOLDER = join(SDK, 'typescript');
const PROGRAM = join(import.meta.dir, 'program.mjs');
const RESULT = {
  verdict: 'valid',
  checked: ['hash', 'signature', 'key', 'status'],
  changed: 'hash_mismatch',
  signature: 128,
  nonce: 36,
  refused: 'ApiError: receipt_not_found',
};

const files = scratch();
let service: Running;
beforeAll(async () => {
  await buildSdk();
  service = await serve(join(files.path, 'data'));
}, 180_000);
afterAll(async () => {
  await service.stop();
  files.dispose();
});

test.each(['node', process.execPath])('%s runs a program by the built SDK', async (runtime) => {
  const child = Bun.spawn([runtime, PROGRAM, FOLDER, service.url, service.apiKey], { stdout: 'pipe' });
  expect(JSON.parse(await new Response(child.stdout).text())).toEqual(RESULT);
});

/** A page with the SDK, on the origin of the service. */
function pageServer() {
  return Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch(request) {
      const { pathname, search } = new URL(request.url);
      const [, file] = /^\/sdk\/([\w/-]+\.js)$/.exec(pathname) ?? [];
      const script = { 'content-type': 'text/javascript' };
      if (file !== undefined) return new Response(readFileSync(join(FOLDER, file)), { headers: script });
      if (pathname === '/program.js') return new Response(readFileSync(PROGRAM), { headers: script });
      if (pathname === '/')
        return new Response('<!doctype html>', { headers: { 'content-type': 'text/html' } });
      return fetch(service.url + pathname + search, request);
    },
  });
}

test.skipIf(!browserAvailable)(
  'a browser runs the same program',
  async () => {
    const server = pageServer();
    const origin = `http://127.0.0.1:${server.port}`;
    try {
      await visiting(origin, async ({ page, foreign, complaints }) => {
        await page.goto(origin);
        const code = `(async () => (await import('/program.js')).run({
        trust: await import('/sdk/trust.js'), verifier: await import('/sdk/verify.js'),
        url: location.origin, apiKey: '${service.apiKey}' }))()`;
        expect(await page.evaluate(code)).toEqual(RESULT);
        expect(foreign).toEqual([]);
        // The response that refuses an unknown receipt.
        expect(complaints.filter((text) => !text.includes('404'))).toEqual([]);
      });
    } finally {
      await server.stop(true);
    }
  },
  120_000,
);

test('the built SDK imports nothing but itself', () => {
  const transpiler = new Bun.Transpiler({ loader: 'js' });
  const imports = [...new Bun.Glob('**/*.js').scanSync({ cwd: FOLDER })].flatMap((file) =>
    transpiler.scanImports(readFileSync(join(FOLDER, file))).map(({ path }) => path),
  );
  expect(imports.length).toBeGreaterThan(10);
  const foreign = imports.filter((name) => !name.startsWith('./') && !name.startsWith('../'));
  // Only what starts a test service.
  expect(foreign.sort()).toEqual(['node:child_process', 'node:fs', 'node:os', 'node:path']);
});
