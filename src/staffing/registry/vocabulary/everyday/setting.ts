/**
 * Where people work, with the specializations that the taxonomy has for it. Of the alternatives the first
 * counts of which the profession has any; a profession that has none is understood as a whole. Where several
 * settings are named, the earlier one counts.
 */
export interface Setting {
  /** Separated by commas. */
  names: string;
  /** Alternatives, each one or several specializations separated by bars. */
  means: readonly string[];
  /**
   * True for a place where physicians work as often: next to one of their specialties, physicians are meant.
   */
  anyone?: true;
}
