import { type Html, html } from '../../../../platform/page/html.ts';
import { CONTROL_STATUSES, type ControlStatus } from '../../../../proof/package/format.ts';

/** The words for the statuses of controls on pages. */
export const STATUS_WORDS: Readonly<Record<ControlStatus, string>> = {
  satisfied: 'Satisfied',
  partial: 'Partial',
  reported: 'Reported',
  not_assessed: 'Not assessed',
};

/**
 * The patterns that distinguish the statuses without colors: full, hatched, dotted. The shapes of a document
 * refer to them, so a page contains them once.
 */
export const STATUS_PATTERNS: Html = html`<svg width="0" height="0" aria-hidden="true"><defs>
<pattern id="hatched" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
<path class="partial-line" d="M1.5 0V6" stroke-width="3"/></pattern>
<pattern id="dotted" width="7" height="7" patternUnits="userSpaceOnUse"><circle class="absent-dot" cx="3.5" cy="3.5" r="1"/></pattern>
</defs></svg>`;

/** Draws a rectangle in the pattern of a status. `area` is its position and size, as attributes. */
function patterned(status: ControlStatus, area: Html): Html {
  if (status === 'satisfied') return html`<rect class="satisfied" ${area}/>`;
  const [back, pattern] = status === 'partial' ? ['partial-back', 'hatched'] : ['absent', 'dotted'];
  return html`<rect class="${back}" ${area}/><rect fill="url(#${pattern})" ${area}/>`;
}

/** Draws the pattern of a status as a small square, next to its word. */
export function swatch(status: ControlStatus): Html {
  const area = html`x="0.75" y="0.75" width="12.5" height="12.5"`;
  return html`<svg class="swatch" viewBox="0 0 14 14" aria-hidden="true">${patterned(status, area)}</svg>`;
}

/** Draws one bar of all controls, divided by status, with a legend. Its width follows that of the page. */
export function statusBar(summary: Readonly<Record<ControlStatus, number>>): Html {
  const total = CONTROL_STATUSES.reduce((sum, status) => sum + summary[status], 0);
  const words = CONTROL_STATUSES.map((status) => `${STATUS_WORDS[status]}: ${summary[status]} of ${total}`);
  let before = 0;
  const parts = CONTROL_STATUSES.filter((status) => summary[status] > 0).map((status) => {
    const x = percent(before / total);
    before += summary[status];
    return patterned(status, html`x="${x}" y="0.5" width="${percent(summary[status] / total)}" height="31"`);
  });
  const legend = CONTROL_STATUSES.map(
    (status) => html`<li>${swatch(status)}${STATUS_WORDS[status]} <strong>${summary[status]}</strong></li>\n`,
  );
  return html`<svg class="bar" role="img" aria-label="${words.join(', ')}">${parts}</svg>
<ul class="legend">
${legend}</ul>`;
}

/** Formats a share as SVG writes it, with two decimals. */
function percent(share: number): string {
  return `${Math.round(share * 10_000) / 100}%`;
}
