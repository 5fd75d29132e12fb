import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Glob } from 'bun';
import type { OperationExamples } from '../../src/platform/http/openapi/openapi.ts';
import { ROOT } from '../sources.ts';

/** The operations of a capability, by its `api.md`. */
interface Capability {
  /** The path of its `examples.json`. */
  file: string;
  operations: readonly string[];
}

function capabilitiesOf(service: string): Capability[] {
  return [...new Glob(`src/${service}/**/api.md`).scanSync({ cwd: ROOT })].map((path) => ({
    file: join(ROOT, dirname(path), 'examples.json'),
    operations: [...readFileSync(join(ROOT, path), 'utf8').matchAll(/^## (\w+)$/gm)].map(([, id = '']) => id),
  }));
}

/** Returns the stored examples of a service. */
export function readExamples(service: string): OperationExamples {
  const stored = capabilitiesOf(service)
    .filter(({ file }) => existsSync(file))
    .map(({ file }) => JSON.parse(readFileSync(file, 'utf8')));
  return Object.assign({}, ...stored);
}

/** Stores the examples of a service: those of each capability in its folder, in the order of its `api.md`. */
export function writeExamples(service: string, recorded: OperationExamples): void {
  for (const { file, operations } of capabilitiesOf(service)) {
    const own = operations.flatMap((id) => (recorded[id] === undefined ? [] : [[id, recorded[id]] as const]));
    if (own.length === 0) rmSync(file, { force: true });
    else writeFileSync(file, `${JSON.stringify(Object.fromEntries(own), null, 2)}\n`);
  }
}
