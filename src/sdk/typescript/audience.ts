import { isOwnName, isSameHost } from '../../proof/agent/challenge-check.ts';
import { printable } from './errors.ts';

/** Returns whether an audience is of a test service. A reset gives a test service another one. */
export const isTestAudience = (audience: string): boolean => audience.startsWith('test.invalid/');

/**
 * Returns why agents must not sign an audience that a service states; null if they may. A malicious service
 * could state the audience of another one, and forward there what an agent signs.
 * @param audience `<log origin>+<kid>`
 */
export function audienceProblem(audience: unknown, url: URL): string | null {
  const [, origin] = /^([^+]+)\+[\w-]+$/.exec(String(audience)) ?? [];
  if (origin === undefined)
    return `${url.host} states no audience. Check that the URL is of a trust service.`;
  const [host = ''] = origin.split('/');
  if (host === url.hostname || isSameHost(host, url)) return null;
  // What an agent signs for one test service, another one could use at most.
  if (isTestAudience(origin) && isOwnName(url.hostname)) return null;
  return (
    `${url.host} states the audience ${printable(String(audience))}, which does not name its host. ` +
    'If that is its audience, set it as an option of the client.'
  );
}
