import { buildRegistry } from '../build.ts';
import { currentRegistry, makeCurrent } from '../current.ts';
import { embeddedTaxonomy } from '../vocabulary/taxonomy.ts';
import { madeUpClinicians, SAMPLE } from './sample.ts';

/**
 * Gives a directory without a registry one of made-up clinicians, so that a service can be tried out at once. True when
 * it did. @throws Failure
 */
export function loadSampleIfEmpty(directory: string): boolean {
  if (currentRegistry(directory) !== null) return false;
  const { clinicians, seed, asOf } = SAMPLE;
  const options = { asOf, sample: true, taxonomy: embeddedTaxonomy() };
  const { name } = buildRegistry(directory, madeUpClinicians(clinicians, seed), options);
  makeCurrent(directory, name);
  return true;
}
