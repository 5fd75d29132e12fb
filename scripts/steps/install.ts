import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { digest, root, run, stamp } from './checkout.ts';
import { lock } from './lock.ts';

/** What is installed: for running alone, or the tools and tests too. */
type Extent = 'production' | 'all';

const STAMP = 'node_modules/.countersign-install';

/** Whether node_modules holds what the lockfile says, as far as it is wanted. */
export function installed(extent: Extent): boolean {
  const locked = digest(['package.json', 'bun.lock']);
  return [`${locked} all`, `${locked} ${extent}`].includes(stamp(STAMP));
}

/** Installs by the lockfile and returns the exit code. Tools that are already there are kept. */
export async function install(wanted: Extent, stdout: 'inherit' | 2 = 'inherit'): Promise<number> {
  using _held = lock();
  if (installed(wanted)) {
    return 0;
  }
  const extent = stamp(STAMP).endsWith(' all') ? 'all' : wanted;
  const only = extent === 'production' ? ['--production'] : [];
  const code = await run([process.execPath, 'install', '--frozen-lockfile', ...only], stdout);
  if (code === 0) {
    writeFileSync(join(root, STAMP), `${digest(['package.json', 'bun.lock'])} ${extent}\n`);
  }
  return code;
}
