import type { Snapshot } from '../../platform/store/transaction.ts';
import { hexToBytes } from '../../proof/encoding/hex.ts';
import {
  endsOfAgents,
  endsOfPools,
  entriesAfter,
  movedAfter,
  namesOfAgents,
  namesOfOperators,
  openedPools,
} from './journal-ends-store.ts';
import { openingEntries } from './journal-entries.ts';
import { lastBeforeJournals, newestMovementSeq, openingsOf } from './store.ts';

/**
 * The account of a journal as a number, which orders journals. An even one is of an agent: 2 · agent_seq. An
 * odd one is of the pool of an operator: 2 · operator_seq + 1.
 */
export type JournalKey = number;

/** The end of a journal. */
export interface JournalEnd {
  key: JournalKey;
  /** Its name in journals: the commitment of an agent, or an operator_id. */
  account: string;
  /** The number of entries. */
  entries: number;
  /** The hash of the newest one: 32 bytes. */
  head: Uint8Array;
}

/** An entry of a journal. */
interface Entry {
  key: JournalKey;
  hash: Uint8Array;
}

/** The movements that are in memory at once, and the journals. */
const PAGE = 2048;

/** Returns the account of an agent's journal. */
export const journalOfAgent = (agentSeq: number): JournalKey => 2 * agentSeq;
/** Returns the account of the journal of an operator's pool. */
export const journalOfPool = (operatorSeq: number): JournalKey => 2 * operatorSeq + 1;

/** Returns the number of the newest movement; 0 for none. */
export async function newestMovement(snapshot: Snapshot): Promise<number> {
  return (await newestMovementSeq(snapshot)) ?? 0;
}

/** Returns when the first movement above `after` was made, in milliseconds since 1970; null for none. */
export function firstMovedAfter(snapshot: Snapshot, after: number): Promise<number | null> {
  return movedAfter(snapshot, after);
}

/**
 * Yields the entries of journals in the movements above `after` up to `reach`, oldest first. The openings of
 * pools come before the movements: a pool has no entries for those before its opening.
 */
export async function* journalEntries(
  snapshot: Snapshot,
  after: number,
  reach: number,
): AsyncGenerator<Entry[]> {
  const opened = await lastBeforeJournals(snapshot);
  if (opened !== null && opened > after && opened <= reach) yield* openingsOfPools(snapshot);
  for (let from = after; from < reach; ) {
    const rows = await entriesAfter(snapshot, { after: from, reach, limit: PAGE });
    const last = rows.at(-1);
    if (last === undefined) return;
    from = last.movementSeq;
    yield rows.flatMap(({ debtor, debitHash, creditor, creditHash, pool, poolHash }) => [
      ...(debitHash === null ? [] : [{ key: journalOfAgent(debtor), hash: debitHash }]),
      ...(creditHash === null ? [] : [{ key: journalOfAgent(creditor), hash: creditHash }]),
      ...(poolHash === null ? [] : [{ key: journalOfPool(pool), hash: poolHash }]),
    ]);
  }
}

async function* openingsOfPools(snapshot: Snapshot): AsyncGenerator<Entry[]> {
  for (let after = 0; ; ) {
    const pools = await openedPools(snapshot, { after, limit: PAGE });
    for (const { operatorSeq, operatorId } of pools)
      yield (await openingsIn(snapshot, operatorSeq, operatorId)).map(({ entryHash }) => ({
        key: journalOfPool(operatorSeq),
        hash: hexToBytes(entryHash),
      }));
    const last = pools.at(-1);
    if (last === undefined) return;
    after = last.operatorSeq;
  }
}

async function openingsIn(snapshot: Snapshot, operatorSeq: number, operatorId: string) {
  return openingEntries(operatorId, await openingsOf(snapshot, { kind: 'pool', ownerSeq: operatorSeq }));
}

/**
 * Yields the ends of the journals that have entries in the movements above `after`, in the order of their
 * keys.
 */
export async function* journalEndsSince(snapshot: Snapshot, after: number): AsyncGenerator<JournalEnd[]> {
  const changed = new Set<JournalKey>();
  for await (const entries of journalEntries(snapshot, after, Number.MAX_SAFE_INTEGER))
    for (const { key } of entries) changed.add(key);
  const keys = Float64Array.from(changed).sort();
  changed.clear();
  for (let from = 0; from < keys.length; from += PAGE) {
    const { agents, pools } = ownersOf([...keys.subarray(from, from + PAGE)]);
    const ofAgents = (await endsOfAgents(snapshot, agents)).map(({ agentSeq, ...end }) => ({
      key: journalOfAgent(agentSeq),
      ...end,
    }));
    const ofPools = pools.length === 0 ? [] : await poolEnds(snapshot, pools);
    yield [...ofAgents, ...ofPools].sort((one, other) => one.key - other.key);
  }
}

async function poolEnds(snapshot: Snapshot, operatorSeqs: readonly number[]): Promise<JournalEnd[]> {
  const ends: JournalEnd[] = [];
  for (const { operatorSeq, account, entries, head } of await endsOfPools(snapshot, operatorSeqs)) {
    const key = journalOfPool(operatorSeq);
    if (head !== null && entries !== null) {
      ends.push({ key, account, entries, head });
      continue;
    }
    const openings = await openingsIn(snapshot, operatorSeq, account);
    const newest = openings.at(-1);
    if (newest !== undefined)
      ends.push({ key, account, entries: openings.length, head: hexToBytes(newest.entryHash) });
  }
  return ends;
}

/** Returns the names of accounts in journals; none for one that does not exist. */
export async function journalNames(
  snapshot: Snapshot,
  keys: readonly JournalKey[],
): Promise<Map<JournalKey, string>> {
  const { agents, pools } = ownersOf(keys);
  const ofAgents = await namesOfAgents(snapshot, agents);
  const ofPools = pools.length === 0 ? [] : await namesOfOperators(snapshot, pools);
  return new Map([
    ...ofAgents.map(({ agentSeq, account }) => [journalOfAgent(agentSeq), account] as const),
    ...ofPools.map(({ operatorSeq, account }) => [journalOfPool(operatorSeq), account] as const),
  ]);
}

/** Returns the agent_seq and the operator_seq of accounts, each in their order. */
function ownersOf(keys: readonly JournalKey[]): { agents: number[]; pools: number[] } {
  const agents: number[] = [];
  const pools: number[] = [];
  for (const key of keys) {
    if (key % 2 === 0) agents.push(key / 2);
    else pools.push((key - 1) / 2);
  }
  return { agents, pools };
}
