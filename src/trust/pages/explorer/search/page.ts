import type { Static } from '@sinclair/typebox';
import { type Html, html } from '../../../../platform/page/html.ts';
import { strangerText } from '../../parts/values.ts';
import type { Elsewhere, Shown } from '../shown.ts';
import { type Found, find, type SearchContext } from './find.ts';
import type { SearchQuery } from './query.ts';

/** What can be found, as a list of what to enter. */
const VALUES = [
  ['Receipt', 'its id, rcpt_…, or the content hash of an entry of the log'],
  ['Agent', 'its subject commitment, 64 hexadecimal characters'],
  ['Evidence', 'its event_commitment_hash'],
  ['Commit', 'its full SHA, a space, and the commitment of the agent that signed for it'],
  ['Operator', 'its id, op_cus_…'],
  ['Cluster', 'its id'],
  ['Agreement', 'its proposal id, agora_…'],
] as const;

/** Returns the page of a search; where one thing has the value, the page of this thing. */
export async function searchPage(
  { trust }: { trust: SearchContext },
  { query: { q = '' } }: { query: Static<typeof SearchQuery> },
): Promise<Shown | Elsewhere> {
  const searched = q.trim();
  const words = searched.split(/\s+/).filter((word) => word !== '');
  const found = await find(trust, words);
  const [only, ...others] = found;
  if (only !== undefined && others.length === 0) return { location: only.path };
  return {
    title: 'Search',
    searched: searched.slice(0, 300),
    body: html`<h1>Search</h1>
${results(searched, found)}<section class="card"><h2>What can be found</h2>
<p class="soft">Enter whole values. What does not exist and what is not public have the same result.</p>
<dl class="facts">
${VALUES.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>\n`)}</dl></section>`,
  };
}

function results(searched: string, found: readonly Found[]): Html | null {
  if (searched === '') return null;
  if (found.length === 0)
    return html`<p class="empty" role="status">Nothing public has the value ${strangerText(searched)}.</p>\n`;
  return html`<section class="card"><h2>Found</h2>
<p class="soft">More than one thing has the value ${strangerText(searched)}.</p>
<ul class="plain">
${found.map(({ kind, path }) => html`<li><a href="${path}">${kind}</a></li>\n`)}</ul></section>
`;
}
