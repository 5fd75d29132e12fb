import { realpathSync } from 'node:fs';
import { ROOT } from './sources.ts';

/**
 * Returns the commit of the checkout in `root`: the first 12 characters of its hash, and `-dirty` when files
 * of `paths` differ from it or are not in it. Null if there is no git, and for sources that were unpacked
 * from an archive.
 */
export function commitOf(paths: readonly string[], root: string = ROOT): string | null {
  const top = git(root, ['rev-parse', '--show-toplevel']);
  // An archive unpacked inside another repository does not belong to that repository's commit.
  if (top === null || realpathSync(top) !== realpathSync(root)) return null;
  const hash = git(root, ['rev-parse', '--short=12', 'HEAD']);
  const changes = git(root, ['status', '--porcelain', '--', ...paths]);
  if (hash === null || changes === null) return null;
  return changes === '' ? hash : `${hash}-dirty`;
}

function git(root: string, args: readonly string[]): string | null {
  if (Bun.which('git') === null) return null;
  // A git hook that runs the build names its own repository in the environment.
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('GIT_')));
  const { exitCode, stdout } = Bun.spawnSync(['git', '-C', root, ...args], { env, stderr: 'ignore' });
  return exitCode === 0 ? stdout.toString().trim() : null;
}
