import { existsSync } from 'node:fs';
import { Failure } from '../platform/failure.ts';
import { readText } from '../platform/files/read.ts';

/** Reads an API key. @throws Failure when the file is missing or contains something else */
export function apiKeyIn(file: string): string {
  if (!existsSync(file))
    throw new Failure(`the file ${file} does not exist`, 'specify a file that contains the API key', 2);
  const text = readText(file).trim();
  if (/^pp_[0-9a-f]{64}$/.test(text)) return text;
  throw new Failure(
    `${file} contains no API key`,
    'write the API key into it: pp_ and 64 lower-case hexadecimal characters',
  );
}
