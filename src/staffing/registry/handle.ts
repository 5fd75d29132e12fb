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

/** An open registry and the number of its readers. */
interface OpenedRegistry {
  registry: Registry;
  readers: number;
  /** The file's identity, from `fileIdentity`. */
  identity: string | null;
}

/** Manages the served registry: opens another on demand, and closes the previous one after its last reader. */
export class RegistryHandle {
  private current: OpenedRegistry | null = null;

  /** Opens the registry in `current` of `directory`, if there is one. @throws Failure */
  constructor(
    private readonly directory: string,
    private readonly rowSkipped?: SkippedRow,
  ) {
    this.reopen();
  }

  /**
   * Reopens the registry in `current`. Readers of the previous one can finish. The previous one stays in use when the new one cannot
   * be opened. @returns the name of the served registry; null for none. @throws Failure
   */
  reopen(): string | null {
    const name = currentRegistry(this.directory);
    if (name === null) return this.current?.registry.name ?? null;
    const previous = this.current;
    const path = join(this.directory, name);
    this.current = {
      registry: openRegistry(path, this.rowSkipped),
      readers: 0,
      identity: fileIdentity(path),
    };
    if (previous !== null && previous.readers === 0) closeRegistry(previous.registry);
    return name;
  }

  /** True if a registry is open and its file is still at the path that the next start opens. */
  get isInPlace(): boolean {
    if (this.current === null) return false;
    const { registry, identity } = this.current;
    return identity !== null && fileIdentity(join(this.directory, registry.name)) === identity;
  }

  /**
   * Runs `body` on the registry, which stays open until the result has settled.
   * @throws ApiError REGISTRY_UNAVAILABLE when no registry is open, or its file cannot be read
   */
  async read<T>(body: (registry: Registry) => T | Promise<T>): Promise<T> {
    const opened = this.current;
    if (opened === null) throw staffingError('REGISTRY_UNAVAILABLE');
    opened.readers++;
    try {
      return await body(opened.registry);
    } catch (error) {
      if (asStoreError(error) instanceof StorageUnavailable) throw staffingError('REGISTRY_UNAVAILABLE');
      throw error;
    } finally {
      opened.readers--;
      if (opened !== this.current && opened.readers === 0) closeRegistry(opened.registry);
    }
  }

  /** Returns the description of the registry. @throws ApiError REGISTRY_UNAVAILABLE */
  info(): Promise<RegistryInfo> {
    return this.read(infoOf);
  }

  /** Stops serving. Current readers can finish. */
  close(): void {
    const previous = this.current;
    this.current = null;
    if (previous !== null && previous.readers === 0) closeRegistry(previous.registry);
  }
}
