import { createHash } from 'node:crypto';
import { Failure } from '../../platform/failure.ts';
import { verifyPage } from '../../platform/verify-page/page.ts';
import { type CommandOptions, requireOptions } from './options/by-document.ts';
import { keyBytes } from './read/keys.ts';
import { fileBytes } from './read/source.ts';
import { readTrust } from './read/trust.ts';
import { type Output, TERMINAL } from './report/report.ts';

/** A page with more would be slow to open. */
const TRUST_BYTES_MAX = 2 ** 20;

/**
 * Writes the page that verifies documents in a browser, with the keys and the policy that it is to trust, and
 * says its SHA-256.
 * @param file the argument of the command, which the page has no use for
 * @throws Failure for keys and policies that `verify` would refuse
 */
export async function writePage(
  file: string | undefined,
  commandOptions: CommandOptions,
  output: Output = TERMINAL,
): Promise<void> {
  requireOptions('page', commandOptions);
  if (file !== undefined)
    throw new Failure('--page writes a page, and verifies no document', 'omit the file, or omit --page', 2);
  const { trust, policy } = commandOptions;
  // What is refused here could not be used by the page.
  await readTrust({ keys: trust, policy, logKey: undefined, anyLog: false });
  const text = verifyPage({
    keys: trust === undefined ? null : textOf(trust, await keyBytes(trust)),
    policy: policy === undefined ? null : textOf(policy, await fileBytes(policy)),
    isServed: false,
  });
  await output.write(text);
  output.say(`SHA-256 of the page: ${createHash('sha256').update(text).digest('hex')}`);
}

function textOf(source: string, bytes: Uint8Array): string {
  if (bytes.length > TRUST_BYTES_MAX)
    throw new Failure(`${source} has more than 1 MiB`, 'a page has room for a smaller one', 2);
  return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
}
