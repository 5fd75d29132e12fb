import embedded from '../../../../db/staffing/taxonomy.tsv' with { type: 'text' };

/** A code of the Health Care Provider Taxonomy (NUCC). */
export interface TaxonomyEntry {
  code: string;
  grouping: string;
  classification: string;
  /** Null for the code of the classification itself. */
  specialization: string | null;
  /** The display name, "Family Nurse Practitioner". */
  name: string;
}

/**
 * Returns the taxonomy in the executable, version 25.1. A registry file contains the taxonomy with which it
 * was built.
 */
export function embeddedTaxonomy(): TaxonomyEntry[] {
  return embedded
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const [code = '', grouping = '', classification = '', specialization = '', name = ''] =
        line.split('\t');
      return { code, grouping, classification, specialization: specialization || null, name };
    });
}

/** Returns whether `text` has the format of a taxonomy code: nine digits or capitals and an X. */
export function isCodeShaped(text: string): boolean {
  return /^[0-9A-Z]{9}X$/.test(text);
}

/** The groupings of organizations (NUCC: section "Non-Individual"), and of groups of individuals. */
const ORGANIZATIONS: ReadonlySet<string> = new Set([
  'Agencies',
  'Ambulatory Health Care Facilities',
  'Group',
  'Hospital Units',
  'Hospitals',
  'Laboratories',
  'Managed Care Organizations',
  'Nursing & Custodial Care Facilities',
  'Residential Treatment Facilities',
  'Respite Care Facility',
  'Suppliers',
  'Transportation Services',
]);
/** Organizations within a grouping of individuals: providers of lodging and of meals. */
const ORGANIZATIONS_AMONG_OTHERS: ReadonlySet<string> = new Set(['177F00000X', '174200000X']);

/** Returns whether an entry is for individuals, and not only for organizations. */
export function isOfIndividuals({ code, grouping }: TaxonomyEntry): boolean {
  return !ORGANIZATIONS.has(grouping) && !ORGANIZATIONS_AMONG_OTHERS.has(code);
}
