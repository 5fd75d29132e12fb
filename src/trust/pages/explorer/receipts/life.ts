import { type Content, type Html, html } from '../../../../platform/page/html.ts';
import { nameOf } from '../../../../platform/page/words.ts';
import { readReceiptEntry } from '../../../../proof/log/log-entry.ts';
import type { ReceiptStatus } from '../../../../proof/receipt/receipt.ts';
import { grouped } from '../../../compliance/packages/page/values.ts';
import type { ReceiptLife } from '../../../receipts/get-life.ts';
import { type TimelineEvent, timeline } from '../../parts/timeline.ts';
import { witnessesOf } from '../logs/witnesses.ts';

/** Returns the life of a receipt as a time line: what happened, by date, and what is still open. */
export function lifeSection(life: ReceiptLife): Html {
  const dated = [issued(life), finalized(life), covered(life), revoked(life)].filter(
    (event) => event !== null,
  );
  // Sorting is stable, so what has no date stays behind what came before it.
  const events = dated.toSorted((one, other) =>
    one.at === null || other.at === null ? 0 : Date.parse(one.at) - Date.parse(other.at),
  );
  return html`<section class="card"><h2>Its life</h2>
${timeline(events)}</section>
`;
}

/** Returns an event. @param at RFC 3339; null for what has not happened, or has no date */
function event(name: string, at: string | null, detail: Content, tone: TimelineEvent['tone'] = 'info') {
  return { title: html`<strong>${name}</strong>`, at, details: html`<p class="soft">${detail}</p>`, tone };
}

function issued({ manifest }: ReceiptLife): TimelineEvent {
  const detail = html`The service signed what the agent was authorized to do.${accountLink(manifest, 'issued')}`;
  return event('Issued', manifest.issued_at, detail);
}

/** What an operator says by a status. */
const OUTCOMES: Readonly<Record<ReceiptStatus, string>> = {
  pending: 'the work continues',
  success: 'the work was done',
  refusal: 'nothing was done',
  null: 'nothing was done',
  terminal: 'the work ended without an outcome',
  graceful_shutdown: 'the work ended without an outcome',
  timeout: 'the work took too long',
  failure_tombstone: 'the work failed',
};

/** Returns what the operator says of the work, as a clause. */
export function outcomeOf(status: ReceiptStatus): string {
  return OUTCOMES[status];
}

function finalized({ manifest }: ReceiptLife): TimelineEvent | null {
  const { status, inclusion_path, leaf_content_hash, lost, enforcement } = manifest;
  if (leaf_content_hash === null) {
    if (enforcement.revocation_status === 'revoked') return null;
    return event(
      'Not finalized',
      null,
      'The operator has not said how the work ended. The log has no entry for this receipt.',
      'open',
    );
  }
  const isLost = lost !== undefined && status === 'pending';
  const link = accountLink(manifest, 'finalized');
  const said = isLost
    ? 'The database lost what the operator said of the outcome.'
    : `${nameOf(status)}: the operator says that ${outcomeOf(status)}.`;
  if (inclusion_path === null) return event('Finalized', null, html`${said}${link}`);
  const { leaf_index, leaf_entry } = inclusion_path;
  return event(
    'Finalized and logged',
    readReceiptEntry(leaf_entry).finalized_at,
    html`${said} It is <a href="/logs/receipts?index=${leaf_index}">entry ${grouped(leaf_index)}</a> of the log of receipts.${link}`,
    isLost ? 'bad' : 'info',
  );
}

function covered({ manifest, checkpoint }: ReceiptLife): TimelineEvent | null {
  if (manifest.leaf_content_hash === null) return null;
  if (checkpoint === null) {
    return event('No checkpoint covers it yet', null, 'One does within about a second.', 'open');
  }
  const { tree_size, issued_at } = checkpoint.response;
  const { length } = witnessesOf(checkpoint);
  const witnesses =
    length === 0
      ? 'No other party has cosigned it.'
      : `${grouped(length)} ${length === 1 ? 'witness has' : 'witnesses have'} cosigned it.`;
  return event(
    'Covered by a checkpoint',
    issued_at,
    html`The checkpoint of its <a href="#proof">proof</a> has ${grouped(tree_size)} ${tree_size === 1 ? 'entry' : 'entries'}. ${witnesses}`,
  );
}

function revoked({ manifest, revocation }: ReceiptLife): TimelineEvent | null {
  const link = accountLink(manifest, 'revoked');
  if (revocation !== null) {
    const { index, revoked_at } = revocation;
    const detail = html`It is <a href="/logs/revocations?index=${index}">entry ${grouped(index)}</a> of the log of revocations. Nobody can take it back.${link}`;
    return event('Revoked', revoked_at, detail, 'bad');
  }
  if (manifest.enforcement.revocation_status !== 'revoked') return null;
  return event(
    'Revoked',
    null,
    html`The entry in the log of revocations waits for a checkpoint.${link}`,
    'bad',
  );
}

/** Returns the entry of an act in the log of accounts, for an account that was linked; null for none. */
function accountLink({ account_leaves = [] }: ReceiptLife['manifest'], event: string): Html | null {
  const index = account_leaves.find((leaf) => leaf.event === event)?.inclusion_path?.leaf_index;
  return index === undefined
    ? null
    : html` Its account is linked: <a href="/logs/accounts?index=${index}">entry ${grouped(index)}</a> of the log of accounts.`;
}
