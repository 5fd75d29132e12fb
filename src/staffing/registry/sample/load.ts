import { buildRegistry } from '../build.ts';
import { currentRegistry, makeCurrent } from '../current.ts';
import { embeddedTaxonomy } from '../vocabulary/taxonomy.ts';
import { madeUpClinicians, SAMPLE } from './sample.ts';

/**
 * Creates a registry of fictitious clinicians in a directory without a registry, so that users can try the
 * service at once.
 * @returns whether it created one. @throws Failure
 */
export function loadSampleIfEmpty(directory: string): boolean {
  if (currentRegistry(directory) !== null) return false;
  const { clinicians, seed, asOf } = SAMPLE;
  const options = {
    asOf,
    sample: true,
    taxonomy: embeddedTaxonomy(),
    groupings: null,
    at: `${asOf}T00:00:00.000Z`,
  };
  const { name } = buildRegistry(directory, madeUpClinicians(clinicians, seed), options);
  makeCurrent(directory, name);
  return true;
}
