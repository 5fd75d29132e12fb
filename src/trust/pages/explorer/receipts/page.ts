import { type Content, type Html, html } from '../../../../platform/page/html.ts';
import { alert, tag } from '../../../../platform/page/parts.ts';
import { nameOf } from '../../../../platform/page/words.ts';
import { timestampOf } from '../../../../platform/time/timestamp.ts';
import { parseTimestamp } from '../../../../proof/encoding/timestamp.ts';
import {
  counted,
  factList,
  hash,
  hashLink,
  moment,
  verifyPath,
} from '../../../compliance/packages/page/values.ts';
import { type ReceiptLife, receiptLife } from '../../../receipts/get-life.ts';
import type { ManifestContext } from '../../../receipts/get-public-manifest.ts';
import { receiptTag } from '../../parts/receipt-tag.ts';
import { strangerText } from '../../parts/values.ts';
import type { Shown } from '../shown.ts';
import { lifeSection, outcomeOf } from './life.ts';
import { proofSection } from './proof.ts';

/** The parts of the service that the page of a receipt uses. */
export type ReceiptPageContext = ManifestContext & {
  /** The URL of the service for its clients. */
  url: string | null;
  readOnly: boolean;
};

type Manifest = ReceiptLife['manifest'];

/**
 * Returns the page of a receipt, which says what its public manifest and the public logs say.
 * @throws ApiError receipt_not_found
 */
export async function receiptPage(
  { trust }: { trust: ReceiptPageContext },
  { params }: { params: { id: string } },
): Promise<Shown> {
  const life = await receiptLife(trust, params.id);
  const { manifest, checkpoint } = life;
  const { receipt_id, status, inclusion_path, enforcement } = manifest;
  return {
    title: `Receipt ${receipt_id}`,
    body: html`<p class="kicker">Receipt</p>
<h1 class="identifier">${receipt_id}</h1>
<p class="lead">${receiptTag(status, enforcement.revocation_status)} ${summaryOf(manifest)}</p>
${notices(manifest)}<div class="halves even">
${lifeSection(life)}${factSection(manifest)}</div>
${inclusion_path === null || checkpoint === null ? unproven(manifest) : proofSection(inclusion_path, checkpoint)}<div class="halves even">
${verifySection(manifest, trust)}${chainSection(life)}</div>
`,
  };
}

function summaryOf({ status, enforcement, lost }: Manifest): string {
  const { revocation_status, abandoned, error_tranche } = enforcement;
  if (revocation_status === 'revoked' && abandoned)
    return 'This receipt was revoked before the operator said how the work ended. The gate counts it as abandoned.';
  if (revocation_status === 'revoked')
    return `This receipt was revoked. ${error_tranche === 'SLA_BREACH' ? 'The gate still counts the breach.' : 'No rate counts it.'}`;
  if (lost !== undefined) return 'The log knows more of this receipt than the database.';
  if (abandoned) return 'It was abandoned: the operator has not said in time how the work ended.';
  if (status === 'pending') return 'The operator has not said yet how the work ended.';
  return `The operator says: ${outcomeOf(status)}. The service signs this, and does not check the work.`;
}

function notices({ lost, enforcement: { slashed } }: Manifest): Html[] {
  return [
    ...(lost === undefined
      ? []
      : [
          alert(
            'bad',
            html`<p>${lost} A restored backup was older than the log. The state below is older, too.</p>`,
          ),
        ]),
    ...(slashed
      ? [alert('warn', html`<p>Some of the stake of the operator was taken because of it.</p>`)]
      : []),
  ];
}

function factSection(manifest: Manifest): Html {
  const { receipt_type, domain, domain_commitment, operator_id, agent_id, expiry, enforcement } = manifest;
  const { expired, error_tranche } = enforcement;
  const facts: (readonly [string, Content])[] = [
    ['Type', nameOf(receipt_type)],
    [
      'Domain',
      domain === undefined
        ? html`${tag('blind')} hidden behind ${hash(domain_commitment ?? '')}`
        : nameOf(domain),
    ],
    ['Agent', masked(agent_id)],
    ['Operator', masked(operator_id)],
    ...(error_tranche === null || error_tranche === 'NONE'
      ? []
      : [['Failure', nameOf(error_tranche)] as const]),
    [expired ? 'Expired' : 'Expires', anyMoment(expiry)],
    ['Content hash', hash(manifest.content_hash)],
    ['Signed by key', hash(manifest.kid)],
    [
      'Check',
      html`This service finds it ${manifest.verification.status}. <a href="#verify">Check it yourself</a>.`,
    ],
  ];
  return html`<section class="card"><h2>What everybody may see</h2>
<p class="soft">Names are masked, and input and scope are not shown. Who has the receipt sees all of it.</p>
${factList(facts)}</section>
`;
}

/** Returns a masked name. A short one is masked as a whole. */
function masked(name: string): Html {
  return name === '…' ? html`<span class="soft">hidden, as all short names</span>` : strangerText(name);
}

/** Returns a time of a client, which may have any offset. */
function anyMoment(text: string): Html {
  const ms = parseTimestamp(text);
  const iso = ms === null ? '' : timestampOf(ms);
  // A year of more than four digits has a sign.
  return /^\d{4}-/.test(iso) ? moment(iso) : hash(text);
}

function unproven({ inclusion_reason = '' }: Manifest): Html {
  return html`<section class="card"><h2 id="proof">Proof that the log contains it</h2><p class="empty">${inclusion_reason}</p></section>\n`;
}

function verifySection(manifest: Manifest, { url, readOnly }: ReceiptPageContext): Html {
  const { receipt_id, inclusion_path, lost, enforcement } = manifest;
  const path = `/api/v1/receipts/${receipt_id}`;
  // The service signs no status of which it lost a part, and none while it is read-only.
  const hasStatus = !readOnly && (lost === undefined || enforcement.revocation_status === 'revoked');
  const links = [
    inclusion_path === null
      ? null
      : html`<a class="button primary" href="${verifyPath(`${path}/proof`)}">Verify the proof</a>`,
    hasStatus
      ? html`<a class="button" href="${verifyPath(`${path}/status`)}">Verify its signed status</a>`
      : null,
  ];
  return html`<section class="card"><h2 id="verify">Verify in your browser</h2>
${links.some((link) => link !== null) ? html`<div class="actions">${links}</div>\n` : null}
<p>The bundle has the receipt itself with its status, and its proof once there is one, in one file. It needs an API key of the operator. Open it at <a href="/verify">/verify</a>.</p>
<pre>curl -o bundle.json ${url ?? ''}${path}/bundle \\
  -H 'Authorization: Bearer &lt;API key&gt;'</pre>
<p>This page as JSON:</p>
<pre>curl ${url ?? ''}${path}/public-manifest</pre></section>
`;
}

function chainSection({ manifest, previous }: ReceiptLife): Html {
  const { prev_receipt_hash, next, depth } = manifest.chain;
  const receipts = (ids: readonly string[]): Html =>
    html`<ul class="plain">${ids.map((id) => html`<li>${hashLink(`/receipts/${id}`, id)}</li>`)}</ul>`;
  const before =
    prev_receipt_hash === null
      ? html`<p class="soft">It follows from no other receipt.</p>`
      : previous === null
        ? html`<p>${hash(prev_receipt_hash)}</p><p class="soft">The public logs do not say which receipt has this content hash.</p>`
        : receipts([previous]);
  const after =
    next.length === 0 ? html`<p class="soft">No receipt follows from it yet.</p>` : receipts(next);
  return html`<section class="card"><h2>Its chain</h2>
<p class="soft">${depth === 0 ? 'A receipt can name the one that it follows from.' : `${counted(depth, 'receipt')} of the chain ${depth === 1 ? 'is' : 'are'} before it.`}</p>
<h3>Before it</h3>
${before}
<h3>After it</h3>
${after}
${next.length === MAX_NEXT ? html`<p class="soft">These are the first ${MAX_NEXT}.</p>` : null}</section>
`;
}

/** A manifest names at most this many receipts that follow. */
const MAX_NEXT = 20;
