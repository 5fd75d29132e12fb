import { inSnapshot } from '../../../platform/audit/examine.ts';
import { type Connection, openReader } from '../../../platform/store/connection.ts';
import { messageOf } from '../../../proof/log/problem.ts';
import { LogDamage } from '../../log/damage.ts';
import { buildPackage, type EntryReaders } from './build.ts';
import type { BuildOrder, BuildReport, OpenMessage } from './build-order.ts';
import type { PackageBuilder } from './builder.ts';

declare const self: Worker;

/** The leaves of a set can be far apart, and are read again for the sample. */
const CACHE_KIB = 8 * 1024;

/**
 * Makes the calling Worker build packages. The first message names the database file. Each later message is
 * an order, and the Worker posts its report before it gets the next one.
 * @param load returns the builders of all modules
 */
export function runPackageWorker(
  load: () => Promise<readonly PackageBuilder[]>,
  entries: EntryReaders,
): void {
  const loaded = load();
  let connection: Connection | null = null;
  self.onmessage = async ({ data }: MessageEvent<OpenMessage | BuildOrder>) => {
    if ('file' in data) {
      connection = openReader(data.file, CACHE_KIB);
      return;
    }
    self.postMessage(await reportOf(connection, await loaded, data, entries));
  };
}

async function reportOf(
  connection: Connection | null,
  builders: readonly PackageBuilder[],
  order: BuildOrder,
  entries: EntryReaders,
): Promise<BuildReport> {
  try {
    if (connection === null) throw new Error('an order came before the file');
    const builder = builders.find(({ kind }) => kind === order.kind);
    if (builder === undefined) throw new Error(`no module builds packages of the kind ${order.kind}`);
    return {
      built: await inSnapshot(connection, (snapshot) => buildPackage(snapshot, builder, order, entries)),
    };
  } catch (error) {
    if (error instanceof LogDamage) return { damage: { log: error.log, reason: error.reason } };
    return { failure: error instanceof Error ? (error.stack ?? error.message) : messageOf(error) };
  }
}
