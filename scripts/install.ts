import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { hashOf, ROOT } from './sources.ts';

type Extent = 'production' | 'all';

const STAMP = join(ROOT, 'node_modules', '.countersign-install');

/** Installs the locked dependencies unless they are installed; a full installation also serves production. */
export function install(extent: Extent): void {
  const lock = hashOf(['package.json', 'bun.lock']);
  const stamp = existsSync(STAMP) ? readFileSync(STAMP, 'utf8') : '';
  if (stamp === `all ${lock}` || stamp === `${extent} ${lock}`) return;
  process.stderr.write('countersign: installing dependencies\n');
  const flags = extent === 'production' ? ['--production'] : [];
  const { exitCode } = Bun.spawnSync([process.execPath, 'install', '--frozen-lockfile', ...flags], {
    cwd: ROOT,
    stdout: 'ignore',
    stderr: 'inherit',
  });
  if (exitCode !== 0) process.exit(1);
  writeFileSync(STAMP, `${extent} ${lock}`);
}
