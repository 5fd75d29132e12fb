import type { EmittedEvent } from '../events.ts';

/** An operator's subscription to events, with the URL and secrets of its receiver. */
export interface Subscription {
  /** `wh_…` */
  webhookId: string;
  readonly operatorSeq: number;
  url: string;
  events: ReadonlySet<string>;
  /** True if it receives the events of all agents, not only the operator's. */
  everyAgent: boolean;
  /** The value of X-Service-Signature: `whk_…` */
  secret: string;
  /** The key of the Standard Webhooks signature: `whsec_…` */
  signingSecret: string;
}

/** All subscriptions, in memory, so that an event that nobody subscribed to costs one map look-up. */
export class Subscriptions<Of extends Subscription> {
  private readonly byId = new Map<string, Of>();
  private readonly byOperator = new Map<number, Set<Of>>();
  private readonly ofEveryAgent = new Set<Of>();
  /** Operators without an admin key: their subscriptions to all agents receive only their own events. */
  private restricted: ReadonlySet<number> = new Set();
  /** The number of subscriptions to each event. */
  private readonly counts = new Map<string, number>();

  get size(): number {
    return this.byId.size;
  }

  all(): Iterable<Of> {
    return this.byId.values();
  }

  add(subscription: Of): void {
    const { webhookId, operatorSeq, everyAgent } = subscription;
    this.byId.set(webhookId, subscription);
    this.count(subscription, 1);
    if (everyAgent) {
      this.ofEveryAgent.add(subscription);
      return;
    }
    const subscriptions = this.byOperator.get(operatorSeq) ?? new Set();
    this.byOperator.set(operatorSeq, subscriptions.add(subscription));
  }

  /** Removes a subscription. @returns it; null if there was none */
  remove(webhookId: string): Of | null {
    const subscription = this.byId.get(webhookId);
    if (subscription === undefined) return null;
    this.byId.delete(webhookId);
    this.count(subscription, -1);
    this.ofEveryAgent.delete(subscription);
    const subscriptions = this.byOperator.get(subscription.operatorSeq);
    subscriptions?.delete(subscription);
    if (subscriptions?.size === 0) this.byOperator.delete(subscription.operatorSeq);
    return subscription;
  }

  private count({ events }: Of, change: number): void {
    for (const event of events) this.counts.set(event, (this.counts.get(event) ?? 0) + change);
  }

  /** Returns the operators that subscribed to the events of all agents. */
  operatorsOfAll(): Set<number> {
    return new Set([...this.ofEveryAgent].map(({ operatorSeq }) => operatorSeq));
  }

  /** Names the operators that may not read what happens to agents of others. */
  restrict(operatorSeqs: ReadonlySet<number>): void {
    this.restricted = operatorSeqs;
  }

  /** Returns whether anybody is subscribed to an event. */
  hears(event: string): boolean {
    return (this.counts.get(event) ?? 0) > 0;
  }

  /** Returns the subscriptions that receive an event, each once. */
  subscribersOf({ event, operators, isPrivate }: EmittedEvent): Of[] {
    if (!this.hears(event)) return [];
    const all: Of[] = [];
    for (const subscription of this.ofEveryAgent) {
      const { operatorSeq } = subscription;
      const mayReadAll = isPrivate !== true && !this.restricted.has(operatorSeq);
      if (mayReadAll || operators.includes(operatorSeq)) all.push(subscription);
    }
    for (const operatorSeq of new Set(operators)) all.push(...(this.byOperator.get(operatorSeq) ?? []));
    return all.filter(({ events }) => events.has(event));
  }
}
