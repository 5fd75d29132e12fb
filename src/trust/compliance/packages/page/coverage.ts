import { type Html, html } from '../../../../platform/page/html.ts';
import type { Coverage, Gap } from '../../../../proof/package/coverage.ts';
import type { PackageAssessor } from '../../../../proof/package/format.ts';
import { counted, grouped, hash, wordsOf } from './values.ts';

/** The gaps of each kind of records that page one lists. The document has all. */
const MOST_GAPS = 5;

/** Returns how much of a period has records, with its gaps. */
export function coverageLines(coverage: readonly Coverage[]): Html {
  if (coverage.length === 0) return html`No kind of records covers the period`;
  return html`${coverage.map(({ records, days, record_days, covered_days, max_gap_days, gaps }) => {
    const have = record_days === 1 ? 'has' : 'have';
    const uncovered = gaps.length === 0 ? '' : `; ${grouped(covered_days)} are in no gap`;
    return html`<p>${wordsOf(records)}: ${grouped(record_days)} of ${counted(days, 'day')} ${have} a record${uncovered}${gapsOf(gaps, max_gap_days)}</p>\n`;
  })}`;
}

function gapsOf(gaps: readonly Gap[], most: number): string {
  if (gaps.length === 0) return `; no gap longer than ${counted(most, 'day')}`;
  const shown = gaps
    .slice(0, MOST_GAPS)
    .map(({ from, to, days }) => (days === 1 ? from : `${from} to ${to}`));
  const others = gaps.length - shown.length;
  const longest = Math.max(...gaps.map(({ days }) => days));
  return `; longest gap ${counted(longest, 'day')}; no records ${shown.join(', ')}${others > 0 ? ` and ${counted(others, 'other time')}` : ''}`;
}

/** Returns the number of records by name. */
export function recordLines(records: Readonly<Record<string, number>>): string {
  return Object.entries(records)
    .map(([name, count]) => `${wordsOf(name)} ${grouped(count)}`)
    .join(' · ');
}

/** Returns the assessors whose assessments count. Their names are those that they gave themselves. */
export function assessorLines(assessors: readonly PackageAssessor[]): Html {
  if (assessors.length === 0) return html`None`;
  return html`${assessors.map(
    ({ name, subject_commitment, assessments }) =>
      html`<p>${name === null ? null : html`<bdi>${name}</bdi>, `}${hash(subject_commitment)} (${counted(assessments, 'assessment')})</p>\n`,
  )}`;
}
