import { constants, cpSync, existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { TEST_MARK } from '../demo/directory.ts';
import { writeSecretFile } from '../files/write.ts';
import type { ServiceDatabase } from '../service-definition.ts';
import { openMigratedWriter } from '../store/migrations/migrate.ts';

/** The directory of the template inside the data directory. */
const TEMPLATE = 'template';

/** What a reset keeps: the lock of the process, the mark of a test service, and the template. */
const KEPT = /^(?:lock(?:-|$)|test-service$|template$)/;

/** The files with which every installation begins: an empty database, and others of the service. */
export class Template {
  private readonly path: string;

  /** @param directory the data directory */
  constructor(private readonly directory: string) {
    this.path = join(directory, TEMPLATE);
  }

  /** Makes the template of an empty data directory, and marks the directory. */
  create(service: string): void {
    writeSecretFile(join(this.directory, TEST_MARK), `${service}\n`);
    mkdirSync(this.path, { mode: 0o700 });
  }

  /** Replaces what an installation left by the files of the template. */
  restore({ name, schema }: ServiceDatabase, log: Logger): void {
    for (const file of readdirSync(this.directory).filter((file) => !KEPT.test(file)))
      rmSync(join(this.directory, file), { recursive: true, force: true });
    const database = join(this.path, name);
    // Not at the start, which need not wait for it.
    if (!existsSync(database)) openMigratedWriter(database, 'memory', schema, log).sqlite.close();
    for (const file of readdirSync(this.path)) copy(join(this.path, file), join(this.directory, file));
  }

  /** Adds files that the first installation made when it was opened, before anything changes them. */
  add(names: readonly string[]): void {
    for (const name of names) {
      const target = join(this.path, name);
      if (!existsSync(target)) copy(join(this.directory, name), target);
    }
  }
}

function copy(from: string, to: string): void {
  cpSync(from, to, { recursive: true, mode: constants.COPYFILE_FICLONE });
}
