/**
 * The standards whose metrics a scorecard shows. Part 2 of 2016 was withdrawn in 2026, and its second edition
 * replaces it (catalogue of ISO, 85172).
 */
export const STANDARDS = {
  pue: 'ISO/IEC 30134-2:2026',
  ref: 'ISO/IEC 30134-3:2016',
  erf: 'ISO/IEC 30134-6:2021',
  cue: 'ISO/IEC 30134-8:2022',
  wue: 'ISO/IEC 30134-9:2022',
  avoided: 'ISO 14064-2:2019',
} as const;
