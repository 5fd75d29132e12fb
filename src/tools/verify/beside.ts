import type { Beside, DocumentKind } from './judgement.ts';
import { keyLogFrom } from './key-document.ts';

/** Reads the further inputs that a kind of document needs. They are not verified. @throws Failure */
export async function besideOf(
  { needs }: Pick<DocumentKind, 'needs'>,
  { log, policy }: { log?: string; policy?: string },
): Promise<Beside> {
  if (needs === 'log' && log !== undefined) return { keyLog: await keyLogFrom(log, policy !== undefined) };
  return {};
}
