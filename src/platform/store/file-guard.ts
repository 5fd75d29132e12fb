import { dirname } from 'node:path';
import { WatchedFiles } from '../files/watched-files.ts';
import { damageCode, FileLost } from './errors.ts';
import { FileContents } from './file-contents.ts';

const OVERWRITTEN = 'shortened or overwritten';

/** Guards the files of an open database. Once one of them is lost or damaged, every check throws. */
export class FileGuard {
  readonly files: WatchedFiles;
  private readonly contents: FileContents;
  private readonly besideLog: readonly string[];
  private readonly ownFiles: readonly string[];
  private damaged = false;

  /**
   * @param file a database that a connection of this process has opened in WAL mode and read
   * @param failed is called once, with the first problem
   * @param halt is called once, when a file is damaged: nothing must be moved into it any more
   */
  constructor(
    private readonly file: string,
    failed: (error: FileLost) => void,
    private readonly halt: () => void,
  ) {
    this.files = new WatchedFiles(dirname(file), (problem) => failed(new FileLost(problem)));
    this.besideLog = [file, `${file}-shm`];
    this.ownFiles = [...this.besideLog, `${file}-wal`];
    for (const path of this.ownFiles) this.files.watch(path);
    this.contents = new FileContents(file);
    this.files.watchContents(() => {
      const path = this.contents.damaged();
      if (path !== null) this.report(path, OVERWRITTEN);
    });
  }

  /** True once a file was found damaged. */
  get isDamaged(): boolean {
    return this.damaged;
  }

  /** Checks before a group of writes. @throws FileLost */
  beforeWrites(): void {
    mustBeThere(this.files.problem);
    this.mustBeWhole(this.contents.damaged());
  }

  /**
   * Checks after a COMMIT: a file that is in place now was in place when the disk stored the commit.
   * @throws FileLost
   */
  afterCommit(): void {
    mustBeThere(this.files.checkOnly(this.contents.isLogInPlace() ? this.besideLog : this.ownFiles));
    this.mustBeWhole(this.contents.damagedLog());
  }

  /** Notes a failed read or write, which may have found the database damaged. */
  unitFailed(error: unknown): void {
    const code = damageCode(error);
    if (code !== null) this.report(this.file, `found damaged (${code})`);
  }

  close(): void {
    this.contents.close();
  }

  private mustBeWhole(path: string | null): void {
    if (path !== null) this.report(path, OVERWRITTEN);
    mustBeThere(this.files.problem);
  }

  private report(path: string, what: string): void {
    if (!this.damaged) this.halt();
    this.damaged = true;
    this.files.report(path, what);
  }
}

function mustBeThere(problem: string | null): void {
  if (problem !== null) throw new FileLost(problem);
}
