import type { Store } from '../../platform/store/store.ts';

/** The most orders of strangers that wait for the processor at once. */
const MAX_OF_STRANGERS = 100;
/** The most orders of one operator that wait, each for those before it. */
const MAX_OF_OPERATOR = 10;

/** The orders of one operator. */
interface Queue {
  waiting: number;
  last: Promise<unknown>;
}

/** The orders of a service that wait for the payment processor, which may be slow. */
export class CheckoutQueue {
  private strangers = 0;
  private readonly queues = new Map<number, Queue>();

  /** Returns the queue of the service with a store. */
  static of(store: Store): CheckoutQueue {
    const known = services.get(store) ?? new CheckoutQueue();
    services.set(store, known);
    return known;
  }

  /** Runs an order of a stranger. @throws the error of `tooMany` when too many wait */
  async ofStranger<T>(act: () => Promise<T>, tooMany: () => Error): Promise<T> {
    if (this.strangers >= MAX_OF_STRANGERS) throw tooMany();
    this.strangers += 1;
    try {
      return await act();
    } finally {
      this.strangers -= 1;
    }
  }

  /**
   * Runs an order of an operator after its earlier orders have ended or failed. With a slow processor, the
   * limit bounds the orders of clients that have given up.
   * @throws the error of `tooMany` when too many wait
   */
  async ofOperator<T>(operatorSeq: number, act: () => Promise<T>, tooMany: () => Error): Promise<T> {
    const queue = this.queues.get(operatorSeq) ?? { waiting: 0, last: Promise.resolve() };
    if (queue.waiting >= MAX_OF_OPERATOR) throw tooMany();
    this.queues.set(operatorSeq, queue);
    const order = queue.last.then(act, act);
    queue.last = order;
    queue.waiting += 1;
    try {
      return await order;
    } finally {
      queue.waiting -= 1;
      if (queue.waiting === 0) this.queues.delete(operatorSeq);
    }
  }
}

const services = new WeakMap<Store, CheckoutQueue>();
