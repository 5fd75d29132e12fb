import { readdirSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';

/** How often whoever runs a process has its files checked, in milliseconds. */
const CHECK_MS = 1000;

/**
 * Returns which file lies at a path, by device and inode; null when there is none or it cannot be looked at. Takes some 2 µs.
 */
export function fileIdentity(path: string): string | null {
  try {
    const found = statSync(path, { bigint: true, throwIfNoEntry: false });
    return found === undefined ? null : `${found.dev} ${found.ino}`;
  } catch {
    return null;
  }
}

/**
 * The files that a running process must not lose. A process goes on writing to a file that was deleted, and everything that it
 * acknowledges is gone at its end; so a file that is gone, or has another in its place, is a problem until the next start, even
 * when it comes back.
 */
export class WatchedFiles {
  private readonly files = new Map<string, string>();
  private readonly keyDirectories: string[] = [];
  private readonly contentChecks: (() => void)[] = [];
  private found: string | null = null;

  /**
   * @param directory the data directory; the problem names files from there, since strangers read it
   * @param lost is called once, with the first problem
   */
  constructor(
    private readonly directory: string,
    private readonly lost: (problem: string) => void,
  ) {}

  /** Watches a file or a directory from now on. One that is not there is not watched. */
  watch(path: string): void {
    const identity = fileIdentity(path);
    if (identity !== null && !this.files.has(path)) this.files.set(path, identity);
  }

  /** Watches a directory of keys, and every key in it, also those that are added later. */
  watchKeys(directory: string): void {
    this.watch(directory);
    if (!this.files.has(directory)) return;
    this.keyDirectories.push(directory);
    this.watchKeysIn(directory);
  }

  /** Has `check` run at every full check. It reports what it finds with `report`. */
  watchContents(check: () => void): void {
    this.contentChecks.push(check);
  }

  /**
   * Records that a file is lost. The first problem counts.
   *
   * @param what happened to it: `removed`
   */
  report(path: string, what: string): void {
    if (this.found !== null) return;
    this.found = `The file ${relative(this.directory, path)} was ${what} while the server ran; nothing more is written until the next start.`;
    this.lost(this.found);
  }

  /** What is wrong, as one sentence; null while every file is in its place. Says what the last check found. */
  get problem(): string | null {
    return this.found;
  }

  /** Compares all files with what was there first. @returns `problem` */
  check(): string | null {
    for (const directory of this.keyDirectories) this.watchKeysIn(directory);
    if (this.checkOnly(this.files.keys()) === null) for (const check of this.contentChecks) check();
    return this.found;
  }

  /** Compares some of the files, for whoever cannot wait for all. @returns `problem` */
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

  /** The scheduled task that checks them. */
  get task() {
    return {
      name: 'check the data directory',
      everyMs: CHECK_MS,
      run: async (): Promise<void> => void this.check(),
    };
  }

  private watchKeysIn(directory: string): void {
    // A directory that cannot be read is one of the files that `check` compares.
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
