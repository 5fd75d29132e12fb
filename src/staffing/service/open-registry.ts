import type { Logger } from 'pino';
import { recoverImports } from '../imports/recover.ts';
import { currentRegistry } from '../registry/current.ts';
import { RegistryHandle } from '../registry/handle.ts';
import { applySuppressions, applySuppressionsToFormer } from '../suppressions/apply-again.ts';
import type { Suppressions } from '../suppressions/services.ts';

/** Writes the sample registry. */
type WriteSample = () => Promise<void>;

/**
 * Begins to prepare the sample registry of so many clinicians if a directory has no registry, while the rest
 * of the service is opened. Its code is loaded only then.
 */
export async function sampleIfNeeded(directory: string, clinicians: number): Promise<WriteSample | null> {
  if (currentRegistry(directory) !== null) return null;
  const { prepareSample } = await import('../registry/sample/write.ts');
  return prepareSample({ directory, clinicians });
}

/** Opens the registry and applies the suppressions. The first start writes a sample registry. */
export async function openRegistryOf(
  context: Suppressions,
  writeSample: WriteSample | null,
  log: Logger,
): Promise<RegistryHandle> {
  const { registryPath } = context;
  await recoverImports(context, log);
  if (writeSample !== null && currentRegistry(registryPath) === null) {
    await writeSample();
    log.info('a registry of made-up clinicians was written');
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
