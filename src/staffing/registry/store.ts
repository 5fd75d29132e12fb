import { registry, taxonomy } from '../../../db/staffing/registry/tables.ts';
import { sqlOf } from '../../platform/store/sql.ts';

const sql = sqlOf({ registry, taxonomy });

/** Returns the current metadata, which weekly updates change in place; null for a file without it. */
export const factsOf = sql.row(registry)``;

/** Writes the metadata of a new file. */
export const insertFacts = sql.insert(registry, { fixed: { state: 1 } });

/** Counts a change of the file that added so many clinicians, and sets the date of the data if it is new. */
export const countChange = sql.run`
  UPDATE registry SET records = records + ${'added:number'}, as_of = coalesce(${'asOf?'}, as_of), state = state + 1`;

/** Returns the taxonomy that the file was built with, in order of code. */
export const taxonomyIn = sql.rows(taxonomy, {
  scans: 'a few hundred codes, read once for each opening',
})``;
export const insertTaxonomy = sql.insert(taxonomy);
