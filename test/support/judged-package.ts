import { nativePrimitives } from '../../src/platform/crypto/crypto.ts';
import { readTrustedKeys } from '../../src/proof/keys/trusted-keys.ts';
import { readLogKeys } from '../../src/proof/log/log-keys.ts';
import { judgePackage, type PackageResult } from '../../src/proof/package/verdict.ts';
import type { TrustApp } from './trust-app.ts';

/** Verifies a package with the published keys of a service. */
export async function judgedPackage(
  { anyone, service }: Pick<TrustApp, 'anyone' | 'service'>,
  text: string,
): Promise<PackageResult> {
  const keys = JSON.parse(JSON.stringify((await anyone.get('/api/v1/transparency/keys')).body));
  return judgePackage(nativePrimitives, Buffer.from(text), {
    keys: readTrustedKeys(nativePrimitives, keys),
    logKeys: readLogKeys(nativePrimitives, keys).trusted,
    now: service.trust.clock.now(),
  });
}
