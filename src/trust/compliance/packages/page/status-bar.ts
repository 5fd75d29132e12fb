import { type Html, html } from '../../../../platform/page/html.ts';
import {
  ATTESTERS,
  type Attester,
  CONTROL_STATUSES,
  type CompliancePackage,
  type ControlStatus,
  type PackageControl,
} from '../../../../proof/package/format.ts';

/** The words for the statuses of controls on pages. */
export const STATUS_WORDS: Readonly<Record<ControlStatus, string>> = {
  satisfied: 'Satisfied',
  partial: 'Partial',
  reported: 'Reported',
  not_assessed: 'Not assessed',
};

/** What a package is about: telemetry of a cluster is the word of its operator. */
type SubjectType = CompliancePackage['subject']['type'];
const SELF_WORDS: Readonly<Record<SubjectType, string>> = {
  agent: 'the subject itself',
  cluster: 'the operator',
};
const attesterWords = (subject: SubjectType): Readonly<Record<Attester, string>> => ({
  service: 'records of the service',
  self: SELF_WORDS[subject],
  assessor: 'a listed assessor',
});

/**
 * The patterns that distinguish the statuses without colors: full, hatched, lined, dotted. The shapes of a
 * document refer to them, so a page contains them once.
 */
export const STATUS_PATTERNS: Html = html`<svg width="0" height="0" aria-hidden="true"><defs>
<pattern id="hatched" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
<path class="partial-line" d="M1.5 0V6" stroke-width="3"/></pattern>
<pattern id="lined" width="8" height="8" patternUnits="userSpaceOnUse">
<path class="partial-line" d="M0 4H8" stroke-width="1"/></pattern>
<pattern id="dotted" width="7" height="7" patternUnits="userSpaceOnUse"><circle class="absent-dot" cx="3.5" cy="3.5" r="1"/></pattern>
</defs></svg>`;

const PATTERNS: Readonly<
  Record<Exclude<ControlStatus, 'satisfied'>, readonly [back: string, pattern: string]>
> = {
  partial: ['partial-back', 'hatched'],
  reported: ['partial-back', 'lined'],
  not_assessed: ['absent', 'dotted'],
};

/** Draws a rectangle in the pattern of a status. `area` is its position and size, as attributes. */
function patterned(status: ControlStatus, area: Html): Html {
  if (status === 'satisfied') return html`<rect class="satisfied" ${area}/>`;
  const [back, pattern] = PATTERNS[status];
  return html`<rect class="${back}" ${area}/><rect fill="url(#${pattern})" ${area}/>`;
}

/** Draws the pattern of a status as a small square, next to its word. */
export function swatch(status: ControlStatus): Html {
  const area = html`x="0.75" y="0.75" width="12.5" height="12.5"`;
  return html`<svg class="swatch" viewBox="0 0 14 14" aria-hidden="true">${patterned(status, area)}</svg>`;
}

/** Controls of one status about which the same ones say so. */
interface Part {
  status: ControlStatus;
  /** Who says so, in words; empty for controls that are not assessed. */
  by: string;
  controls: number;
}

/** Returns who says what a control rests on, in words: `records of the service and a listed assessor`. */
export function attestersOf(
  { attested_by }: Pick<PackageControl, 'attested_by'>,
  subject: SubjectType,
): string {
  const words = attesterWords(subject);
  return ATTESTERS.filter((who) => attested_by.includes(who))
    .map((who) => words[who])
    .join(', ')
    .replace(/, (?=[^,]*$)/, ' and ');
}

function partsOf(controls: readonly PackageControl[], subject: SubjectType, status: ControlStatus): Part[] {
  const byOf = (control: PackageControl): string => attestersOf(control, subject);
  const own = controls.filter((control) => control.status === status);
  const names = [...new Set(own.map(byOf))].sort();
  return names.map((by) => ({ status, by, controls: own.filter((one) => byOf(one) === by).length }));
}

/**
 * Draws one bar of all controls, divided by status and by who says so, with a legend. Its width follows that
 * of the page.
 */
export function statusBar(controls: readonly PackageControl[], subject: SubjectType): Html {
  const total = controls.length;
  const byStatus = CONTROL_STATUSES.map((status) => ({ status, parts: partsOf(controls, subject, status) }));
  const countOf = (parts: readonly Part[]): number => parts.reduce((sum, part) => sum + part.controls, 0);
  const failing = failingOf(controls);
  const words = byStatus.map(
    ({ status, parts }) => `${STATUS_WORDS[status]}: ${countOf(parts)} of ${total}${failing(status)}`,
  );
  let before = 0;
  const rectangles = byStatus
    .flatMap(({ parts }) => parts)
    .map(({ status, controls: count }) => {
      const x = percent(before / total);
      before += count;
      return patterned(status, html`x="${x}" y="0.5" width="${percent(count / total)}" height="31"`);
    });
  const legend = byStatus.map(
    ({ status, parts }) =>
      html`<li>${swatch(status)}${STATUS_WORDS[status]} <strong>${countOf(parts)}</strong>${failing(status)}${parts
        .filter(({ by }) => by !== '')
        .map(({ by, controls: count }) => html`<span class="counts"><br>${count} by ${by}</span>`)}</li>\n`,
  );
  return html`<svg class="bar" role="img" aria-label="${words.join(', ')}">${rectangles}</svg>
<ul class="legend">
${legend}</ul>`;
}

/** Returns a function that says of how many controls of a status a report or an assessment says fail. */
function failingOf(controls: readonly PackageControl[]) {
  const hasFailed = ({ counts: { fail = 0, assessor_fail = 0 } }: PackageControl): boolean =>
    fail + assessor_fail > 0;
  return (status: ControlStatus): string => {
    const failed = controls.filter((control) => control.status === status && hasFailed(control)).length;
    return failed === 0 ? '' : `, of which ${failed} ${failed === 1 ? 'says' : 'say'} fail`;
  };
}

/** Formats a share as SVG writes it, with two decimals. */
function percent(share: number): string {
  return `${Math.round(share * 10_000) / 100}%`;
}
