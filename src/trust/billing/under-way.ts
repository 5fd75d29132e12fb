import type { Store } from '../../platform/store/store.ts';

/** The orders of strangers that wait for the processor at once. */
const MAX_OF_STRANGERS = 100;

/** The orders of a service that wait for the payment processor, which may be slow. */
export class UnderWay {
  private strangers = 0;
  private readonly lastOf = new Map<number, Promise<unknown>>();

  /** Returns those of the service with a store. */
  static of(store: Store): UnderWay {
    const known = services.get(store) ?? new UnderWay();
    services.set(store, known);
    return known;
  }

  /** Runs an order of a stranger. @throws what `tooMany` returns when too many wait */
  async ofStranger<T>(act: () => Promise<T>, tooMany: () => Error): Promise<T> {
    if (this.strangers >= MAX_OF_STRANGERS) throw tooMany();
    this.strangers += 1;
    try {
      return await act();
    } finally {
      this.strangers -= 1;
    }
  }

  /** Runs an order of an operator after those before it ended, however they ended. */
  async ofOperator<T>(operatorSeq: number, act: () => Promise<T>): Promise<T> {
    const before = this.lastOf.get(operatorSeq) ?? Promise.resolve();
    const own = before.then(act, act);
    this.lastOf.set(operatorSeq, own);
    try {
      return await own;
    } finally {
      if (this.lastOf.get(operatorSeq) === own) this.lastOf.delete(operatorSeq);
    }
  }
}

const services = new WeakMap<Store, UnderWay>();
