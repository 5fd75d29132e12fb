import { join } from 'node:path';

const ROOT = join(import.meta.dir, '../..');

/** Lints OpenAPI documents by the rules of Spectral. Returns the errors and warnings. */
export async function spectralProblems(files: readonly string[]): Promise<unknown[]> {
  const command = ['lint', '--quiet', '-r', join(import.meta.dir, 'spectral.yaml'), '-f', 'json', ...files];
  const child = Bun.spawn([join(ROOT, 'node_modules/.bin/spectral'), ...command], {
    cwd: ROOT,
    stdout: 'pipe',
    stderr: 'inherit',
  });
  const problems: { severity: number }[] = JSON.parse(await new Response(child.stdout).text());
  return problems.filter(({ severity }) => severity <= 1);
}
