import { expect, test } from 'bun:test';
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { EXECUTABLE, scratch, serve } from '../../../support/process.ts';

const ROOT = join(import.meta.dir, '../../../..');
const page = readFileSync(join(ROOT, 'docs/a2a.md'), 'utf8');
const [, story = ''] = /\n## A hire from a stranger's side\n([\s\S]*?)(?:\n## |$)/.exec(page) ?? [];
const blocks = [...story.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, script = '']) => script);
const needed = ['bash', 'curl', 'jq', 'openssl', 'node'].filter((name) => Bun.which(name) === null);

test('docs/a2a.md names the version of the SDK that the tests use', () => {
  const { devDependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  expect(story).toContain(`@a2a-js/sdk@${devDependencies['@a2a-js/sdk']}`);
});

test.skipIf(needed.length > 0)('docs/a2a.md: the story of a hire by A2A runs word for word', async () => {
  const { path, dispose } = scratch();
  try {
    for (const name of ['data', 'dist']) mkdirSync(join(path, name));
    symlinkSync(EXECUTABLE, join(path, 'dist/countersign'));
    // In place of `npm install`.
    symlinkSync(join(ROOT, 'node_modules'), join(path, 'node_modules'));
    const server = await serve(join(path, 'data/trust'));
    const env = {
      ...process.env,
      API: `${server.url}/api/v1`,
      KEY: server.apiKey,
      SERVICE_TOKEN: String(server.ready.service_token),
    };
    const script = blocks.map((block) => `${block}\necho; echo -----\n`).join('');
    const child = Bun.spawnSync(['bash', '-euo', 'pipefail', '-c', script], { cwd: path, env });
    expect([child.stderr.toString(), child.exitCode]).toEqual([expect.any(String), 0]);
    const said = child.stdout.toString().split('-----\n');
    expect(said).toHaveLength(blocks.length + 1);
    const [granted = '', written = '', asked = '', hired = '', delivered = '', paid = '', verified = ''] =
      said;
    expect(granted).toContain('"available":100');
    expect(written.trim()).toBe('');
    expect(asked).toStartWith('TASK_STATE_INPUT_REQUIRED\nSend the terms as data.');
    expect(hired).toStartWith('TASK_STATE_WORKING\n40 credits were locked.');
    expect(hired).toContain('"locked":40,"available":60');
    expect(delivered).toContain('"event_commitment_hash"');
    expect(paid).toStartWith('TASK_STATE_INPUT_REQUIRED\nThe worker delivered ');
    expect(paid).toContain('\nTASK_STATE_COMPLETED\n');
    expect(paid).toContain('"earned":40,"spent":0,"locked":0,"available":40');
    expect(verified).toStartWith('TASK_STATE_COMPLETED\nvalid: The receipt is authentic');
    expect((await server.stop()).code).toBe(0);
  } finally {
    dispose();
  }
});
