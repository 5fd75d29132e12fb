import { join } from 'node:path';
import { fileIdentity } from '../../platform/files/watched-files.ts';
import { asStoreError, StorageUnavailable } from '../../platform/store/errors.ts';
import { staffingError } from '../http/dialect.ts';
import { currentRegistry } from './current.ts';
import {
  closeRegistry,
  infoOf,
  openRegistry,
  type Registry,
  type RegistryInfo,
  type SkippedRow,
} from './open.ts';

/** A registry and how many are reading it. */
interface Held {
  registry: Registry;
  readers: number;
  /** Which file it is, by `fileIdentity`. */
  identity: string | null;
}

/** Holds the registry that is served: opens another on demand, and lets go of one when its last reader has ended. */
export class RegistryHandle {
  private current: Held | null = null;

  /** Opens the registry that `current` in `directory` names, if it names one. @throws Failure */
  constructor(
    private readonly directory: string,
    private readonly rowSkipped?: SkippedRow,
  ) {
    this.reopen();
  }

  /**
   * Serves what `current` names from now on, opened anew; who reads the former one may finish. The former one stays when
   * the new one cannot be opened. @returns the name that is served, null for none. @throws Failure
   */
  reopen(): string | null {
    const name = currentRegistry(this.directory);
    if (name === null) return this.current?.registry.name ?? null;
    const former = this.current;
    const path = join(this.directory, name);
    this.current = {
      registry: openRegistry(path, this.rowSkipped),
      readers: 0,
      identity: fileIdentity(path),
    };
    if (former !== null && former.readers === 0) closeRegistry(former.registry);
    return name;
  }

  /** Whether there is a registry to read, and its file is still where the next start will look for it. */
  get isInPlace(): boolean {
    if (this.current === null) return false;
    const { registry, identity } = this.current;
    return identity !== null && fileIdentity(join(this.directory, registry.name)) === identity;
  }

  /**
   * Runs `body` on the registry, which stays open until it has settled.
   * @throws ApiError REGISTRY_UNAVAILABLE while there is none, or when its file cannot be read
   */
  async read<T>(body: (registry: Registry) => T | Promise<T>): Promise<T> {
    const held = this.current;
    if (held === null) throw staffingError('REGISTRY_UNAVAILABLE');
    held.readers++;
    try {
      return await body(held.registry);
    } catch (error) {
      if (asStoreError(error) instanceof StorageUnavailable) throw staffingError('REGISTRY_UNAVAILABLE');
      throw error;
    } finally {
      held.readers--;
      if (held !== this.current && held.readers === 0) closeRegistry(held.registry);
    }
  }

  /** What the registry is. @throws ApiError REGISTRY_UNAVAILABLE */
  info(): Promise<RegistryInfo> {
    return this.read(infoOf);
  }

  /** Serves nothing any more; who reads may finish. */
  close(): void {
    const former = this.current;
    this.current = null;
    if (former !== null && former.readers === 0) closeRegistry(former.registry);
  }
}
