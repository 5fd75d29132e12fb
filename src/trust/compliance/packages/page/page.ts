import { type RenderedPage, renderPage } from '../../../../platform/page/document.ts';
import { type Content, type Html, html } from '../../../../platform/page/html.ts';
import type { CompliancePackage, PackageControl, PackageKind } from '../../../../proof/package/format.ts';
import type { PageSite } from '../../../http/serving.ts';
import { checkpointTable, referenceSets } from './references.ts';
import { packageSections } from './sections.ts';
import { STATUS_PATTERNS, STATUS_WORDS, statusBar, swatch } from './status-bar.ts';
import {
  documentLink,
  explorerLink,
  factList,
  grouped,
  hash,
  moment,
  shownPeriod,
  wordsOf,
} from './values.ts';

/** What a page needs besides its document. */
export interface PageContext extends PageSite {
  /** The names of frameworks by their id. */
  frameworkNames: Readonly<Record<string, string>>;
}

const KIND_TITLES: Readonly<Record<PackageKind, string>> = {
  assessment: 'Compliance package',
  audit: 'Audit package',
  datacenter: 'Compliance package of a cluster',
};

const SATISFIED_BY_RECORDS = 'the records show what the statement says';

/** What `satisfied` and `partial` mean, by kind. */
const STATUS_MEANINGS: Readonly<Record<PackageKind, readonly [satisfied: string, partial: string]>> = {
  assessment: [SATISFIED_BY_RECORDS, 'they show a part'],
  audit: ['every report that assessed the control says pass', 'some of these reports say fail'],
  datacenter: [SATISFIED_BY_RECORDS, 'they show a part'],
};

/**
 * Returns a signed package as a page for people. The page contains the signed document as a download, so that
 * a reader can verify exactly what the page shows.
 *
 * @param text the document as the API returns it
 * @param document the same document, parsed
 */
export function packagePage(text: string, document: CompliancePackage, context: PageContext): RenderedPage {
  const { kind, framework, summary, controls, sections = {}, limits, checkpoints } = document;
  const title = KIND_TITLES[kind];
  const name = context.frameworkNames[framework] ?? framework;
  const [satisfied, partial] = STATUS_MEANINGS[kind];
  const body = html`${STATUS_PATTERNS}
<header>
<p class="kicker">${title}</p>
<h1>${name}</h1>
<p class="soft">${document.framework_edition}</p>
${factList(factsOf(document, context))}
</header>
<section class="together">
<h2>Controls by status</h2>
${statusBar(summary)}
<p class="soft">Satisfied: ${satisfied}. Partial: ${partial}. Not assessed: the service has no record for the control. A status is
neither a certificate nor a legal opinion.</p>
</section>
<section>
<h2>Controls</h2>
${controlTable(controls)}
</section>
${packageSections(sections)}<section>
<h2>What this package cannot show</h2>
<ul>
${limits.map((limit) => html`<li>${limit}</li>\n`)}</ul>
</section>
<section>
<h2>Reference sets</h2>
${referenceSets(document, context)}
</section>
<section class="together">
<h2>Checkpoints</h2>
${checkpointTable(checkpoints)}
</section>
${verification(text, document)}`;
  return renderPage({
    title: `${title}, ${name}: ${subjectName(document)}`,
    margins: {
      topLeft: `${title}: ${name}`,
      topRight: document.package_id,
      bottomLeft: `generated ${document.generated_at}`,
    },
    body,
    notice: context.notice,
  });
}

function subjectName({ subject }: CompliancePackage): string {
  return subject.type === 'agent' ? `agent ${subject.subject_commitment.slice(0, 12)}` : subject.cluster_id;
}

function factsOf(document: CompliancePackage, site: PageSite): (readonly [name: string, value: Content])[] {
  const { subject, period, generated_at, view, issuer, package_id, kid } = document;
  const about: (readonly [string, Content])[] =
    subject.type === 'agent'
      ? [
          ['Agent', explorerLink(site, '/agents/', subject.subject_commitment)],
          ['DID of the agent', hash(subject.did)],
          ['State of the agent', subject.state],
        ]
      : [
          ['Cluster', explorerLink(site, '/clusters/', subject.cluster_id)],
          ['Id of the cluster', hash(subject.id)],
        ];
  return [
    ...about,
    ['Period', shownPeriod(period)],
    ['Generated', moment(generated_at)],
    ['View', view === 'sponsor' ? 'Sponsor, with references to payloads' : 'Public, digests only'],
    ['Issuer', hash(issuer)],
    ['Package', hash(package_id)],
    ['Signing key', hash(kid)],
  ];
}

function controlTable(controls: readonly PackageControl[]): Html {
  return html`<table class="stacked controls">
<thead><tr><th scope="col">Control</th><th scope="col">Status</th><th scope="col">What the records show</th></tr></thead>
<tbody>
${controls.map(controlRow)}</tbody>
</table>`;
}

function controlRow({ id, title, status, statement, counts, references }: PackageControl): Html {
  const counted = Object.entries(counts).map(([name, count]) => `${wordsOf(name)} ${grouped(count)}`);
  const shown = counted.length === 0 ? null : html`<p>${counted.join(' · ')}</p>\n`;
  const cited =
    references === null
      ? null
      : html`<p>References: <a href="#set-${references.set}">${wordsOf(references.set)}</a> (${grouped(references.count)})</p>`;
  return html`<tr><th scope="row">${id}<p>${title}</p></th>
<td class="status">${swatch(status)}${STATUS_WORDS[status]}</td>
<td><p>${statement}</p><div class="counts">${shown}${cited}</div></td></tr>
`;
}

/** Returns how to verify the document without the service. */
function verification(text: string, { package_id, signature }: CompliancePackage): Html {
  return html`<section class="together">
<h2>How to verify this package</h2>
<p>The signature covers the JSON document and not this page. ${documentLink(text, package_id)} To verify it without asking the service, with
all sampled references and checkpoints, run:</p>
<pre>countersign verify ${package_id}.json --keys keys.json</pre>
<p>keys.json is a saved response of <a href="/api/v1/transparency/keys">/api/v1/transparency/keys</a>, from a time when you trusted it.</p>
<p class="screen">Or drop both files into <a href="/verify">the verifier</a>, which judges them in your browser.</p>
<p>Signature (Ed25519): ${hash(signature)}</p>
</section>`;
}
