import { type Content, type Html, html } from '../../../platform/page/html.ts';
import type { Tone } from '../../../platform/page/parts.ts';
import { moment } from '../../compliance/packages/page/values.ts';

/** An event of a time line. */
export interface TimelineEvent {
  /** What happened, in a few words. They say what the tone says. */
  title: Content;
  /** `open` for what has not happened yet. */
  tone: Tone | 'open';
  /** RFC 3339; null for what has not happened, or has no date. */
  at: string | null;
  details?: Html | null;
}

/** Returns events as a list along a line. @param events in the order in which they are shown */
export function timeline(events: readonly TimelineEvent[]): Html {
  return html`<ol class="timeline">
${events.map(
  ({ title, tone, at, details = null }) =>
    html`<li class="${tone}"><p><span>${title}</span>${at === null ? null : html` <small class="soft">${moment(at)}</small>`}</p>${details}</li>\n`,
)}</ol>
`;
}
