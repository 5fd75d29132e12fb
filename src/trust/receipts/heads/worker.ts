/** Entry point of the Worker that builds the trees of journal heads. It loads no server code. */

import { inSnapshot } from '../../../platform/audit/examine.ts';
import { type Connection, openReader } from '../../../platform/store/connection.ts';
import { messageOf } from '../../../proof/log/problem.ts';
import { journalEndsSince, newestMovement } from '../../ledger/journal-ends.ts';
import { HeadTree, type TreeEdge } from './head-tree.ts';
import { headParts, type RoundOf, type TreePart } from './heads.ts';

declare const self: Worker;

/** The order of a round: the heads of the journals with entries after a movement. */
export interface RoundOrder extends RoundOf {
  /** The database. */
  file: string;
  /** The number of the newest movement that the tree has so far. */
  after: number;
  edge: TreeEdge;
}

/** What the Worker says: rows to store, each of which is acknowledged, and last the end of the round. */
export type RoundReport =
  | { part: TreePart }
  | { done: { reach: number; edge: TreeEdge } }
  | { failure: string };

/** Ends of journals are read in the order of agents, whose rows lie together. */
const CACHE_KIB = 16 * 1024;
/** The rows of heads that are stored together: 20 kB each. */
const PART_ROWS = 8;

let connection: Connection | null = null;
let acknowledged = Promise.withResolvers<void>();

self.onmessage = async ({ data }: MessageEvent<RoundOrder | 'stored'>) => {
  if (data === 'stored') {
    acknowledged.resolve();
    return;
  }
  self.postMessage(await reportOf(data));
};

async function reportOf(order: RoundOrder): Promise<RoundReport> {
  try {
    connection ??= openReader(order.file, CACHE_KIB);
    return { done: await inSnapshot(connection, (snapshot) => roundIn(snapshot, order)) };
  } catch (error) {
    return { failure: error instanceof Error ? (error.stack ?? error.message) : messageOf(error) };
  }
}

async function roundIn(
  snapshot: Parameters<typeof newestMovement>[0],
  { after, edge, round, saltKey }: RoundOrder,
): Promise<{ reach: number; edge: TreeEdge }> {
  const reach = await newestMovement(snapshot);
  const tree = new HeadTree(edge);
  let waiting: TreePart = { heads: [], tiles: [] };
  let isFirst = true;
  const send = async (): Promise<void> => {
    const part = waiting;
    waiting = { heads: [], tiles: [] };
    if (part.heads.length === 0 && part.tiles.length === 0) return;
    // One part is stored while the next one is computed.
    if (!isFirst) await acknowledged.promise;
    isFirst = false;
    acknowledged = Promise.withResolvers();
    self.postMessage({ part } satisfies RoundReport);
  };
  for await (const part of headParts(journalEndsSince(snapshot, after), tree, { round, saltKey })) {
    waiting.heads.push(...part.heads);
    waiting.tiles.push(...part.tiles);
    if (waiting.heads.length >= PART_ROWS) await send();
  }
  await send();
  if (!isFirst) await acknowledged.promise;
  return { reach, edge: tree.edge() };
}
