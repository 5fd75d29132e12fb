import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lazy } from '../../src/platform/lazy.ts';
import { loadSampleIfEmpty } from '../../src/staffing/registry/sample/load.ts';

/**
 * Written once a test process: a service that writes its own at its first start takes most of a second for
 * it.
 */
const sample = lazy(() => {
  const directory = mkdtempSync(join(tmpdir(), 'countersign-sample-'));
  process.once('exit', () => rmSync(directory, { recursive: true, force: true }));
  loadSampleIfEmpty(directory);
  return directory;
});

/** Copies the sample registry into the data directory of a service that is to be opened. */
export function giveSampleRegistry(dataDirectory: string): void {
  cpSync(sample(), join(dataDirectory, 'registry'), { recursive: true });
}
