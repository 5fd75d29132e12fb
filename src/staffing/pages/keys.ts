import { Value } from '@sinclair/typebox/value';
import { sha256Hex } from '../../platform/crypto/crypto.ts';
import type { Issues } from '../../platform/http/errors/errors.ts';
import { issuesOf } from '../../platform/http/errors/issues.ts';
import { newSecret } from '../../platform/ids.ts';
import { type Html, html } from '../../platform/page/html.ts';
import { alert, secretField, textField } from '../../platform/page/parts.ts';
import { createSandbox, mailSandboxKey } from '../accounts/create-sandbox-key.ts';
import { SandboxKeyRequest } from '../accounts/schema.ts';
import { commonErrors } from '../http/errors.ts';
import type { RegistryHandle } from '../registry/handle.ts';
import type { RegistryInfo } from '../registry/open.ts';
import { problemOf, sentenceOf } from './problem.ts';
import type { PageOrRedirect, PageResponse } from './response.ts';
import type { Exchange, PageSite } from './site.ts';

/**
 * The fields of the form for a sandbox key. `form` names one load of the page, for forms that are sent twice.
 */
export const KEY_FIELDS = ['email', 'company', 'form'] as const;

type KeyForm = Readonly<Record<(typeof KEY_FIELDS)[number], string>>;

/** Returns the description of the registry; null when it is not available. */
export async function registryIn({ registry }: { registry: RegistryHandle }): Promise<RegistryInfo | null> {
  try {
    return await registry.info();
  } catch (error) {
    if (problemOf(error) === null) throw error;
    return null;
  }
}

/** Returns the form for a sandbox key, with what was entered and why it was refused. */
export function keyCard(isMailed: boolean, entered: Partial<KeyForm> = {}, issues: Issues = {}): Html {
  return html`<section class="card"><h2>Get a sandbox key</h2>
<form method="post" action="/sandbox-keys">
<input type="hidden" name="form" value="${newSecret('form_')}">
${textField({ name: 'email', label: 'Work e-mail address', type: 'email', required: true, maxLength: 200, value: entered.email ?? '' }, issues)}${textField(
  {
    name: 'company',
    label: 'Company',
    required: true,
    maxLength: 200,
    value: entered.company ?? '',
    hint: isMailed
      ? 'Free. The key arrives by mail at this address.'
      : 'Free. The next page shows the key, once.',
  },
  issues,
)}<button>Get a key</button>
</form></section>
`;
}

/**
 * Creates a sandbox account as POST /sandbox-keys does, under the same limit. @throws ApiError, Refusal of
 * failures of the service
 */
export async function getKey(site: PageSite, exchange: Exchange, form: KeyForm): Promise<PageOrRedirect> {
  const { staffing } = site;
  try {
    // A second click must show the same key: the first response was replaced before anybody saw it.
    return await site.duplicateForms.once(JSON.stringify(form), () => newKey(site, exchange, form));
  } catch (error) {
    const problem = problemOf(error);
    if (problem === null) throw error;
    const { code, status, headers, issues } = problem;
    const isOfAddress = code === 'WORK_EMAIL_REQUIRED' || code === 'ACCOUNT_EXISTS';
    const sentence = sentenceOf(problem, headers['retry-after']);
    return keyPage(status, headers, [
      Object.keys(issues).length > 0 || isOfAddress ? null : alert('bad', html`<p>${sentence}</p>`),
      keyCard(staffing.mailer !== null, form, isOfAddress ? { email: [`is refused: ${sentence}`] } : issues),
    ]);
  }
}

async function newKey(
  site: PageSite,
  exchange: Exchange,
  { email, company }: KeyForm,
): Promise<PageOrRedirect> {
  const { staffing } = site;
  const form = { email: email.trim(), company: company.trim() };
  const address = await site.countNewAccount(exchange);
  if (!Value.Check(SandboxKeyRequest, form)) {
    throw commonErrors.VALIDATION_FAILED({ issues: issuesOf(Value.Errors(SandboxKeyRequest, form)) });
  }
  if (staffing.mailer !== null) {
    await mailSandboxKey(staffing, staffing.mailer, { ...form, address });
    return keyPage(202, {}, [
      alert(
        'good',
        html`<p><strong>The key was sent to ${form.email}.</strong> Sign in with the key from the mail.</p>`,
      ),
      html`<p><a class="button primary" href="/">Sign in</a></p>`,
    ]);
  }
  const { key } = await createSandbox(staffing, { ...form, address });
  const made = keyPage(201, {}, [
    html`<section class="card"><p>This is your sandbox key. <strong>Copy it now: it is not shown again.</strong> Programs send it as
<code>Authorization: Bearer</code>; you can sign in with it here.</p>
${secretField('api_key', 'Sandbox key', key.api_key)}<p class="actions"><a class="button primary" href="/">I have copied it: search</a></p></section>`,
  ]);
  return { ...made, session: sha256Hex(key.api_key), title: 'Your sandbox key' };
}

function keyPage(
  status: number,
  headers: Readonly<Record<string, string>>,
  body: readonly (Html | null)[],
): PageResponse {
  return {
    title: 'Get a sandbox key',
    isSignedIn: false,
    status,
    headers,
    body: html`<div class="middle"><h1>Your sandbox key</h1>\n${body}</div>`,
  };
}
