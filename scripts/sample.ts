import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { constants, zstdCompressSync } from 'node:zlib';
import { SAMPLE } from '../src/staffing/registry/sample/extent.ts';
import { buildSample } from '../src/staffing/registry/sample/load.ts';

/** A higher level takes ten times as long for a seventh less. */
const LEVEL = 12;

/**
 * Writes the compressed sample registry of the staffing service to the path in the argument. The build embeds
 * it in the executable, so that a first start need not build it.
 */
const directory = mkdtempSync(join(tmpdir(), 'countersign-sample-'));
try {
  const bytes = readFileSync(join(directory, buildSample(directory, SAMPLE.clinicians)));
  const params = { [constants.ZSTD_c_compressionLevel]: LEVEL };
  const [, , path = ''] = process.argv;
  writeFileSync(path, zstdCompressSync(bytes, { params }));
} finally {
  rmSync(directory, { recursive: true, force: true });
}
