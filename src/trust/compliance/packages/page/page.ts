import { type RenderedPage, renderPage } from '../../../../platform/page/document.ts';
import { type Content, type Html, html } from '../../../../platform/page/html.ts';
import {
  CONTROL_STATUSES,
  type CompliancePackage,
  type ControlStatus,
  type PackageControl,
  type PackageKind,
} from '../../../../proof/package/format.ts';
import { OWN_COUNTS } from '../../../../proof/package/frameworks/vocabulary.ts';
import type { PageSite } from '../../../http/serving.ts';
import { assessorLines, coverageLines, recordLines } from './coverage.ts';
import { checkpointTable, referenceSets } from './references.ts';
import { packageSections } from './sections.ts';
import { attestersOf, STATUS_PATTERNS, STATUS_WORDS, statusBar, swatch } from './status-bar.ts';
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

/** What the statuses mean, by kind. */
const STATUS_MEANINGS: Readonly<Record<PackageKind, Readonly<Record<ControlStatus, string>>>> = {
  assessment: {
    satisfied:
      'records of the service cover the period and meet the rule of the control; what others signed counts only if a listed assessor confirms it',
    partial: 'a part is shown, or the organization must add something',
    reported: 'nobody but the agent, its sponsor or an assessor says so, and it is not confirmed',
    not_assessed: 'nothing is recorded for the control, or too little',
  },
  audit: {
    satisfied: 'listed assessors confirm the control for the period, and no report says fail',
    partial: 'a listed assessor says pass, but not for all of the period, or somebody says fail',
    reported: 'reports of the agent or its sponsor say so, and no assessor confirms it with evidence',
    not_assessed: 'no report assesses the control',
  },
  datacenter: {
    satisfied: 'records of the service cover the period and meet the rule of the control',
    partial: 'a part is shown, or the organization must add something',
    reported: 'the operator or its instruments say so, and nobody confirms it',
    not_assessed: 'nothing is recorded for the control, or too little',
  },
};

/**
 * Returns a signed package as a page for people. The page contains the signed document as a download, so that
 * a reader can verify exactly what the page shows.
 *
 * @param text the document as the API returns it
 * @param document the same document, parsed
 */
export function packagePage(text: string, document: CompliancePackage, context: PageContext): RenderedPage {
  const { kind, framework, controls, sections = {}, limits, checkpoints } = document;
  const title = KIND_TITLES[kind];
  // A report on criteria is what an auditor writes: these are records for one.
  const heading = `Records mapped to ${context.frameworkNames[framework] ?? framework}`;
  const meanings = STATUS_MEANINGS[kind];
  const body = html`${STATUS_PATTERNS}
<header>
<p class="kicker">${title}</p>
<h1>${heading}</h1>
<p class="soft">${document.framework_edition}</p>
${factList(factsOf(document, context))}
</header>
<section class="together">
<h2>Controls by status</h2>
${statusBar(controls, document.subject.type)}
<p class="soft">${CONTROL_STATUSES.map((status) => `${STATUS_WORDS[status]}: ${meanings[status]}.`).join(' ')} A status is
neither a certificate nor a legal opinion.</p>
</section>
<section>
<h2>Controls</h2>
${controlTable(controls, document.subject.type)}
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
    title: `${heading}: ${subjectName(document)}`,
    margins: {
      topLeft: heading,
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
  const { kind, subject, period, coverage, records, assessors } = document;
  const { generated_at, view, issuer, package_id, kid } = document;
  const about: (readonly [string, Content])[] =
    subject.type === 'agent'
      ? [
          ['Agent', html`<bdi>${subject.name ?? 'without a name'}</bdi>`],
          ['Operator', subject.operator ?? 'none'],
          ['Sponsors in the period', subject.sponsors.join(', ') || 'none'],
          ['Commitment', explorerLink(site, '/agents/', subject.subject_commitment)],
          ['DID of the agent', hash(subject.did)],
          ['State of the agent', subject.state],
        ]
      : [
          ['Cluster', explorerLink(site, '/clusters/', subject.cluster_id)],
          ['Operator', subject.operator ?? 'not named'],
          ['Id of the cluster', hash(subject.id)],
        ];
  return [
    ...about,
    ['Period', shownPeriod(period)],
    ['Coverage', coverageLines(coverage)],
    ['Records', recordLines(records)],
    ...(kind === 'datacenter' ? [] : [['Assessors', assessorLines(assessors)] as const]),
    ['Generated', moment(generated_at)],
    ['View', view === 'sponsor' ? 'Sponsor, with references to payloads' : 'Public, digests only'],
    ['Issuer', hash(issuer)],
    ['Package', hash(package_id)],
    ['Signing key', hash(kid)],
  ];
}

function controlTable(
  controls: readonly PackageControl[],
  subject: CompliancePackage['subject']['type'],
): Html {
  return html`<table class="stacked controls">
<thead><tr><th scope="col">Control</th><th scope="col">Status</th><th scope="col">What the records show</th></tr></thead>
<tbody>
${controls.map((control) => controlRow(control, subject))}</tbody>
</table>`;
}

function controlRow(control: PackageControl, subject: CompliancePackage['subject']['type']): Html {
  const { id, title, status, statement, not_shown, to_add, counts } = control;
  const by = attestersOf(control, subject);
  // Most controls have no report and no assessment.
  const counted = Object.entries(counts)
    .filter(([name, count]) => count > 0 || !OWN_COUNTS.some((one) => one === name))
    .map(([name, count]) => `${wordsOf(name)} ${grouped(count)}`);
  const shown = counted.length === 0 ? null : html`<p>${counted.join(' · ')}</p>\n`;
  const cited = [control.references ?? [], control.assessments ?? []]
    .flat()
    .map(({ set, count }) => html`<a href="#set-${set}">${wordsOf(set)}</a> (${grouped(count)})`);
  const [first, ...others] = cited;
  const references =
    first === undefined ? null : html`<p>References: ${first}${others.map((other) => html`, ${other}`)}</p>`;
  return html`<tr><th scope="row">${id}<p>${title}</p></th>
<td><span class="status">${swatch(status)}${STATUS_WORDS[status]}</span>${by === '' ? null : html`<p class="counts">by ${by}</p>`}</td>
<td><p>${statement}</p><p>Not shown: ${not_shown}</p>${to_add === null ? null : html`<p>To add: ${to_add}</p>`}<div class="counts">${shown}${references}</div></td></tr>
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
