import { randomBytes } from 'node:crypto';
import { type Html, html } from '../../../platform/page/html.ts';
import { alert, choices, secretField, tag, textField } from '../../../platform/page/parts.ts';
import { factList, hash, moment } from '../../compliance/packages/page/values.ts';
import { createWebhook } from '../../webhooks/create.ts';
import { deleteWebhook } from '../../webhooks/delete.ts';
import { getWebhook } from '../../webhooks/get.ts';
import { listWebhooks } from '../../webhooks/list.ts';
import { listDeliveries, newestDeliveries } from '../../webhooks/list-deliveries.ts';
import type { DeliveryResponse, WebhookResponse } from '../../webhooks/schema.ts';
import { webhookRequest } from '../../webhooks/schema.ts';
import { plainText } from '../parts/values.ts';
import { buttonForm, csrfField, problemAlert } from './page/parts.ts';
import { type Problem, requireValid } from './problem.ts';
import type { AccountResponse, PageResponse, Visitor } from './response.ts';
import type { AccountSite } from './site.ts';

/** The form for a new webhook. */
export const WEBHOOK_FIELDS = ['form_id', 'url', 'all'] as const;
interface WebhookForm {
  fields: Readonly<Record<(typeof WEBHOOK_FIELDS)[number], string>>;
  lists: Readonly<Record<'events', readonly string[]>>;
}
const NEW_WEBHOOK: WebhookForm = { fields: { form_id: '', url: '', all: '' }, lists: { events: [] } };

const PATH = '/account/webhooks';

interface WebhooksPage {
  cursor?: string | undefined;
  /** Whether a webhook was deleted just now. */
  isDeleted?: boolean;
  /** The form as it was sent, and why it was refused. */
  refused?: { form: WebhookForm; problem: Problem };
}

/** Returns the page with the operator's webhooks and the form for a new one. */
export async function webhooksPage(
  site: AccountSite,
  visitor: Visitor,
  { cursor, isDeleted = false, refused }: WebhooksPage,
): Promise<PageResponse> {
  const query = cursor === undefined ? {} : { cursor };
  const { webhooks, next_cursor } = await listWebhooks(site.trust, visitor.principal, query);
  const deliveries = await newestDeliveries(site.trust, visitor.principal, EVENTS);
  const older =
    next_cursor === null
      ? null
      : html`<p class="page"><a href="${PATH}?cursor=${next_cursor}">Older webhooks</a></p>`;
  const isOpen = refused !== undefined || webhooks.length === 0;
  return {
    page: {
      title: 'Webhooks',
      current: PATH,
      visitor,
      body: html`<h1>Webhooks</h1>
<p class="soft">The service sends events to your URL as they happen: one attempt each, signed by Standard Webhooks.
<a href="/api/v1/webhooks/verify-guide">How to verify them</a></p>
${isDeleted ? alert('good', html`<p>The webhook was deleted. No more events are sent to it.</p>`) : null}<section class="card">
${webhooks.length === 0 ? html`<p class="empty">No webhooks yet.</p>` : webhookTable(webhooks)}${older}
<details class="add"${isOpen ? html` open` : null}><summary>Create a webhook</summary><div>
${webhookForm(site, visitor, refused?.form ?? NEW_WEBHOOK, refused?.problem ?? null)}</div></details>
</section>
${eventsCard(deliveries)}`,
    },
  };
}

type NewestDelivery = Awaited<ReturnType<typeof newestDeliveries>>[number];

/** How many events of all webhooks the page shows. */
const EVENTS = 20;

/** Returns the newest events that were sent to any webhook of the operator; null if none was. */
function eventsCard(deliveries: readonly NewestDelivery[]): Html | null {
  if (deliveries.length === 0) return null;
  return html`<section class="card" id="events"><h2>Newest events</h2>
<table class="list stacked"><caption>The newest ${EVENTS} of all webhooks</caption>
<thead><tr><th scope="col">Event</th><th scope="col">Result</th><th scope="col">Webhook</th><th scope="col">Time</th></tr></thead>
<tbody>
${deliveries.map(
  ({ webhookId, url, ...delivery }) => html`<tr><th scope="row">${delivery.event}</th>
<td>${resultOf(delivery)}</td>
<td data-label="Webhook"><a class="name" href="${PATH}/${webhookId}">${plainText(url, URL_EM)}</a></td>
<td>${moment(delivery.created_at)}</td></tr>
`,
)}</tbody></table></section>
`;
}

/** The width in em to which URLs are cut. */
const URL_EM = 20;

function webhookTable(webhooks: readonly WebhookResponse[]): Html {
  return html`<table class="list stacked tight"><caption class="hidden">Newest first</caption>
<thead><tr><th scope="col">URL</th><th scope="col">Events</th><th scope="col">Created</th><th scope="col"><span class="hidden">Action</span></th></tr></thead>
<tbody>
${webhooks.map(
  (
    webhook,
  ) => html`<tr><th scope="row"><span class="name">${webhook.url}</span></th><td>${eventTags(webhook)}</td>
<td data-label="Created">${moment(webhook.created_at)}</td>
<td class="end"><a class="button slim" href="${PATH}/${webhook.id}" aria-label="Deliveries of ${webhook.url}">Deliveries</a></td></tr>
`,
)}</tbody></table>`;
}

function eventTags({ events, all }: WebhookResponse): Html {
  return html`<span class="tags">${events.map((event) => html`${tag(event)} `)}${all === true ? tag('of all agents', 'warn') : null}</span>`;
}

function webhookForm(
  { eventNames }: AccountSite,
  visitor: Visitor,
  { fields, lists }: WebhookForm,
  problem: Problem | null,
): Html {
  const issues = problem?.issues ?? {};
  const { admin } = visitor.principal;
  return html`${problemAlert(problem, ['url', 'events', ...(admin ? ['all'] : [])])}<form method="post" action="${PATH}">
${csrfField(visitor)}<input type="hidden" name="form_id" value="${randomBytes(16).toString('hex')}">
${textField(
  {
    name: 'url',
    label: 'URL',
    type: 'url',
    value: fields.url,
    required: true,
    isCode: true,
    maxLength: 2048,
    placeholder: 'https://hooks.example.com/countersign',
    hint: 'https, at a public address, without a password.',
  },
  issues,
)}${choices(
  {
    name: 'events',
    legend: 'Events',
    type: 'checkbox',
    options: eventNames.map((name) => ({ value: name, label: name })),
  },
  lists.events,
  issues,
)}${
  admin
    ? choices(
        {
          name: 'all',
          legend: 'Agents',
          type: 'checkbox',
          options: [
            { value: 'true', label: 'Events of all agents', hint: 'Not only of yours. Only for admin keys.' },
          ],
        },
        [fields.all],
        issues,
      )
    : null
}<div class="actions"><button class="primary">Create webhook</button></div>
</form>`;
}

/** Creates a webhook and shows its secrets, only this once. */
export function subscribe(site: AccountSite, visitor: Visitor, form: WebhookForm): Promise<AccountResponse> {
  return site.duplicateForms.once(JSON.stringify([visitor.csrfToken, PATH, form]), () =>
    newWebhook(site, visitor, form),
  );
}

async function newWebhook(
  site: AccountSite,
  visitor: Visitor,
  { fields, lists }: WebhookForm,
): Promise<AccountResponse> {
  const { url, all } = fields;
  const { trust, webhooks, eventNames } = site;
  const request = { url: url.trim(), events: lists.events, ...(all === '' ? {} : { all: all === 'true' }) };
  const valid = requireValid(webhookRequest(eventNames), request);
  const made = await createWebhook(trust, webhooks, visitor.principal, valid, (_tx, act) => act());
  return {
    status: 201,
    page: {
      title: 'New webhook',
      current: PATH,
      visitor,
      body: html`<div class="middle"><h1>Your new webhook</h1>
${alert('warn', html`<p><strong>Copy the secrets now.</strong> This page is the only one that shows them.</p>`)}<section class="card">
${secretField('signing_secret', 'Signing secret', made.signing_secret ?? '')}<p class="hint">Verifies the header <code>webhook-signature</code> (Standard Webhooks).</p>
${secretField('secret', 'Secret', made.secret ?? '')}<p class="hint">The value of the header <code>X-Service-Signature</code>.</p>
${factList([
  ['URL', html`<span class="name">${made.url}</span>`],
  ['Events', eventTags(made)],
])}
<div class="actions"><a class="button primary" href="${PATH}">I have copied them</a></div></section></div>`,
    },
  };
}

/** Returns the page of a webhook with its last deliveries. @throws ApiError not_found */
export async function webhookPage(
  { trust }: AccountSite,
  visitor: Visitor,
  id: string,
): Promise<PageResponse> {
  const { principal } = visitor;
  const webhook = await getWebhook(trust, principal, id);
  const { deliveries } = await listDeliveries(trust, principal, id, { limit: '20' });
  return {
    page: {
      title: 'Webhook',
      current: PATH,
      visitor,
      body: html`<h1>Webhook</h1>
<section class="card">${webhookFacts(webhook)}
<div class="actions"><a class="button" href="${PATH}/${webhook.id}/delete">Delete webhook</a><a href="${PATH}">All webhooks</a></div></section>
<section class="card"><h2>Last deliveries</h2>
${deliveries.length === 0 ? html`<p class="empty">Nothing was sent yet.</p>` : deliveryTable(deliveries)}</section>`,
    },
  };
}

function webhookFacts(webhook: WebhookResponse): Html {
  return factList([
    ['URL', html`<span class="name">${webhook.url}</span>`],
    ['Events', eventTags(webhook)],
    ['Created', moment(webhook.created_at)],
    ['Id', hash(webhook.id)],
  ]);
}

function deliveryTable(deliveries: readonly DeliveryResponse[]): Html {
  return html`<table class="list stacked"><caption>The newest 20. One is listed about two seconds after it ended.</caption>
<thead><tr><th scope="col">Event</th><th scope="col">Result</th><th scope="col">Time</th></tr></thead>
<tbody>
${deliveries.map(
  (delivery) => html`<tr><th scope="row">${delivery.event}</th>
<td>${resultOf(delivery)}</td>
<td>${moment(delivery.created_at)}</td></tr>
`,
)}</tbody></table>`;
}

function resultOf({ status, error }: DeliveryResponse): Html {
  return html`${tag(error === null ? 'Delivered' : 'Failed', error === null ? 'good' : 'bad')} ${status === null ? null : html`<span class="soft">HTTP ${status}</span>`}${
    error === null ? null : html`<p class="small name">${error}</p>`
  }`;
}

/** Returns the page that asks whether to delete a webhook. @throws ApiError not_found */
export async function deletePage(
  { trust }: AccountSite,
  visitor: Visitor,
  id: string,
  problem: Problem | null = null,
): Promise<PageResponse> {
  const webhook = await getWebhook(trust, visitor.principal, id);
  return {
    page: {
      title: 'Delete a webhook',
      current: PATH,
      visitor,
      body: html`<div class="middle"><h1>Delete this webhook?</h1>
${problemAlert(problem, [])}<section class="card">${webhookFacts(webhook)}
<p>Events that wait to be sent are dropped. A new webhook gets other secrets.</p>
<div class="actions">${buttonForm(visitor, `${PATH}/${webhook.id}/delete`, { label: 'Delete webhook', tone: 'danger' })}
<a class="button" href="${PATH}/${webhook.id}">Cancel</a></div></section></div>`,
    },
  };
}

/** Deletes a webhook. @throws ApiError as the API */
export async function unsubscribe(
  site: AccountSite,
  { principal }: Visitor,
  id: string,
): Promise<AccountResponse> {
  await deleteWebhook(site.trust, site.webhooks, principal, id);
  return { location: `${PATH}?deleted` };
}
