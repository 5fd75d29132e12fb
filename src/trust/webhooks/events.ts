import type { Static } from '@sinclair/typebox';
import type { EventsOfAll, EventTable } from '../../platform/module.ts';
import type { Transaction } from '../../platform/store/transaction.ts';
import type { trustModules } from '../modules.ts';

type TrustEvents = EventsOfAll<typeof trustModules>;

/** Something that happened, and whom it concerns. */
export type TrustEvent = {
  [Name in keyof TrustEvents]: EmittedEvent<Name, Static<TrustEvents[Name]>>;
}[keyof TrustEvents];

/** The same, of whatever module. */
export interface EmittedEvent<Name extends string = string, Data extends object = object> {
  event: Name;
  data: Data;
  /** RFC 3339, of the transaction that it happened in. */
  timestamp: string;
  /** operator_seq of those whom it concerns: the agent's sponsor, and who brought the evidence. */
  operators: readonly number[];
}

type Listener = (event: EmittedEvent) => void;

/** Tells those who listen what happened, after it is durable. */
export class Events {
  private readonly listeners: Listener[] = [];

  /** `listener` must not throw. */
  listen(listener: Listener): void {
    this.listeners.push(listener);
  }

  /** Tells of `event`, one of a capability's `table`, once the transaction is committed, and never otherwise. */
  emitIn<Table extends EventTable, Name extends keyof Table & string>(
    tx: Transaction,
    _table: Table,
    event: EmittedEvent<Name, Static<Table[Name]>>,
  ): void {
    tx.afterCommit(() => {
      for (const listener of this.listeners) listener(event);
    });
  }
}
