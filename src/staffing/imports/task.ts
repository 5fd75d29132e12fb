/** What an import is to do, as its Worker gets it. */
export interface Task {
  isRollback: boolean;
  /** Paths of the files, absolute; null for one that is not given. */
  npi: string | null;
  taxonomy: string | null;
  deactivated: string | null;
  /**
   * The groupings to keep, as the user named them; null for all. Only for a full file: a weekly file takes
   * those of the registry.
   */
  groupings: string | null;
  /** True if the file of clinicians is a weekly one, whatever its name says. */
  isWeekly: boolean;
  /** The date of the data, YYYY-MM-DD; null for that of the file's name. */
  asOf: string | null;
  /**
   * Lifts the rules that the registry keeps at least 95 % of its clinicians, and that the old file can be
   * read.
   */
  isForced: boolean;
}
