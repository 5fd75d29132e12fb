import { readdirSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';

/** The interval at which the scheduled task checks the files, in milliseconds. */
const CHECK_MS = 1000;

/**
 * Returns the identity of the file at a path (device and inode); null when there is none or it cannot be
 * read. Takes about 2 µs.
 */
export function fileIdentity(path: string): string | null {
  try {
    const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
    return stats === undefined ? null : `${stats.dev} ${stats.ino}`;
  } catch {
    return null;
  }
}

/**
 * The files that a running process must not lose. A process continues to write to a deleted file, and all its
 * acknowledged writes are lost at its end. So a removed or replaced file is a problem until the next start,
 * even when it comes back.
 */
export class WatchedFiles {
  private readonly files = new Map<string, string>();
  private readonly keyDirectories: string[] = [];
  private readonly contentChecks: (() => void)[] = [];
  private found: string | null = null;

  /**
   * @param directory the data directory; problems contain paths relative to it, because the public can read
   * them
   * @param lost is called once, with the first problem
   */
  constructor(
    private readonly directory: string,
    private readonly lost: (problem: string) => void,
  ) {}

  /** Watches a file or a directory from now on. Ignores one that does not exist. */
  watch(path: string): void {
    const identity = fileIdentity(path);
    if (identity !== null && !this.files.has(path)) this.files.set(path, identity);
  }

  /** Watches a directory of keys and every key in it, also keys that are added later. */
  watchKeys(directory: string): void {
    this.watch(directory);
    if (!this.files.has(directory)) return;
    this.keyDirectories.push(directory);
    this.watchKeysIn(directory);
  }

  /** Runs `check` at every full check. It reports problems with `report`. */
  watchContents(check: () => void): void {
    this.contentChecks.push(check);
  }

  /**
   * Records that a file is lost. Only the first problem is recorded.
   *
   * @param what happened to the file, such as `removed`
   */
  report(path: string, what: string): void {
    if (this.found !== null) return;
    this.found = `The file ${relative(this.directory, path)} was ${what} while the server ran; nothing more is written until the next start.`;
    this.lost(this.found);
  }

  /** The problem that the last check found, as one sentence; null for none. */
  get problem(): string | null {
    return this.found;
  }

  /** Compares all files with their first identity. @returns `problem` */
  check(): string | null {
    for (const directory of this.keyDirectories) this.watchKeysIn(directory);
    if (this.checkOnly(this.files.keys()) === null) for (const check of this.contentChecks) check();
    return this.found;
  }

  /** Compares some of the files, for callers that cannot wait for all. @returns `problem` */
  checkOnly(paths: Iterable<string>): string | null {
    if (this.found !== null) return this.found;
    for (const path of paths) {
      const expected = this.files.get(path);
      const identity = expected === undefined ? undefined : fileIdentity(path);
      if (identity === expected) continue;
      this.report(path, identity === null ? 'removed' : 'replaced');
      break;
    }
    return this.found;
  }

  /** The scheduled task that checks all files. */
  get task() {
    return {
      name: 'check the data directory',
      everyMs: CHECK_MS,
      run: async (): Promise<void> => void this.check(),
    };
  }

  private watchKeysIn(directory: string): void {
    // `check` also compares the directory itself, so an unreadable one needs no error here.
    for (const name of keyNames(directory)) this.watch(join(directory, name));
  }
}

function keyNames(directory: string): string[] {
  try {
    return readdirSync(directory).filter((name) => /\.(?:pem|key)$/.test(name));
  } catch {
    return [];
  }
}
