import { expect, test } from 'bun:test';
import { join } from 'node:path';

const ROOT = join(import.meta.dir, '../../../../../..');

/** Loads what a start of the trust service loads, and counts the files of viem that came with it. */
const SCRIPT = `
  const { trustModules } = await import('./src/trust/service/modules.ts');
  await import('./src/trust/service/service.ts');
  for (const module of trustModules) await module.server?.();
  const loaded = () => Object.keys(require.cache).filter((file) => file.includes('/node_modules/viem/')).length;
  const atStart = loaded();
  await import('./src/trust/payments/payouts/evm/rail.ts');
  const withRail = loaded();
  await import('./src/trust/payments/payouts/evm/chain/viem.ts');
  console.log(JSON.stringify([atStart, withRail, loaded() > 10]));
`;

test('neither a start of the service nor the rail loads viem before the first payout', async () => {
  const child = Bun.spawn([process.execPath, '-e', SCRIPT], { cwd: ROOT, stderr: 'inherit' });
  expect(JSON.parse(await child.stdout.text())).toEqual([0, 0, true]);
});
