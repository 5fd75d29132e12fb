/** A named specialty: the clinicians who have any of its codes. */
export interface Specialty {
  /**
   * The label of its list: for a single code, the code; for several, the same for the same codes in whatever
   * version.
   */
  label: string;
  /** In order. */
  codes: readonly string[];
  /**
   * The codes and their names as the JSON text of an array, in the order of the taxonomy:
   * [{"code":…,"name":…}, …].
   */
  understoodAs: string;
}

/** Returns the specialty of a code that clinicians have but the taxonomy does not. */
export function specialtyOfUnnamedCode(code: string): Specialty {
  return { label: code, codes: [code], understoodAs: understoodAs([{ code, name: null }]) };
}

/** Returns the text of what a specialty was understood as. */
export function understoodAs(entries: readonly { code: string; name: string | null }[]): string {
  return JSON.stringify(entries.map(({ code, name }) => ({ code, name })));
}
