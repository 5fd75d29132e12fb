import { afterAll, beforeAll, expect, test } from 'bun:test';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildSdk, SDK } from '../../../scripts/sdk.ts';
import { type Running, scratch, serve } from '../../support/process.ts';
import { hasPython, PYTHON } from '../../support/python.ts';
import { pageOf, runnableBlocks } from '../../support/story.ts';
import { vectorJson } from '../../support/vectors.ts';

/** Runs the blocks of docs/sdk.md, those of a language as one program. */

const files = scratch();
let service: Running;
beforeAll(async () => {
  await buildSdk();
  service = await serve(join(files.path, 'data'));
  // In place of `npm install`.
  mkdirSync(join(files.path, 'node_modules/@countersign'), { recursive: true });
  symlinkSync(join(SDK, 'typescript'), join(files.path, 'node_modules/@countersign/sdk'));
}, 180_000);
afterAll(async () => {
  await service.stop();
  files.dispose();
});

const programOf = (language: string): string =>
  runnableBlocks(pageOf('sdk.md'))
    .flatMap((block) => (block.language === language ? [block.script] : []))
    .join('\n')
    .replaceAll('http://127.0.0.1:3000', service.url);

async function printed(command: string[]): Promise<string> {
  const env = { ...process.env, KEY: service.apiKey, PYTHONPATH: join(SDK, 'python') };
  const child = Bun.spawn(command, { cwd: files.path, env, stdout: 'pipe', stderr: 'inherit' });
  const text = await new Response(child.stdout).text();
  expect(await child.exited).toBe(0);
  return text;
}

/** Returns the blocks in TypeScript as a program of JavaScript. */
const javaScript = (): string => new Bun.Transpiler({ loader: 'ts' }).transformSync(programOf('typescript'));

test('the blocks in TypeScript compile in strict mode', async () => {
  writeFileSync(join(files.path, 'page.mts'), programOf('typescript'));
  const modules = join(import.meta.dir, '../../../node_modules');
  const compilerOptions = {
    ...{ strict: true, noEmit: true, module: 'nodenext', target: 'es2023', skipLibCheck: false },
    ...{ types: ['node'], typeRoots: [join(modules, '@types')] },
  };
  writeFileSync(join(files.path, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['page.mts'] }));
  const child = Bun.spawn([join(modules, '.bin/tsc'), '-p', files.path], { stdout: 'pipe' });
  expect(await new Response(child.stdout).text()).toBe('');
  expect(await child.exited).toBe(0);
}, 60_000);

test('the blocks in TypeScript run in Node', async () => {
  writeFileSync(join(files.path, 'page.mjs'), javaScript());
  const [sentence, ...lines] = (await printed(['node', 'page.mjs'])).trim().split('\n');
  expect(sentence).toStartWith(
    'valid: The receipt is authentic, unchanged and not expired; it is not revoked.',
  );
  expect(lines.at(0)).toMatch(/^rcpt_[0-9a-f]{32} success$/);
  expect(lines.at(-1)).toMatch(/^409 [0-9a-f-]{36} success$/);
});

test('the receiver of webhooks takes a delivery that is signed', async () => {
  writeFileSync(join(files.path, 'receiver.mjs'), javaScript());
  const [genuine] =
    vectorJson<{ secret: string; headers: Record<string, string>; body: string }[]>(
      'webhook/deliveries.json',
    );
  const code = `import { receive } from './receiver.mjs'; Date.now = () => 1767225601000;
    const request = new Request('http://localhost', { method: 'POST', ...${JSON.stringify(genuine)} });
    console.log((await receive(request, ${JSON.stringify(genuine?.secret)})).event);`;
  writeFileSync(join(files.path, 'delivery.mjs'), code);
  expect((await printed(['node', 'delivery.mjs'])).trim().split('\n').at(-1)).toBe('evidence.anchored');
});

test.skipIf(!hasPython)('the block in Python runs', async () => {
  writeFileSync(join(files.path, 'page.py'), programOf('python'));
  const lines = (await printed([PYTHON ?? '', '-B', 'page.py'])).trim().split('\n');
  expect(lines.at(0)).toMatch(/^rcpt_[0-9a-f]{32} success$/);
  expect(lines.at(-1)).toMatch(/^409 receipt_already_finalized [0-9a-f-]{36}$/);
});
