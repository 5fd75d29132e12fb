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

/** The style of time lines, for each layout that has them. */
export const TIMELINE_STYLE = `.timeline{list-style:none;padding:0;margin:1rem 0 0;max-width:none}
.timeline>li{position:relative;margin:0;padding:0 0 1.25rem 1.9rem}
.timeline>li:last-child{padding-bottom:0}
.timeline>li::before{content:"";box-sizing:border-box;position:absolute;left:0;top:.3rem;width:.875rem;height:.875rem;border-radius:50%;border:.4375rem solid var(--accent)}
.timeline>li:not(:last-child)::after{content:"";position:absolute;left:.375rem;top:1.4rem;bottom:-.1rem;border-left:2px solid var(--line)}
.timeline>.good::before{border-color:var(--good-ink)}
.timeline>.bad::before{border-color:var(--danger)}
.timeline>.warn::before{border-color:var(--warn-ink)}
.timeline>.open::before{border:2px solid var(--edge)}
.timeline p{margin:0;max-width:none}
.timeline>li>p:first-child{display:flex;flex-wrap:wrap;justify-content:space-between;gap:0 1rem}
.timeline>li .facts{margin:.35rem 0;gap:0 1rem;grid-template-columns:fit-content(9rem) minmax(0,1fr);overflow-wrap:anywhere}
.timeline>li .facts dd{margin:0}
`;

/** Returns events as a list along a line. @param events in the order in which they are shown */
export function timeline(events: readonly TimelineEvent[]): Html {
  return html`<ol class="timeline">
${events.map(
  ({ title, tone, at, details = null }) =>
    html`<li class="${tone}"><p><span>${title}</span>${at === null ? null : html` <small class="soft">${moment(at)}</small>`}</p>${details}</li>\n`,
)}</ol>
`;
}
