import type { Clock } from '../../time/clock.ts';
import { timestampOf } from '../../time/timestamp.ts';
import { DAY_MS } from '../../time/units.ts';
import type { ApiDescription } from './openapi.ts';

/** A page or file of the service that its `llms.txt` names. */
export interface SiteLink {
  title: string;
  path: string;
  /** A phrase without full stop. */
  about: string;
}

/** What a service says about itself in the files that programs look for at fixed paths. */
export interface Site {
  /** Paths and prefixes of paths that search engines leave out. */
  unlisted: readonly string[];
  /** What `llms.txt` names besides the API, by heading. */
  links: Readonly<Record<string, readonly SiteLink[]>>;
  /** Where to report vulnerabilities, a URI; null if nobody said. */
  securityContact: string | null;
  clock: Clock;
}

/** The least time until `Expires`. RFC 9116, 2.5.5, recommends less than a year. */
const VALID_DAYS = 30;

/** Returns `robots.txt` (RFC 9309). Nothing of a demonstration is listed: its data is made up. */
export function robotsText(unlisted: readonly string[], isDemonstration: boolean): string {
  const paths = isDemonstration ? ['/'] : unlisted;
  return ['User-agent: *', ...paths.map((path) => `Disallow: ${path}`), ''].join('\n');
}

/**
 * Returns `security.txt` (RFC 9116). It expires 30 days after the end of the UTC day, and is written anew
 * each day, because the setting is in force now.
 * @param serverUrl the URL of the service; `/` if only the caller knows it
 */
export function securityText(contact: string, clock: Clock, serverUrl: string): string {
  const expires = (Math.floor(clock.now() / DAY_MS) + 1 + VALID_DAYS) * DAY_MS;
  return [
    `Contact: ${contact}`,
    `Expires: ${timestampOf(expires)}`,
    ...(serverUrl.startsWith('https:') ? [`Canonical: ${serverUrl}/.well-known/security.txt`] : []),
    'Preferred-Languages: en',
    '',
  ].join('\n');
}

/**
 * Returns `llms.txt` (llmstxt.org): what the service is, the rules of its API, and links to the rest. Its
 * text is that of the OpenAPI document, which is too long to begin with.
 */
export function llmsText(api: ApiDescription, links: Site['links']): string {
  const [summary = '', ...rules] = api.description.split('\n\n');
  const base = api.serverUrl === '/' ? '' : api.serverUrl;
  const lineOf = ({ title, path, about }: SiteLink) => `- [${title}](${base}${path}): ${about}`;
  const sections = Object.entries({
    API: [
      {
        title: 'OpenAPI document',
        path: '/openapi.json',
        about: 'every operation with its schemas, rules, errors and examples',
      },
      {
        title: 'Swagger UI',
        path: '/swagger',
        about: 'the same for people, who can call each operation there',
      },
    ],
    ...links,
    'Groups of operations': api.tags.map(({ name, description }) => ({
      title: name,
      path: `/swagger#/${encodeURIComponent(name)}`,
      about: description,
    })),
  });
  return [
    `# ${api.title}`,
    '',
    `> ${summary}`,
    '',
    ...rules.flatMap((rule) => [rule, '']),
    ...sections.flatMap(([heading, entries]) => [`## ${heading}`, '', ...entries.map(lineOf), '']),
  ].join('\n');
}
