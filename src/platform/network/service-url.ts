import { InvalidArgumentError } from 'commander';
import { isUrl, requireHttps } from './fetch.ts';

/**
 * Parses the URL of a service. It must be https or on this machine, because API keys are sent there.
 * @param content what the service returns, for the message, in the plural
 * @throws InvalidArgumentError; Failure (exit code 2)
 */
export function serviceUrl(text: string, content: string): string {
  const url = isUrl(text) && URL.canParse(text) ? new URL(text) : null;
  if (url === null)
    throw new InvalidArgumentError('It must be an https URL, or an http URL of this machine.');
  if (/\/api\/v1\/?$/.test(url.pathname))
    throw new InvalidArgumentError('It must be the URL of the service itself: leave /api/v1 out.');
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '')
    throw new InvalidArgumentError(
      'It must have no user name, password, query or fragment. A key comes from a file or a prompt.',
    );
  requireHttps(url, content, 'use an https URL, or a service on this machine', 2);
  return url.href;
}
