import { constants, cpSync, existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from 'pino';
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

  /** Prepares the data directory for the next installation. The first time, it migrates the database. */
  begin({ name, schema }: ServiceDatabase, log: Logger): void {
    if (existsSync(this.path)) {
      for (const file of readdirSync(this.directory).filter((file) => !KEPT.test(file)))
        rmSync(join(this.directory, file), { recursive: true, force: true });
      for (const file of readdirSync(this.path)) copy(join(this.path, file), join(this.directory, file));
      return;
    }
    const file = join(this.directory, name);
    openMigratedWriter(file, 'memory', schema, log).sqlite.close();
    mkdirSync(this.path, { mode: 0o700 });
    copy(file, join(this.path, name));
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
