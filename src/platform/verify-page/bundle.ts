/**
 * Returns the script of the verifier page: src/proof and the page's own code as one classic script. The
 * bundler calls it while it builds (`with { type: 'macro' }`), so that the executable has the text. It runs
 * the bundler as a process, because one cannot run inside another.
 */
export function bundledScript(): string {
  const { exitCode, stdout, stderr } = Bun.spawnSync([
    process.execPath,
    'build',
    '--format=iife',
    '--target=browser',
    '--minify',
    `${import.meta.dir}/browser/main.ts`,
  ]);
  if (exitCode !== 0)
    throw new Error(`the script of the verifier page cannot be built: ${stderr.toString()}`);
  return stdout.toString();
}
