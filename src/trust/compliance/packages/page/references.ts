import { type Html, html } from '../../../../platform/page/html.ts';
import { isJsonObject, type JsonObject, parseJson } from '../../../../proof/encoding/json.ts';
import { checkpointOf } from '../../../../proof/package/cited.ts';
import type {
  CitedCheckpoint,
  CompliancePackage,
  PackageSubject,
  ReferenceSet,
  SampledReference,
} from '../../../../proof/package/format.ts';
import type { PageSite } from '../../../http/serving.ts';
import { grouped, hash, hashLink, momentOfColumn, verifyPath, wordsOf } from './values.ts';

/** Returns the reference sets of a package, with samples that lead to where anybody can check an entry. */
export function referenceSets(read: CompliancePackage, site: PageSite): Html {
  const { reference_sets } = read;
  if (reference_sets.length === 0)
    return html`<p class="empty">The package has no references in this period.</p>`;
  return html`<p>A reference set is a list of log entries, and its Merkle root commits to all of them. The positions of the sample follow from
this root, so the service cannot simply choose good ones; but it could build many sets and search for one with a good sample. The JSON document proves for each sampled entry that it is in its set and in its log.</p>
${reference_sets.map((set) => setSection(set, read, site))}`;
}

function setSection(set: ReferenceSet, read: CompliancePackage, site: PageSite): Html {
  const { name, description, count, merkle_root, sample } = set;
  const rows = sample.map((reference) => sampleRow(reference, read, site));
  return html`<section id="set-${name}">
<div class="lead"><h3>${wordsOf(name)}</h3>
<p>${description}</p>
<p>Entries: ${grouped(count)}. Merkle root: ${hash(merkle_root)}</p></div>
${sample.length === 0 ? null : sampleTable(rows, sample.length, count)}</section>
`;
}

function sampleTable(rows: readonly Html[], size: number, count: number): Html {
  return html`<table class="stacked sample">
<caption>Sample: ${size} of ${grouped(count)}</caption>
<thead><tr><th scope="col" class="number">Position</th><th scope="col">Log</th><th scope="col" class="number">Leaf</th>
<th scope="col">Time (UTC)</th><th scope="col">Entry</th></tr></thead>
<tbody>
${rows}</tbody>
</table>
`;
}

function sampleRow(reference: SampledReference, read: CompliancePackage, site: PageSite): Html {
  const { position, inclusion_path, payload_url } = reference;
  const { leaf_index, leaf_entry } = inclusion_path;
  const log = checkpointOf(read, reference)?.log ?? inclusion_path.log;
  const { at, label, id, path } = entryOf(leaf_entry, read.subject, site);
  const name = path === null ? hash(id) : hashLink(path, id);
  const payload = payload_url === undefined ? null : html` <a href="${payload_url}">payload</a>`;
  return html`<tr><td class="number" data-label="Position">${position}</td><td data-label="Log">${log}</td>
<td class="number" data-label="Leaf">${leaf_index}</td><td class="nowrap" data-label="Time">${at === null ? null : momentOfColumn(at)}</td>
<td>${label} ${name}${payload}</td></tr>
`;
}

/** What a page shows of a log entry. */
interface ShownEntry {
  /** RFC 3339; null if the entry has no time. */
  at: string | null;
  label: string;
  id: string;
  /** The path of the page, or else of the API, that proves the entry to anybody; null if there is none. */
  path: string | null;
}

/** Returns what a page shows of an entry. An entry of an unknown form is shown as it is. */
function entryOf(text: string, subject: PackageSubject, { hasExplorer }: PageSite): ShownEntry {
  const entry = parseJson(text);
  const members: JsonObject = isJsonObject(entry) ? entry : {};
  const textIn = (name: string): string | null => {
    const value = members[name];
    return typeof value === 'string' ? value : null;
  };
  const at =
    ['finalized_at', 'anchored_at', 'revoked_at', 'at'].map(textIn).find((one) => one !== null) ?? null;
  const receipt = textIn('receipt_id');
  if (receipt !== null) {
    const label = textIn('revoked_at') === null ? 'Receipt' : 'Revoked receipt';
    return {
      at,
      label,
      id: receipt,
      path: hasExplorer
        ? `/receipts/${encodeURIComponent(receipt)}`
        : `/api/v1/receipts/${encodeURIComponent(receipt)}/public-manifest`,
    };
  }
  const evidence = textIn('event_commitment_hash');
  if (evidence !== null) {
    const agent =
      textIn('subject_commitment') ?? (subject.type === 'agent' ? subject.subject_commitment : '');
    const path = `/api/v1/passport/agents/${encodeURIComponent(agent)}/evidence/${encodeURIComponent(evidence)}/bundle`;
    return {
      at,
      label: wordsOf(textIn('source_type') ?? 'evidence'),
      id: evidence,
      path: verifyPath(path),
    };
  }
  const agent = textIn('subject_commitment');
  if (agent !== null) {
    const path = `${hasExplorer ? '/agents' : '/api/v1/profiles'}/${encodeURIComponent(agent)}`;
    return { at, label: 'Revoked agent', id: agent, path };
  }
  const kid = textIn('kid');
  if (kid !== null) {
    return { at, label: `Key ${textIn('event') ?? ''}`.trim(), id: kid, path: '/api/v1/public-key' };
  }
  return { at, label: 'Entry', id: text, path: null };
}

/** Returns the checkpoints that the references cite. */
export function checkpointTable(checkpoints: readonly CitedCheckpoint[]): Html {
  if (checkpoints.length === 0) return html`<p class="empty">The package cites no checkpoint.</p>`;
  const rows = checkpoints.map(
    ({ log, origin, tree_size, root_hash }) =>
      html`<tr><th scope="row">${log}</th><td>${hash(origin)}</td>
<td class="number" data-label="Tree size">${grouped(tree_size)}</td><td data-label="Root hash">${hash(root_hash)}</td></tr>
`,
  );
  return html`<p>A checkpoint is the signed state of a log. The JSON document contains the complete signed notes.</p>
<table class="stacked">
<thead><tr><th scope="col">Log</th><th scope="col">Origin</th><th scope="col" class="number">Tree size</th><th scope="col">Root hash</th></tr></thead>
<tbody>
${rows}</tbody>
</table>`;
}
