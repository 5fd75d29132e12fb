import type { Store } from '../../platform/store/store.ts';
import { type Clock, timestamp } from '../../platform/time/clock.ts';
import {
  addDeactivations,
  addReactivations,
  type Deactivation,
  type DeactivationList,
  deactivationLists,
  deactivationsInForce,
  deleteList,
  deleteSomeDeactivations,
  insertList,
  isDeactivatedNow,
  knownReactivations,
  onOwnConnection,
  putListInForce,
  type Reactivation,
  setRegistryOfList,
} from './store.ts';

export type { Deactivation, Reactivation } from './store.ts';

/** The number of rows of one transaction. It takes a few milliseconds, so that requests do not wait. */
const ROWS = 2000;

/** The published report of deactivations. */
export interface DeactivationReport {
  /** YYYY-MM-DD. */
  asOf: string;
  deactivations: readonly Deactivation[];
  /** Rows that cannot be read, by line. */
  bad: readonly { line: number; reason: string }[];
}

interface Context {
  store: Store;
  clock: Clock;
}

/** Which NPIs are deactivated. Days are text, YYYY-MM-DD, whose order is that of time. */
export class Deactivated {
  private readonly days: Map<number, string>;

  /** @param reactivations known reactivations: an earlier deactivation of the NPI does not count */
  constructor(deactivations: readonly Deactivation[], reactivations: readonly Reactivation[]) {
    this.days = new Map(deactivations.map(({ npi, deactivatedOn }) => [npi, deactivatedOn]));
    for (const { npi, reactivatedOn } of reactivations) {
      const deactivatedOn = this.days.get(npi);
      if (deactivatedOn !== undefined && reactivatedOn > deactivatedOn) this.days.delete(npi);
    }
  }

  /**
   * Returns whether an NPI is deactivated. @param reactivatedOn the reactivation that its row states; null
   * for none
   */
  has(npi: number, reactivatedOn: string | null): boolean {
    const deactivatedOn = this.days.get(npi);
    return deactivatedOn !== undefined && (reactivatedOn === null || reactivatedOn <= deactivatedOn);
  }

  /** Returns all deactivated NPIs. */
  npis(): Iterable<number> {
    return this.days.keys();
  }
}

/**
 * Reads which NPIs are deactivated, in a Worker. @param database the service's database file
 * @param report the report that will replace the stored one; null for the stored one
 */
export function readDeactivated(database: string, report: DeactivationReport | null): Promise<Deactivated> {
  return onOwnConnection(database, async (snapshot) => {
    const deactivations = report?.deactivations ?? (await deactivationsInForce(snapshot));
    return new Deactivated(deactivations, await knownReactivations(snapshot));
  });
}

/**
 * Stores what an import states about deactivations and reactivations, in many small transactions, one after
 * the other.
 */
export class ListWriter {
  private list: number | null = null;
  private writes: Promise<void> = Promise.resolve();

  constructor(private readonly context: Context) {
    // The error is for `written`.
    this.writes.catch(() => undefined);
  }

  /**
   * Adds to the new list of deactivations, which is not in force yet. Does not wait. @param asOf the date of
   * the report
   */
  addDeactivations(asOf: string, deactivations: readonly Deactivation[]): void {
    const { store, clock } = this.context;
    const at = timestamp(clock);
    this.next(async () => {
      this.list ??= await store.writeAsService((tx) => insertList(tx, { asOf, at }));
      const { list } = this;
      for (const some of chunksOf(deactivations)) {
        await store.writeAsService((tx) => addDeactivations(tx, list, some));
      }
    });
  }

  /** Stores reactivations. Does not wait. */
  addReactivations(reactivations: readonly Reactivation[]): void {
    const { store } = this.context;
    this.next(async () => {
      for (const some of chunksOf(reactivations)) {
        await store.writeAsService((tx) => addReactivations(tx, some));
      }
    });
  }

  /** Waits until everything is stored. @throws the error of the first write that failed */
  written(): Promise<void> {
    return this.writes;
  }

  /** Stores that the new list, if there is one, is in force as soon as a registry file is the current one. */
  async bind(registry: string): Promise<void> {
    const { list } = this;
    if (list !== null) {
      await this.context.store.writeAsService((tx) => setRegistryOfList(tx, { list, registry }));
    }
  }

  /** Puts the new list, if there is one, in force, and deletes the previous one. */
  async enforce(): Promise<void> {
    const { list } = this;
    if (list === null) return;
    await this.context.store.writeAsService((tx) => putListInForce(tx, list));
    await deleteOtherLists(this.context);
  }

  private next(write: () => Promise<void>): void {
    this.writes = this.writes.then(write);
    this.writes.catch(() => undefined);
  }
}

/**
 * Completes what an import left when its process ended: puts the list in force that was applied to the
 * current registry, and deletes the others. @param registry the name of the current registry file; null for
 * none
 */
export async function settleLists({ store }: Pick<Context, 'store'>, registry: string | null): Promise<void> {
  const lists = await store.read(deactivationLists);
  const applied = lists.find((list) => !list.inForce && list.registry !== null && list.registry === registry);
  if (applied !== undefined) await store.writeAsService((tx) => putListInForce(tx, applied.list));
  if (lists.length > 1 || lists.some(({ inForce }) => !inForce)) await deleteOtherLists({ store });
}

/** Deletes all lists that are not in force, in many small transactions. */
export async function deleteOtherLists({ store }: Pick<Context, 'store'>): Promise<void> {
  for (const { list, inForce } of await store.read(deactivationLists)) {
    if (inForce) continue;
    let deleted = ROWS;
    while (deleted === ROWS) {
      deleted = await store.writeAsService((tx) => deleteSomeDeactivations(tx, { list, limit: ROWS }));
    }
    await store.writeAsService((tx) => deleteList(tx, list));
  }
}

/**
 * Returns the date of the report in force, YYYY-MM-DD; null for none. @param database the service's database
 * file
 */
export function storedReportDate(database: string): Promise<string | null> {
  return onOwnConnection(database, async (snapshot) => dateInForce(await deactivationLists(snapshot)));
}

/** Returns whether an NPI is deactivated by the report in force. */
export function isDeactivated({ store }: Pick<Context, 'store'>, npi: number): Promise<boolean> {
  return store.read((snapshot) => isDeactivatedNow(snapshot, npi));
}

/** Returns the date of the report in force, YYYY-MM-DD; null for none. */
export async function reportDate({ store }: Pick<Context, 'store'>): Promise<string | null> {
  return dateInForce(await store.read(deactivationLists));
}

function dateInForce(lists: readonly DeactivationList[]): string | null {
  return lists.find(({ inForce }) => inForce)?.asOf ?? null;
}

function* chunksOf<T>(all: readonly T[]): Generator<readonly T[]> {
  for (let at = 0; at < all.length; at += ROWS) yield all.slice(at, at + ROWS);
}
