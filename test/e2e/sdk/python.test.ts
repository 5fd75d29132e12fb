import { afterAll, beforeAll, expect, test } from 'bun:test';
import { join } from 'node:path';
import { buildSdk, SDK } from '../../../scripts/sdk.ts';
import { type Running, scratch, serve } from '../../support/process.ts';
import { hasPython, PYTHON } from '../../support/python.ts';

const files = scratch();
let trust: Running;
let staffing: Running;
beforeAll(async () => {
  await buildSdk();
  [trust, staffing] = await Promise.all([
    serve(join(files.path, 'trust'), { COUNTERSIGN_AGENTS_POW_DIFFICULTY: '1' }),
    serve(join(files.path, 'staffing'), {}, ['--service', 'staffing']),
  ]);
}, 180_000);
afterAll(async () => {
  await Promise.all([trust.stop(), staffing.stop()]);
  files.dispose();
});

test.skipIf(!hasPython)(
  'the tests of the Python SDK pass',
  async () => {
    const command = [PYTHON ?? '', '-B', '-W', 'error', '-m', 'unittest', '-v', 'test_countersign'];
    const { stderr, exited } = Bun.spawn(command, {
      cwd: import.meta.dir,
      env: {
        ...process.env,
        PYTHONPATH: join(SDK, 'python'),
        TRUST_URL: trust.url,
        TRUST_KEY: trust.apiKey,
        STAFFING_URL: staffing.url,
        STAFFING_ADMIN: String(staffing.ready.admin_token),
        DELIVERIES: join(import.meta.dir, '../../vectors/webhook/deliveries.json'),
      },
      stderr: 'pipe',
    });
    expect(await new Response(stderr).text()).toEndWith('\nOK\n');
    expect(await exited).toBe(0);
  },
  120_000,
);
