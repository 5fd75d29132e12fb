import { scaleUtc } from 'd3-scale';
import { type Html, html } from '../../../../platform/page/html.ts';
import { tag } from '../../../../platform/page/parts.ts';
import { SIDE, share, timeAxis } from '../../../../platform/page/plots/axes.ts';
import { nameOf } from '../../../../platform/page/words.ts';
import { SOURCE_TYPES, type SourceType } from '../../../../proof/evidence/source-types.ts';
import { grouped, hashLink, verifyPath } from '../../../compliance/packages/page/values.ts';
import type { Profile } from '../../../evidence/profiles/get.ts';

type Item = Profile['timeline'][number];

const NAMES: Readonly<Record<SourceType, string>> = {
  github_push_webhook: 'GitHub push',
  github_commit_payload: 'GitHub commit',
  github_issue_event: 'GitHub issue',
  compliance_report: 'Compliance report',
  otel_genai_trace: 'OpenTelemetry trace',
  task_deliverable: 'Task deliverable',
  assessment: 'Assessment of another agent',
};

/** How many items the page shows before the rest is opened. */
const SHOWN = 8;

/** Returns an agent's newest evidence, as a plot and as a table. @param now in milliseconds since 1970 */
export function evidenceSection(
  { subject_commitment, totals, timeline }: Pick<Profile, 'subject_commitment' | 'totals' | 'timeline'>,
  now: number,
): Html {
  if (timeline.length === 0) {
    return html`<section class="card"><h2>Evidence</h2><p class="empty">The agent has not sent any evidence.</p></section>\n`;
  }
  const all = totals.evidence_count;
  const which =
    all > timeline.length ? `The newest ${timeline.length} of ${grouped(all)} items` : 'All items';
  const failures = timeline.filter(({ outcome }) => outcome === 'failure').length;
  const note = `${which}, ${failures === 0 ? 'none' : grouped(failures)} with a failure. The agent signed each of them; the service read its outcome from it.`;
  const rows = timeline.map((item) => row(subject_commitment, item));
  return html`<section class="card"><h2>Evidence</h2>
<figure class="captioned"><figcaption class="soft">${note}</figcaption>
${strip(timeline, now, note)}
<p class="legend small"><span><svg class="key" viewBox="0 0 12 12" aria-hidden="true"><circle class="filled" cx="6" cy="6" r="5"/></svg> success</span> <span><svg class="key" viewBox="0 0 12 12" aria-hidden="true"><circle class="failed" cx="6" cy="6" r="4.5"/></svg> failure</span></p></figure>
<p class="soft">Open an item to verify in your browser that the log contains it.</p>
${table(rows.slice(0, SHOWN), 'The newest items')}
${
  rows.length > SHOWN
    ? html`<details class="behind"><summary>${grouped(rows.length - SHOWN)} more</summary>${table(rows.slice(SHOWN), 'Older items')}</details>`
    : null
}</section>
`;
}

function table(rows: readonly Html[], caption: string): Html {
  return html`<table class="list stacked"><caption class="hidden">${caption}</caption><thead><tr><th scope="col">Item</th><th scope="col">Outcome</th><th scope="col">Kind</th><th scope="col">Stored (UTC)</th></tr></thead>
<tbody>
${rows}</tbody></table>`;
}

function row(commitment: string, { event_commitment_hash, source_type, outcome, created_at }: Item): Html {
  const document = `/api/v1/passport/agents/${commitment}/evidence/${event_commitment_hash}/bundle`;
  return html`<tr><th scope="row">${hashLink(verifyPath(document), `${event_commitment_hash.slice(0, 16)}…`)}</th><td>${tag(nameOf(outcome), outcome === 'success' ? 'good' : 'bad')}</td><td>${NAMES[source_type]}</td><td>${created_at.slice(0, 19).replace('T', ' ')}</td></tr>\n`;
}

/** The height of a row in pixels. */
const ROW = 40;
/** The least time that the axis covers. */
const LEAST_MS = 3_600_000;

/** Draws items as points: over time, in a row for each kind. */
function strip(timeline: readonly Item[], now: number, label: string): Html {
  const times = timeline.map(({ created_at }) => Date.parse(created_at));
  const end = Math.max(now, ...times);
  const x = scaleUtc([Math.min(end - LEAST_MS, ...times), end], [0, SIDE]);
  const kinds = SOURCE_TYPES.filter((type) => timeline.some(({ source_type }) => source_type === type));
  const lines = kinds.map((type, index) => {
    const y = (index + 1) * ROW - 8;
    const points = timeline.flatMap(({ source_type, outcome }, item) => {
      const at = times[item];
      if (source_type !== type || at === undefined) return [];
      const [kind, radius] = outcome === 'success' ? ['filled', 5] : ['failed', 4.5];
      return [html`<circle class="${kind}" cx="${share(x(at))}" cy="${y}" r="${radius}"/>`];
    });
    return html`<line class="grid" x1="0" x2="100%" y1="${y}" y2="${y}"/><text x="0" y="${y - 14}">${NAMES[type]}</text>${points}\n`;
  });
  return html`<svg class="plot strip" role="img" aria-label="${label}" height="${kinds.length * ROW}">
${timeAxis(x)}
${lines}</svg>`;
}
