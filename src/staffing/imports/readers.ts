import { type DeactivatedNpis, readDeactivated } from '../nppes/deactivated/read-deactivated.ts';
import { readDissemination } from '../nppes/read-dissemination.ts';
import type { Dissemination, DisseminationOptions } from '../nppes/rows.ts';
import { readTaxonomy, type TaxonomyFile } from '../nppes/taxonomy-file.ts';

/** The readers of the published files; tests replace them. */
export interface Readers {
  dissemination(path: string, options: DisseminationOptions): Promise<Dissemination>;
  deactivated(path: string): Promise<DeactivatedNpis>;
  taxonomy(path: string): TaxonomyFile;
}

export const publishedFiles: Readers = {
  dissemination: readDissemination,
  deactivated: readDeactivated,
  taxonomy: readTaxonomy,
};
