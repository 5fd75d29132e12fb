import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { readPrivateText } from '../../platform/client/secret-file.ts';
import { readFile } from '../../platform/files/read.ts';
import { stateDirectory } from '../../platform/files/state-directory.ts';
import { writeSecretFile } from '../../platform/files/write.ts';
import { isJsonObject, jsonOrNull } from '../../proof/encoding/json.ts';
import { type ConfigFile, digestOf } from './config-file.ts';

/** A configuration file as it was before it was changed. */
export interface Backup {
  /** The path of the copy. */
  path: string;
  bytes: Uint8Array;
}

/**
 * The copies of configuration files that were changed, in the state directory of this user: they can contain
 * keys, and a folder of a client may be shared. Each has a record of the file as it was left.
 */
export class Backups {
  constructor(private readonly directory: string = join(stateDirectory(), 'client-configurations')) {}

  /**
   * Keeps the bytes to which `uninstall` returns: those of the file, or, if an earlier change left it as it
   * is, those of the backup of that change.
   * @param changed the bytes that the file will have
   * @returns the path of the copy
   * @throws Failure
   */
  keep(file: ConfigFile, changed: Uint8Array): string {
    const original = this.of(file)?.bytes ?? file.bytes;
    mkdirSync(this.directory, { recursive: true, mode: 0o700 });
    const id = Bun.randomUUIDv7();
    const path = join(this.directory, `${id}.original`);
    writeSecretFile(path, original);
    const record = {
      path: file.target,
      original_sha256: digestOf(original),
      installed_sha256: digestOf(changed),
    };
    writeSecretFile(join(this.directory, `${id}.json`), `${JSON.stringify(record, null, 2)}\n`);
    return path;
  }

  /**
   * Returns the newest backup of a file that is exactly as a change left it; null for none.
   * @throws Failure
   */
  of({ target, bytes }: ConfigFile): Backup | null {
    const installed = digestOf(bytes);
    for (const id of this.ids()) {
      const record = jsonOrNull(Buffer.from(readPrivateText(join(this.directory, `${id}.json`), 'record')));
      if (!isJsonObject(record) || record.path !== target || record.installed_sha256 !== installed) continue;
      const path = join(this.directory, `${id}.original`);
      if (statSync(path, { throwIfNoEntry: false }) === undefined) continue;
      const original = readFile(path, { maxBytes: 2 ** 30 });
      if (digestOf(original) === record.original_sha256) return { path, bytes: original };
    }
    return null;
  }

  /** Removes a backup. */
  remove({ path }: Backup): void {
    rmSync(path.replace(/\.original$/, '.json'), { force: true });
    rmSync(path, { force: true });
  }

  /** The ids of all records, the newest first. */
  private ids(): string[] {
    if (statSync(this.directory, { throwIfNoEntry: false }) === undefined) return [];
    return readdirSync(this.directory)
      .filter((name) => name.endsWith('.json'))
      .map((name) => name.slice(0, -'.json'.length))
      .toSorted()
      .toReversed();
  }
}
