import type { Static } from '@sinclair/typebox';
import type { EventTable } from '../../platform/module.ts';
import type { Transaction } from '../../platform/store/transaction.ts';

/** An event with its data and the operators that it concerns. */
export interface EmittedEvent<Name extends string = string, Data extends object = object> {
  event: Name;
  data: Data;
  /** RFC 3339: when it happened. */
  timestamp: string;
  /** operator_seq of the operators that it concerns: the agent's sponsor, the sender of the evidence, … */
  operators: readonly number[];
  /** True if only these operators receive it: no other key can read what it says, not even an admin's. */
  isPrivate?: true;
}

type Listener = (event: EmittedEvent) => void;

/** Returns whether a listener would do anything with an event of a name. */
type Hearing = (event: string) => boolean;

/** Notifies listeners of events after the transaction is committed. */
export class Events {
  private readonly listeners: Listener[] = [];
  private readonly hearings: Hearing[] = [];

  /** Adds a listener, which must not throw. @param hears without it, the listener wants all events */
  listen(listener: Listener, hears: Hearing = () => true): void {
    this.listeners.push(listener);
    this.hearings.push(hears);
  }

  /** Returns whether anybody listens to an event now. For what costs much to tell. */
  isHeard(event: string): boolean {
    return this.hearings.some((hears) => hears(event));
  }

  /** Emits an event of a module's event table after the transaction is committed; never if it rolls back. */
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
