import { expect, test } from 'bun:test';
import { join } from 'node:path';

const ROOT = join(import.meta.dir, '../../../../..');

/**
 * Loads what a start of the trust service loads, and lists the files of the package of Stripe that came with
 * it.
 */
const SCRIPT = `
  const { trustModules } = await import('./src/trust/service/modules.ts');
  await import('./src/trust/service/service.ts');
  for (const module of trustModules) await module.server?.();
  const loaded = () => Object.keys(require.cache).filter((file) => file.includes('/node_modules/stripe/')).length;
  const atStart = loaded();
  await import('./src/trust/billing/processor/stripe.ts');
  console.log(JSON.stringify([atStart, loaded() > 10]));
`;

test('a start of the service loads nothing of the package of Stripe', async () => {
  const child = Bun.spawn([process.execPath, '-e', SCRIPT], { cwd: ROOT, stderr: 'inherit' });
  expect(JSON.parse(await child.stdout.text())).toEqual([0, true]);
});
