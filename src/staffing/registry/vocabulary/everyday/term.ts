/**
 * What people call a specialty: names, separated by commas, and what they mean: codes, classifications,
 * groupings or display names, separated by bars. Names are folded as searches are, so that each stands for
 * its plurals, dots and spellings.
 */
export type Term = readonly [names: string, meaning: string];
