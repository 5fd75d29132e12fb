import type { Logger } from 'pino';
import { recoverImports } from '../imports/recover.ts';
import { currentRegistry } from '../registry/current.ts';
import { RegistryHandle } from '../registry/handle.ts';
import { applySuppressions, applySuppressionsToFormer } from '../suppressions/apply-again.ts';
import type { Suppressions } from '../suppressions/services.ts';

/**
 * Opens the registry and applies the suppressions. The first start writes a sample registry of so many
 * `clinicians`.
 */
export async function openRegistryOf(
  context: Suppressions,
  clinicians: number,
  log: Logger,
): Promise<RegistryHandle> {
  const { registryPath } = context;
  await recoverImports(context, log);
  if (currentRegistry(registryPath) === null) {
    // Loaded only when it is needed, to keep the start fast.
    const { writeSample } = await import('../registry/sample/write.ts');
    await writeSample({ directory: registryPath, clinicians });
    log.info({ clinicians }, 'a registry of made-up clinicians was written');
  }
  await applySuppressions(context);
  try {
    await applySuppressionsToFormer(context);
  } catch (err) {
    log.error({ err }, 'the former registry could still contain suppressed clinicians');
  }
  return new RegistryHandle(registryPath, (npi, isLast) => {
    const hint = isLast ? 'further rows of this file are not logged' : undefined;
    log.warn({ npi, hint }, 'a row of the registry is not a public record and is left out');
  });
}
