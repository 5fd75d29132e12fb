import { type Content, type Html, html } from '../../../platform/page/html.ts';
import type { Tone } from '../../../platform/page/parts.ts';
import { moment } from '../../compliance/packages/page/values.ts';

/** An event of a time line. */
export interface TimelineEvent {
  /** What happened, in a few words. They say what the tone says. */
  title: Content;
  tone: Tone;
  /** RFC 3339. */
  at: string;
  details?: Html | null;
}

/** Returns events as a list along a line. @param events in the order in which they are shown */
export function timeline(events: readonly TimelineEvent[]): Html {
  return html`<ul class="timeline">
${events.map(
  ({ title, tone, at, details = null }) =>
    html`<li class="${tone}"><p><span>${title}</span> <small class="soft">${moment(at)}</small></p>${details}</li>\n`,
)}</ul>
`;
}
