import { join } from 'node:path';
import { buildRegistry } from '../../src/staffing/registry/build.ts';
import { makeCurrent } from '../../src/staffing/registry/current.ts';
import { madeUpClinicians, SAMPLE } from '../../src/staffing/registry/sample/sample.ts';
import { embeddedTaxonomy } from '../../src/staffing/registry/vocabulary/taxonomy.ts';

/**
 * Builds a registry of made-up clinicians in a directory of registry files and makes it the current one.
 * @returns its path
 */
export function buildMadeUp(directory: string, clinicians: number): string {
  const { name } = buildRegistry(directory, madeUpClinicians(clinicians, SAMPLE.seed), {
    asOf: SAMPLE.asOf,
    sample: true,
    taxonomy: embeddedTaxonomy(),
    groupings: null,
    at: `${SAMPLE.asOf}T00:00:00.000Z`,
  });
  makeCurrent(directory, name);
  return join(directory, name);
}
