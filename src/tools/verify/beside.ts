import { bytesOf, gathered } from '../../platform/files/read.ts';
import type { Beside, DocumentKind } from './judgement.ts';
import { keyLogFrom } from './key-document.ts';

const MAX_BYTES = 16 * 2 ** 20;

/** Reads the further inputs that a kind of document needs. They are not verified. @throws Failure */
export async function besideOf(
  { needs }: Pick<DocumentKind, 'needs'>,
  { log, entry, policy }: { log?: string; entry?: string; policy?: string },
): Promise<Beside> {
  if (needs === 'log' && log !== undefined) return { keyLog: await keyLogFrom(log, policy !== undefined) };
  if (needs === 'entry' && entry !== undefined)
    return { entry: await gathered(entry, bytesOf(entry), MAX_BYTES) };
  return {};
}
