import type { TaxonomyEntry } from '../registry/vocabulary/taxonomy.ts';
import type { Clinicians } from './services.ts';

/** Returns the specialties that match a query. @throws ApiError REGISTRY_UNAVAILABLE */
export async function listSpecialties({ registry }: Pick<Clinicians, 'registry'>, query: string | undefined) {
  const specialties = await registry.read((open) => open.specialties.find(query));
  return {
    data: specialties.map(({ code, name, classification, grouping }: TaxonomyEntry) => ({
      code,
      name,
      classification,
      grouping,
    })),
  };
}
