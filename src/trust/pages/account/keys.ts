import { randomBytes } from 'node:crypto';
import { type Html, html } from '../../../platform/page/html.ts';
import { alert, choices, secretField, tag, textField } from '../../../platform/page/parts.ts';
import { factList, grouped, hash, moment } from '../../compliance/packages/page/values.ts';
import type { KeyView } from '../../operators/api-key-view.ts';
import { createApiKey } from '../../operators/create-api-key.ts';
import { deleteApiKey } from '../../operators/delete-api-key.ts';
import { getApiKey } from '../../operators/get-api-key.ts';
import { listApiKeys } from '../../operators/list-api-keys.ts';
import { NewApiKeyRequest } from '../../operators/schema.ts';
import { buttonForm, csrfField, problemAlert } from './page/parts.ts';
import { type Problem, requireValid } from './problem.ts';
import type { AccountResponse, PageResponse, Visitor } from './response.ts';
import type { AccountSite } from './site.ts';

/** The fields of the form for a new key. */
export const KEY_FIELDS = ['form_id', 'name', 'role', 'subject_commitment', 'admin'] as const;
type KeyForm = Readonly<Record<(typeof KEY_FIELDS)[number], string>>;
const NEW_KEY: KeyForm = { form_id: '', name: '', role: 'issuer', subject_commitment: '', admin: '' };

const PATH = '/account/keys';

interface KeysPage {
  cursor?: string | undefined;
  /** Whether a key was revoked just now. */
  isRevoked?: boolean;
  /** The form as it was sent, and why it was refused. */
  refused?: { form: KeyForm; problem: Problem };
}

/** Returns the page with the operator's keys and the form for a new one. */
export async function keysPage(
  { trust }: AccountSite,
  visitor: Visitor,
  { cursor, isRevoked = false, refused }: KeysPage,
): Promise<PageResponse> {
  const { principal } = visitor;
  const { api_keys, next_cursor } = await listApiKeys(
    trust,
    principal,
    cursor === undefined ? {} : { cursor },
  );
  const older =
    next_cursor === null
      ? null
      : html`<p class="page"><a href="${PATH}?cursor=${next_cursor}">Older keys</a></p>`;
  return {
    page: {
      title: 'API keys',
      current: PATH,
      visitor,
      body: html`<h1>API keys</h1>
<p class="soft">Programs authenticate with a key: <code>Authorization: Bearer pp_…</code>. The service stores only the SHA-256 of a key.</p>
${isRevoked ? alert('good', html`<p>The key was revoked. Nobody can use it any more.</p>`) : null}<section class="card">
${keyTable(api_keys, principal.keyHash)}${older}
<details class="add"${refused === undefined ? null : html` open`}><summary>Create an API key</summary><div>
${keyForm(visitor, refused?.form ?? NEW_KEY, refused?.problem ?? null)}</div></details>
</section>`,
    },
  };
}

function keyTable(keys: readonly KeyView[], ownHash: string): Html {
  return html`<table class="list stacked"><caption class="hidden">Newest first</caption>
<thead><tr><th scope="col">Name</th><th scope="col">Role</th><th scope="col">Created</th><th scope="col">Last used</th><th scope="col"><span class="hidden">Action</span></th></tr></thead>
<tbody>
${keys.map(
  (
    key,
  ) => html`<tr><th scope="row"><span class="name">${nameOf(key)}</span>${key.keyHash === ownHash ? html` ${tag('this session', 'info')}` : null}
<p class="hash soft">${key.keyHash.slice(0, 16)}…</p></th>
<td>${rolesOf(key)}</td><td data-label="Created">${moment(key.created_at)}</td><td data-label="Last used">${usedAt(key)}</td>
<td class="end"><a class="button slim" href="${PATH}/${key.keyHash}/revoke" aria-label="Revoke ${nameOf(key)}">Revoke</a></td></tr>
`,
)}</tbody></table>`;
}

function nameOf({ name, keyHash }: KeyView): string {
  return name ?? `Key ${keyHash.slice(0, 8)}`;
}

function usedAt({ last_used_at }: KeyView): Html | string {
  return last_used_at === null ? 'never' : moment(last_used_at);
}

function rolesOf({ role, admin, subject_commitment, scope }: KeyView): Html {
  const limits = [
    scope?.max_credits === undefined ? [] : [`at most ${grouped(scope.max_credits)} credits at once`],
    scope?.max_credits_per_day === undefined
      ? []
      : [`at most ${grouped(scope.max_credits_per_day)} credits in 24 hours`],
    scope?.max_credits_total === undefined
      ? []
      : [`at most ${grouped(scope.max_credits_total)} credits in all`],
    scope?.products === undefined ? [] : [`only ${scope.products.join(', ')}`],
  ].flat();
  return html`${tag(role, role === 'issuer' ? '' : 'info')}${admin ? html` ${tag('admin', 'warn')}` : null}${
    subject_commitment === null
      ? null
      : html`<p class="small soft">for agent ${hash(`${subject_commitment.slice(0, 12)}…`)}</p>`
  }${limits.length === 0 ? null : html`<p class="small soft">spends ${limits.join(', ')}</p>`}${
    scope?.expires_at === undefined ? null : html`<p class="small soft">scope ends at ${scope.expires_at}</p>`
  }`;
}

function keyForm(visitor: Visitor, form: KeyForm, problem: Problem | null): Html {
  const issues = problem?.issues ?? {};
  const admin = visitor.principal.admin
    ? choices(
        {
          name: 'admin',
          legend: 'Rights',
          type: 'checkbox',
          options: [
            {
              value: 'true',
              label: 'Admin key',
              hint: 'Also manages all operators of this service. Few programs need it.',
            },
          ],
        },
        [form.admin],
        issues,
      )
    : null;
  return html`${problemAlert(problem, ['name', 'role', 'subject_commitment', ...(admin === null ? [] : ['admin'])])}<form method="post" action="${PATH}">
${csrfField(visitor)}<input type="hidden" name="form_id" value="${randomBytes(16).toString('hex')}">
${textField({ name: 'name', label: 'Name', value: form.name, maxLength: 256, hint: 'For yourself, such as “build server”. Optional.' }, issues)}${choices(
  {
    name: 'role',
    legend: 'Role',
    type: 'radio',
    options: [
      {
        value: 'issuer',
        label: 'Issuer',
        hint: 'Does everything for this operator: issues receipts, moves credits, creates keys.',
      },
      { value: 'holder', label: 'Holder', hint: 'Acts for one agent only.' },
    ],
  },
  [form.role],
  issues,
)}${textField(
  {
    name: 'subject_commitment',
    label: 'Agent of a holder key',
    value: form.subject_commitment,
    isCode: true,
    maxLength: 64,
    hint: 'The subject commitment of the agent: 64 hexadecimal characters. Empty for an issuer key.',
  },
  issues,
)}${admin}<p class="hint">Keys with limits of what they may spend are created with the <a href="/swagger#/Operator/createApiKey">API</a>.</p>
<div class="actions"><button class="primary">Create key</button></div>
</form>`;
}

/** Creates a key and shows it, only this once. */
export function createKey(site: AccountSite, visitor: Visitor, form: KeyForm): Promise<AccountResponse> {
  return site.duplicateForms.once(JSON.stringify([visitor.csrfToken, PATH, form]), () =>
    newKey(site, visitor, form),
  );
}

async function newKey({ trust }: AccountSite, visitor: Visitor, form: KeyForm): Promise<AccountResponse> {
  const { name, role, subject_commitment, admin } = form;
  const request = {
    ...(name === '' ? {} : { name }),
    ...(role === '' ? {} : { role }),
    ...(subject_commitment.trim() === '' ? {} : { subject_commitment: subject_commitment.trim() }),
    ...(admin === '' ? {} : { admin: admin === 'true' }),
  };
  const valid = requireValid(NewApiKeyRequest, request);
  const made = await createApiKey(trust, visitor.principal, valid ?? {}, (_tx, act) => act());
  return {
    status: 201,
    page: {
      title: 'New API key',
      current: PATH,
      visitor,
      body: html`<div class="middle"><h1>Your new API key</h1>
${alert('warn', html`<p><strong>Copy the key now.</strong> It is not stored, and this page is the only one that shows it.</p>`)}<section class="card">
${secretField('api_key', 'API key', made.api_key ?? '')}
${factList([
  ['Name', nameOf(made)],
  ['Role', rolesOf(made)],
  ['SHA-256', hash(made.keyHash)],
])}
<div class="actions"><a class="button primary" href="${PATH}">I have copied it</a></div></section></div>`,
    },
  };
}

/** Returns the page that asks whether to revoke a key. @throws ApiError not_found */
export async function revokePage(
  { trust }: AccountSite,
  visitor: Visitor,
  keyHash: string,
  problem: Problem | null = null,
): Promise<PageResponse> {
  const key = await getApiKey(trust, visitor.principal, keyHash);
  const isOwn = key.keyHash === visitor.principal.keyHash;
  return {
    page: {
      title: 'Revoke an API key',
      current: PATH,
      visitor,
      body: html`<div class="middle"><h1>Revoke this key?</h1>
${problemAlert(problem, [])}<section class="card">
${factList([
  ['Name', html`<span class="name">${nameOf(key)}</span>`],
  ['Role', rolesOf(key)],
  ['Created', moment(key.created_at)],
  ['Last used', usedAt(key)],
  ['SHA-256', hash(key.keyHash)],
])}
<p>Programs that use it get 401 from now on, and its sessions end. This cannot be undone.</p>
${isOwn ? alert('warn', html`<p><strong>You are logged in with this key.</strong> Revoking it logs you out.</p>`) : null}<div class="actions">
${buttonForm(visitor, `${PATH}/${key.keyHash}/revoke`, { label: 'Revoke key', tone: 'danger' })}
<a class="button" href="${PATH}">Cancel</a></div></section></div>`,
    },
  };
}

/** Revokes a key. @throws ApiError as the API */
export async function revokeKey(
  { trust }: AccountSite,
  { principal }: Visitor,
  keyHash: string,
): Promise<AccountResponse> {
  await deleteApiKey(trust, principal, keyHash);
  return keyHash === principal.keyHash
    ? { location: '/account', session: null }
    : { location: `${PATH}?revoked` };
}
