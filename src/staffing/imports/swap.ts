import { currentRegistry, formerRegistry, makeCurrent, makeFormer } from '../registry/current.ts';

/** The registry directory, and the function that is called after `current` was written. */
interface Serving {
  registryPath: string;
  registryChanged(): void;
}

/**
 * Makes a complete registry file the current one. If the service cannot open it, the previous one stays. The
 * journal says what to complete if the process ends in between.
 * @param keepsPrevious whether the previous file becomes the former one
 * @throws Failure when the new file cannot be opened or `current` cannot be written
 */
export async function replaceCurrent(
  { registryPath, registryChanged }: Serving,
  name: string,
  keepsPrevious = true,
): Promise<void> {
  const previous = currentRegistry(registryPath);
  makeCurrent(registryPath, name);
  try {
    registryChanged();
  } catch (error) {
    if (previous !== null) makeCurrent(registryPath, previous);
    throw error;
  }
  if (previous !== null && keepsPrevious) makeFormer(registryPath, previous);
}

/** What `current` and `former` are to be after a replacement. */
export interface Replacement {
  current: string;
  former: string;
}

/** Completes a replacement that was interrupted after `current` was written. */
export function completeReplacement(registryPath: string, { current, former }: Replacement): void {
  const isBegun = currentRegistry(registryPath) === current;
  if (isBegun && formerRegistry(registryPath) !== former) makeFormer(registryPath, former);
}
