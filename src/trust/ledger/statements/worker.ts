/** Entry point of the Worker that adds up the months of journals. It loads no server code. */

import { inSnapshot } from '../../../platform/audit/examine.ts';
import { type Connection, openReader } from '../../../platform/store/connection.ts';
import { messageOf } from '../../../proof/log/problem.ts';
import { type MonthOrder, type MonthSums, monthIn, SumTooLarge } from '../month-sums.ts';

declare const self: Worker;

/** The first message: the database file to read. */
export interface OpenMessage {
  file: string;
}

/** An order, whether somebody asks who may act for the account, and whose operator pays; null for none. */
export interface WorkerOrder extends MonthOrder {
  isOwn: boolean;
  payer: number | null;
}

/** The response to an order. */
export type MonthReport = { sums: MonthSums } | { tooLarge: true } | { failure: string };

/** The movements of a month are far apart in the file. */
const CACHE_KIB = 8 * 1024;

let connection: Connection | null = null;

self.onmessage = async ({ data }: MessageEvent<OpenMessage | WorkerOrder>) => {
  if ('file' in data) connection = openReader(data.file, CACHE_KIB);
  else self.postMessage(await reportOf(data));
};

async function reportOf(order: WorkerOrder): Promise<MonthReport> {
  try {
    if (connection === null) throw new Error('an order came before the file');
    return { sums: await inSnapshot(connection, (snapshot) => monthIn(snapshot, order)) };
  } catch (error) {
    if (error instanceof SumTooLarge) return { tooLarge: true };
    return { failure: error instanceof Error ? (error.stack ?? error.message) : messageOf(error) };
  }
}
