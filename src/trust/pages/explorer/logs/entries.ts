import { type Content, type Html, html } from '../../../../platform/page/html.ts';
import { isJsonObject, type JsonObject, parseJson } from '../../../../proof/encoding/json.ts';
import { JOURNAL_HEADS } from '../../../../proof/log/journal-heads-entry.ts';
import type { LogName } from '../../../../proof/log/log-names.ts';
import { counted, hash, hashLink, momentOfColumn } from '../../../compliance/packages/page/values.ts';
import type { ListedEntry } from '../../../log/list-entries.ts';
import { strangerText } from '../../parts/values.ts';

/** What a row of an entry shows. */
interface EntryFacts {
  /** What happened, in words. */
  event: string;
  subject: Content;
  /** RFC 3339; null if the entry has no time. */
  at: string | null;
}

/**
 * Returns the rows of entries.
 * @param chosen the index of the entry that is shown with its exact text; null for none
 */
export function entryRows(name: LogName, entries: readonly ListedEntry[], chosen: number | null): Html {
  return html`${entries.map((entry) => {
    const { index } = entry;
    const { event, subject, at } = factsOf(name, entry.entry);
    const isChosen = index === chosen;
    return html`<tr class="${isChosen ? 'chosen' : ''}"><th scope="row" class="number"><a href="/logs/${name}?index=${index}#entries">${index}</a></th>
<td>${event}</td><td class="name">${subject}</td><td class="nowrap" data-label="Time">${at === null ? null : momentOfColumn(at)}</td></tr>
${isChosen ? html`<tr class="chosen raw"><td colspan="4">${exactText(name, entry)}</td></tr>\n` : null}`;
  })}`;
}

/** Returns the exact text of an entry, which this service wrote, and where its evidence is. */
function exactText(name: LogName, { entry, leafHash }: ListedEntry): Html {
  const { subject_commitment: agent, event_commitment_hash: event } = membersOf(entry);
  const bundle =
    name === 'evidence' && typeof agent === 'string' && typeof event === 'string'
      ? html`<p><a href="/api/v1/passport/agents/${agent}/evidence/${event}/bundle">Bundle</a>: the item with its proof, to verify</p>\n`
      : null;
  return html`<pre>${entry}</pre>
<p class="small">Leaf hash ${hash(Buffer.from(leafHash).toString('hex'))}</p>
${bundle}`;
}

function membersOf(text: string): JsonObject {
  const entry = parseJson(text);
  return isJsonObject(entry) ? entry : {};
}

function factsOf(name: LogName, text: string): EntryFacts {
  const said = membersOf(text);
  const word = (member: string): string | null => {
    const value = said[member];
    return typeof value === 'string' ? value : null;
  };
  const receipt = word('receipt_id');
  const agent = word('subject_commitment');
  const event = word('event');
  const ofReceipt = receipt === null ? null : hashLink(`/receipts/${receipt}`, receipt);
  const ofAgent = agent === null ? null : hashLink(`/agents/${agent}`, agent);
  switch (name) {
    case 'receipts':
      return { event: 'Receipt final', subject: ofReceipt, at: word('finalized_at') };
    case 'revocations':
      return ofReceipt === null
        ? { event: 'Agent revoked', subject: ofAgent, at: word('at') }
        : { event: 'Receipt revoked', subject: ofReceipt, at: word('revoked_at') };
    case 'evidence':
      return {
        event: `Evidence: ${(word('source_type') ?? '').replaceAll('_', ' ')}`,
        subject: ofAgent,
        at: word('anchored_at'),
      };
    case 'keys':
      return event === 'log_closed' || event === 'log_continued'
        ? { event: EVENTS[event], subject: strangerText(word('origin') ?? ''), at: word('at') }
        : {
            event: `Key ${event}`,
            subject: html`${word('purpose')} <span class="soft">${word('algorithm')}</span> ${hash(word('kid') ?? '')}`,
            at: word('at'),
          };
    case 'accounts':
      if (event === JOURNAL_HEADS) return headsFacts(said);
      return {
        event: `Account: ${(event ?? '').replaceAll('_', ' ')}`,
        subject: ofReceipt ?? hash(word('account') ?? ''),
        at: word('at'),
      };
  }
}

/** Returns what a leaf of journal heads says. It has a day, and no time. */
function headsFacts({ date, accounts, root }: JsonObject): EntryFacts {
  const heads = typeof accounts === 'number' ? counted(accounts, 'head') : null;
  return {
    event: 'Heads of journals',
    subject: html`${String(date)} <span class="soft">${heads}</span> ${hash(String(root))}`,
    at: null,
  };
}

const EVENTS = { log_closed: 'Log closed', log_continued: 'Log continued' };
