import { join } from 'node:path';
import { fileIdentity } from '../../platform/files/watched-files.ts';
import { asStoreError, StorageUnavailable } from '../../platform/store/errors.ts';
import { currentRegistry } from './current.ts';
import { registryErrors } from './errors.ts';
import {
  closeRegistry,
  infoOf,
  openRegistry,
  type Registry,
  type RegistryInfo,
  type SkippedRow,
} from './open.ts';
import { readAhead } from './read-ahead.ts';

/** The file that is served, and whether it is mapped into memory. */
export interface ServedFile {
  path: string;
  isMapped: boolean;
}

/** An open registry and the number of its readers. */
interface OpenedRegistry {
  registry: Registry;
  readers: number;
  isMapped: boolean;
  /** The file's identity, from `fileIdentity`. */
  identity: string | null;
}

/**
 * Manages the served registry: opens another on demand, and closes the previous one after its last reader.
 */
export class RegistryHandle {
  private current: OpenedRegistry | null = null;
  private readonly listeners: ((file: ServedFile) => void)[] = [];
  /** Reports a file that cannot be read ahead; null until `keepWarm`. */
  private readFailed: ((error: unknown) => void) | null = null;

  /** Opens the registry in `current` of `directory`, if there is one. @throws Failure */
  constructor(
    private readonly directory: string,
    /** Is called for each row that is no public record. */
    readonly rowSkipped: SkippedRow = () => undefined,
  ) {
    this.reopen();
  }

  /**
   * Reopens the registry in `current`. Readers of the previous one can finish. The previous one stays in use
   * when the new one cannot be opened. The file that is open already stays open: readers see its changes.
   * @returns the name of the served registry; null for none. @throws Failure
   */
  reopen(): string | null {
    const name = currentRegistry(this.directory);
    if (name === null) return this.current?.registry.name ?? null;
    const previous = this.current;
    const path = join(this.directory, name);
    if (name === previous?.registry.name && this.isInPlace) return name;
    const registry = openRegistry(path, this.rowSkipped);
    const opened = { registry, readers: 0, isMapped: false, identity: fileIdentity(path) };
    this.current = opened;
    if (previous !== null && previous.readers === 0) closeRegistry(previous.registry);
    this.notify();
    void this.warm(opened);
    return name;
  }

  /** Calls `listener` when another file is served, and when it is mapped. */
  onServe(listener: (file: ServedFile) => void): void {
    this.listeners.push(listener);
  }

  /** The served file; null when there is none. */
  get served(): ServedFile | null {
    return this.current === null
      ? null
      : { path: this.current.registry.path, isMapped: this.current.isMapped };
  }

  private notify(): void {
    const { served } = this;
    if (served !== null) for (const listener of this.listeners) listener(served);
  }

  /**
   * Reads the served file into the system's memory in the background, now and after each swap.
   * @param failed is called when a file cannot be read to its end
   */
  async keepWarm(failed: (error: unknown) => void): Promise<void> {
    this.readFailed = failed;
    if (this.current !== null) await this.warm(this.current);
  }

  private async warm(opened: OpenedRegistry): Promise<void> {
    const { readFailed } = this;
    if (readFailed === null) return;
    const isWanted = (): boolean => this.current === opened;
    try {
      // The system ends a process that cannot read a mapped page, so only a file that was readable is mapped.
      if (!(await readAhead(opened.registry.path, isWanted)) || !isWanted()) return;
      opened.registry.mapFile();
      opened.isMapped = true;
      this.notify();
    } catch (error) {
      readFailed(error);
    }
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
    if (opened === null) throw registryErrors.REGISTRY_UNAVAILABLE();
    opened.readers++;
    try {
      return await body(opened.registry);
    } catch (error) {
      if (asStoreError(error) instanceof StorageUnavailable) throw registryErrors.REGISTRY_UNAVAILABLE();
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
