import { existsSync } from 'node:fs';
import { InvalidArgumentError } from 'commander';
import { Failure } from '../platform/failure.ts';
import { readText } from '../platform/files/read.ts';
import { isUrl, requireHttps } from '../platform/network/fetch.ts';

/**
 * Parses the URL of a service. It must be https or on this machine, because API keys are sent there.
 * @param content what the service returns, for the message, in the plural
 * @throws InvalidArgumentError, Failure
 */
export function serviceUrl(text: string, content: string): string {
  const url = isUrl(text) && URL.canParse(text) ? new URL(text) : null;
  if (url === null)
    throw new InvalidArgumentError('It must be an https URL, or an http URL of this machine.');
  requireHttps(url, content, 'use an https URL, or a service on this machine');
  return url.href;
}

/** Reads an API key. @throws Failure when the file is missing or contains something else */
export function apiKeyIn(file: string): string {
  if (!existsSync(file))
    throw new Failure(`the file ${file} does not exist`, 'specify a file that contains the API key');
  const text = readText(file).trim();
  if (/^pp_[0-9a-f]{64}$/.test(text)) return text;
  throw new Failure(
    `${file} contains no API key`,
    'write the API key into it: pp_ and 64 lower-case hexadecimal characters',
  );
}
