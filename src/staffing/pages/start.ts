import { html } from '../../platform/page/html.ts';
import { alert, textField } from '../../platform/page/parts.ts';
import { keyCard, registryIn } from './keys.ts';
import { registrySource, registryTiles } from './page/registry.ts';
import { problemOf, sentenceOf } from './problem.ts';
import type { PageOrRedirect, PageResponse, StartReason } from './response.ts';
import type { Exchange, PageSite } from './site.ts';

/** Where a sign-in may lead: the pages of this service, and nothing of another origin. */
const OWN_PAGE = /^\/(?:clinicians\/\d{10})?(?:\?[\w=&%+.*-]{0,2000})?$/;

/**
 * Returns the page for a visitor without a session: what the service is, and how to get in. It never repeats
 * a key that was entered.
 */
export async function startResponse(
  site: Pick<PageSite, 'staffing' | 'demonstration'>,
  { problem, next = '' }: StartReason,
): Promise<PageResponse> {
  const { staffing, demonstration } = site;
  const info = await registryIn(staffing);
  const demoKey = demonstration?.tokens.apiKey;
  const target = OWN_PAGE.test(next) && next !== '/' ? next : null;
  return {
    title: 'Search clinicians of the United States',
    isSignedIn: false,
    body: html`<h1>Search clinicians of the United States</h1>
<p>Find physicians, nurses, therapists and other clinicians by surname, specialty and place, and look up an NPI. For staffing firms with an API
key; programs use the <a href="/swagger">API</a> with the same key.</p>
${info === null ? alert('warn', html`<p>The registry is not available now.</p>`) : registryTiles(info, staffing.clock.now())}${
  problem === undefined ? null : alert('bad', html`<p>${problem}</p>`)
}<div class="columns">
<section class="card"><h2>Sign in</h2>
<form method="post" action="/login">
${target === null ? null : html`<input type="hidden" name="next" value="${target}">\n`}${textField({
  name: 'api_key',
  label: 'API key',
  type: 'password',
  required: true,
  isCode: true,
  maxLength: 200,
  placeholder: 'mpk_…',
  hint: 'Searches count as requests of this key. The session ends after 8 hours, when you sign out, or when the key is revoked.',
  ...(demoKey === undefined
    ? {}
    : { value: demoKey, hint: 'The key of the demonstration is filled in already.' }),
})}<button class="primary">Sign in</button>
</form></section>
${keyCard(staffing.mailer !== null)}</div>
<section class="card"><h2>For programs</h2>
<ul><li><a href="/swagger">API documentation</a>: every operation, to try out</li>
<li><a href="/openapi.json">OpenAPI document</a>: to generate a client</li>
<li><a href="/api/health">Health</a> of the service</li></ul></section>
${registrySource(info, false)}`,
  };
}

/** Opens a session for a key that was entered. @throws ApiError, Refusal of failures of the service */
export async function signIn(
  site: PageSite,
  exchange: Exchange,
  { api_key, next }: Readonly<Record<'api_key' | 'next', string>>,
): Promise<PageOrRedirect> {
  try {
    const session = await site.hashOfEntered(exchange, api_key.trim());
    return { location: OWN_PAGE.test(next) ? next : '/', session };
  } catch (error) {
    const problem = problemOf(error);
    if (problem === null) throw error;
    const { status, headers } = problem;
    const sentence = sentenceOf(problem, headers['retry-after']);
    return { ...(await startResponse(site, { problem: sentence, next })), status, headers };
  }
}
