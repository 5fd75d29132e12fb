/**
 * A clinician as the registry takes one. Whatever else an object has beside these members is not written, and former
 * names serve for finding alone.
 */
export interface ClinicianRecord {
  npi: number;
  lastName: string;
  formerNames: readonly string[];
  firstName: string | null;
  middleName: string | null;
  suffix: string | null;
  credential: string | null;
  /** Taxonomy codes, the primary one first. */
  codes: readonly string[];
  city: string | null;
  /** Of the practice location. What is no state of the list becomes null. */
  state: string | null;
  /** ZIP or ZIP+4; the first five digits are kept, anything else becomes null. */
  postalCode: string | null;
  /** YYYY-MM-DD. */
  enumeratedOn: string | null;
  lastUpdatedOn: string | null;
}
