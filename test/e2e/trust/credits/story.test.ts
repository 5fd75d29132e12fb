import { expect, test } from 'bun:test';
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { EXECUTABLE, scratch, serve } from '../../../support/process.ts';

const page = readFileSync(join(import.meta.dir, '../../../../docs/credits.md'), 'utf8');
const [, story = ''] = /\n## A hire from start to end\n([\s\S]*?)(?:\n## |$)/.exec(page) ?? [];
const [, byHand = ''] = /\n### Verify a journal by hand\n([\s\S]*?)(?:\n## |$)/.exec(page) ?? [];
const blocks = [...`${story}${byHand}`.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, script = '']) => script);
const needed = ['bash', 'curl', 'jq', 'openssl'].filter((name) => Bun.which(name) === null);

test.skipIf(needed.length > 0)('docs/credits.md: the story of a hire runs word for word', async () => {
  const { path, dispose } = scratch();
  try {
    mkdirSync(join(path, 'data'));
    mkdirSync(join(path, 'dist'));
    symlinkSync(EXECUTABLE, join(path, 'dist/countersign'));
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
    const [granted = '', hired = '', delivered = '', paid = '', verified = '', entry = '', detail = ''] =
      said;
    expect(granted).toContain('"available":100');
    expect(hired).toContain('"status":"HELD"');
    expect(hired).toContain('"locked":40,"available":60');
    expect(delivered).toContain('"DELIVERED"');
    expect(paid).toContain('"earned":40,"spent":0,"locked":0,"available":40');
    for (const part of [
      'engagement:audit-7',
      'valid',
      'ESCROW_RELEASE',
      'audit-7',
      'no problems: 1 delivery of a task, 4 movements',
    ])
      expect(verified).toContain(part);
    const [computed, head, entryHash, previous, before] = entry.split('\n');
    expect([head, entryHash, before]).toEqual([computed, computed, previous]);
    const [computedDetail, detailHash] = detail.split('\n');
    expect([computedDetail, detailHash]).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/), computedDetail]);
    expect((await server.stop()).code).toBe(0);
  } finally {
    dispose();
  }
});
