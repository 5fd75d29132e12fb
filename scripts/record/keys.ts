import { KEY_PURPOSES } from '../../src/proof/log/key-purposes.ts';
import { type Session, settled, until } from '../../test/support/recorded/session.ts';
import type { Issuer } from './receipts.ts';

/**
 * Rotates the keys of every purpose, and reports one as compromised that has signed a receipt. The active one
 * has signed one too.
 */
export async function rotateKeys(session: Session, issuer: Issuer): Promise<void> {
  const rotate = async (...args: string[]): Promise<string> => {
    const { keys } = JSON.parse(await session.command('keys', 'rotate', '--yes', ...args));
    await until('the next key signs', async () => !(await statuses(session)).includes('next'));
    return keys[0].kid;
  };
  const short = await rotate('--purpose', 'receipts');
  await issuer.finalize(await issuer.issue());
  for (const purpose of KEY_PURPOSES) await rotate('--purpose', purpose);
  await settled(session);
  await rotate('--compromised', short);
  await issuer.finalize(await issuer.issue());
}

async function statuses({ ask }: Session): Promise<unknown[]> {
  const { keys } = await ask('GET /api/v1/transparency/keys');
  return Array.isArray(keys) ? keys.map(({ status }) => status) : [];
}
