import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root, run } from './checkout.ts';

export interface Outcome {
  passed: number;
  failed: number;
  skipped: string[];
  /** Test files that left no result: they could not be loaded, or the run ended before them. */
  lost: string[];
}

const TIMEOUT = '30000';

/** Runs all tests with coverage into `coverage/lcov.info`, or only what the arguments choose, without. */
export async function runTests(args: string[]): Promise<Outcome> {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-test-'));
  const report = join(folder, 'junit.xml');
  const coverage = ['--coverage', '--coverage-reporter=lcov', '--coverage-dir=coverage'];
  try {
    rmSync(join(root, 'coverage'), { recursive: true, force: true });
    const code = await run([
      ...[process.execPath, 'test', '--no-orphans', '--timeout', TIMEOUT],
      ...['--reporter=junit', `--reporter-outfile=${report}`],
      ...(args.length === 0 ? coverage : args),
    ]);
    const wanted = args.length === 0 ? [...new Bun.Glob('test/**/*.test.ts').scanSync({ cwd: root })] : [];
    const outcome = readReport(contents(report), wanted.sort());
    // an error outside of any test fails the run without a place in the report
    return code !== 0 && outcome.failed === 0 ? { ...outcome, failed: 1 } : outcome;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function contents(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

/** Counts the cases of a JUnit report, in which `>` is escaped everywhere but at the end of a tag. */
function readReport(xml: string, files: string[]): Outcome {
  const seen = new Set<string>();
  const outcome: Outcome = { passed: 0, failed: 0, skipped: [], lost: [] };
  for (const [, attributes = '', body = ''] of xml.matchAll(
    /<testcase ([^>]*?)(?:\/>|>([\s\S]*?)<\/testcase>)/g,
  )) {
    const file = attribute(attributes, 'file');
    seen.add(file);
    if (/<skipped\b/.test(body)) {
      outcome.skipped.push(`${file}:${attribute(attributes, 'line')} ${attribute(attributes, 'name')}`);
    } else if (/<(failure|error)\b/.test(body)) {
      outcome.failed += 1;
    } else {
      outcome.passed += 1;
    }
  }
  outcome.lost = files.filter((file) => !seen.has(file));
  outcome.failed += outcome.lost.length;
  return outcome;
}

const ENTITIES: Record<string, string> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' };

function attribute(attributes: string, name: string): string {
  const value = new RegExp(`(?:^|\\s)${name}="([^"]*)"`).exec(attributes)?.[1] ?? '';
  return value.replaceAll(/&(lt|gt|quot|apos|amp);/g, (whole, entity) => ENTITIES[entity] ?? whole);
}
