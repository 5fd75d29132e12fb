import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../sources.ts';
import type { Service } from './model.ts';
import { pythonOf } from './python.ts';

/** Builds the Python SDK: its source with the types and the operations of the documents, in one file. */
export function buildPython(services: readonly Service[], out: string): void {
  mkdirSync(out, { recursive: true });
  const source = readFileSync(join(ROOT, 'src/sdk/python/countersign.py'), 'utf8');
  writeFileSync(join(out, 'countersign.py'), `${source.trimEnd()}${pythonOf(services)}`);
  cpSync(join(ROOT, 'src/sdk/python/countersign_testing.py'), join(out, 'countersign_testing.py'));
}
