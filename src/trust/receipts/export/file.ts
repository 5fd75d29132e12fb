import { join } from 'node:path';
import { requireService } from '../../../platform/control/perform.ts';
import type { ServiceDatabase } from '../../../platform/service-definition.ts';
import { readMigrated } from '../../../platform/store/migrations/migrate.ts';
import type { Snapshot } from '../../../platform/store/transaction.ts';
import { type Write, writeNewFile, writeOut } from '../../../platform/terminal/output.ts';
import { Progress } from '../../../platform/terminal/progress.ts';
import { timeBound } from '../time-bound.ts';
import { exportPages } from './pages.ts';

/** Which receipts: bounds on issued_at, RFC 3339, `from` inclusive, `to` exclusive; and the operator. */
interface Selection {
  from?: string | undefined;
  to?: string | undefined;
  operator?: string | undefined;
}

/**
 * Writes the receipts of a data directory, one per line, to a new file or to stdout. A server may be running.
 * @throws Failure if there is no trust service in the directory, or the file exists
 */
export async function exportTo(
  data: string,
  { name, schema }: ServiceDatabase,
  { from, to, operator }: Selection,
  out: string | undefined,
): Promise<void> {
  requireService(data, name);
  const progress = new Progress(process.stderr, 'receipts');
  const range = { from: timeBound(from), to: timeBound(to), operator };
  const all = async (snapshot: Snapshot, write: Write): Promise<number> => {
    let receipts = 0;
    for await (const page of exportPages(snapshot, range)) {
      progress.clear();
      if (page.receipts > 0) await write(page.text);
      receipts += page.receipts;
      progress.at(receipts, page.share);
    }
    return receipts;
  };
  try {
    const receipts = await readMigrated(join(data, name), schema, (snapshot) =>
      out === undefined ? all(snapshot, writeOut) : writeNewFile(out, (write) => all(snapshot, write)),
    );
    progress.end(`${receipts} receipts exported`);
  } finally {
    progress.clear();
  }
}
