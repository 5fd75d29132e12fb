import { html } from '../../../platform/page/html.ts';
import { alert, textField } from '../../../platform/page/parts.ts';
import { sessionToken } from '../../operators/auth/credential.ts';
import { openSession } from '../../operators/log-in.ts';
import { endSession } from '../../operators/log-out.ts';
import { nextAddress } from './next-address.ts';
import { type Problem, problemOf } from './problem.ts';
import type { AccountResponse, LoginPage, PageResponse, Visitor } from './response.ts';
import type { AccountSite, Exchange } from './site.ts';

/** Returns the page to log in. It never repeats a key that was entered. */
export function loginAnswer(
  { demonstration, explorerFolders }: Pick<AccountSite, 'demonstration' | 'explorerFolders'>,
  { next = '', problem, ...response }: LoginPage,
): PageResponse {
  const target = nextAddress(next, explorerFolders);
  const demoKey = demonstration?.tokens.apiKey;
  return {
    ...response,
    page: {
      title: 'Log in',
      visitor: null,
      body: html`<div class="narrow">
<h1>Manage your operator</h1>
<p class="soft">See your credits, create and revoke API keys, pay, and set up webhooks.</p>
${problem === undefined ? null : alert('bad', html`<p>${problem}</p>`)}<form method="post" action="/account/login" class="card">
${target === null || target === '/account' ? null : html`<input type="hidden" name="next" value="${target}">\n`}${textField(
  {
    name: 'api_key',
    label: 'Issuer API key',
    type: 'password',
    required: true,
    isCode: true,
    maxLength: 200,
    placeholder: 'pp_…',
    hint: 'The session ends after 12 hours, when you log out, or when the key is revoked.',
    ...(demoKey === undefined
      ? {}
      : { value: demoKey, hint: 'The key of the demonstration is filled in already.' }),
  },
)}<button class="primary">Log in</button>
</form>
<p class="soft small">You have no key? <a href="/billing">Subscribe</a>, or ask the administrator of this service. Programs use the
<a href="/swagger">API</a>.</p>
</div>`,
    },
  };
}

/** Opens a session for a key that was entered. @throws ApiError, Refusal for failures of the service */
export async function logIn(
  site: AccountSite,
  exchange: Exchange,
  { api_key, next }: Readonly<Record<'api_key' | 'next', string>>,
): Promise<AccountResponse> {
  try {
    const principal = await site.authenticateKey(exchange, api_key.trim());
    const { token } = await openSession(site.trust, principal);
    return { location: nextAddress(next, site.explorerFolders) ?? '/account', session: token };
  } catch (error) {
    const problem = problemOf(error);
    if (problem === null) throw error;
    const { status, headers } = problem;
    return { ...loginAnswer(site, { next, problem: sentenceOf(problem), status }), headers };
  }
}

function sentenceOf({ code, message }: Problem): string {
  if (code === 'unauthorized')
    return 'This is not an API key of an operator. Copy the whole key: pp_ and 64 characters.';
  return code === 'rate_limit_exceeded' ? 'Too many wrong keys. Wait a minute, and try again.' : message;
}

/** Ends the session of the visitor. */
export async function logOut(
  site: AccountSite,
  { request }: Exchange,
  { principal }: Visitor,
): Promise<AccountResponse> {
  await endSession(site.trust, principal, sessionToken(request));
  return { location: '/account', session: null };
}
