/** A deactivated NPI. */
export interface DeactivatedNpi {
  npi: number;
  /** YYYY-MM-DD. */
  deactivatedOn: string | null;
}

/** The full list of deactivated NPIs. */
export interface DeactivatedNpis {
  /** The day of the list, YYYY-MM-DD; null if neither its title nor its name has it. */
  asOf: string | null;
  npis: DeactivatedNpi[];
  /** Rows that cannot be read. */
  bad: { line: number; reason: string }[];
}
