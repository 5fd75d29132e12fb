import { buildRegistry } from '../build.ts';
import { currentRegistry, makeCurrent } from '../current.ts';
import { embeddedTaxonomy } from '../vocabulary/taxonomy.ts';
import { SAMPLE } from './extent.ts';
import { madeUpClinicians } from './sample.ts';

/**
 * Builds a registry file of the first `clinicians` fictitious clinicians of the sample. The same number has
 * the same bytes.
 * @returns the name of the file in `directory`. @throws Failure
 */
export function buildSample(directory: string, clinicians: number): string {
  const { seed, asOf } = SAMPLE;
  const options = {
    asOf,
    sample: true,
    taxonomy: embeddedTaxonomy(),
    groupings: null,
    at: `${asOf}T00:00:00.000Z`,
  };
  return buildRegistry(directory, madeUpClinicians(clinicians, seed), options).name;
}

/**
 * Creates the sample registry in a directory without a registry, so that users can try the service at once.
 * @returns whether it created one. @throws Failure
 */
export function loadSampleIfEmpty(directory: string, clinicians: number = SAMPLE.clinicians): boolean {
  if (currentRegistry(directory) !== null) return false;
  makeCurrent(directory, buildSample(directory, clinicians));
  return true;
}
