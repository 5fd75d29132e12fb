import type { EmittedEvent } from '../events.ts';

/** Who is told of what, and where. */
export interface Subscription {
  /** `wh_…` */
  webhookId: string;
  readonly operatorSeq: number;
  url: string;
  events: ReadonlySet<string>;
  /** Also of agents and evidence that the operator has nothing to do with. */
  everyAgent: boolean;
  /** What X-Service-Signature carries: `whk_…` */
  secret: string;
  /** Of the Standard Webhooks signature: `whsec_…` */
  signingSecret: string;
}

/** All subscriptions, in memory: an event that nobody hears costs a look into two maps. */
export class Subscriptions<Of extends Subscription> {
  private readonly byId = new Map<string, Of>();
  private readonly byOperator = new Map<number, Set<Of>>();
  private readonly ofEveryAgent = new Set<Of>();

  get size(): number {
    return this.byId.size;
  }

  all(): Iterable<Of> {
    return this.byId.values();
  }

  add(subscription: Of): void {
    const { webhookId, operatorSeq, everyAgent } = subscription;
    this.byId.set(webhookId, subscription);
    if (everyAgent) {
      this.ofEveryAgent.add(subscription);
      return;
    }
    const own = this.byOperator.get(operatorSeq) ?? new Set();
    this.byOperator.set(operatorSeq, own.add(subscription));
  }

  /** @returns the subscription that is no more. */
  remove(webhookId: string): Of | undefined {
    const subscription = this.byId.get(webhookId);
    if (subscription === undefined) return undefined;
    this.byId.delete(webhookId);
    this.ofEveryAgent.delete(subscription);
    const own = this.byOperator.get(subscription.operatorSeq);
    own?.delete(subscription);
    if (own?.size === 0) this.byOperator.delete(subscription.operatorSeq);
    return subscription;
  }

  /** Those that hear of an event: each once, however many reasons it has. */
  subscribersOf({ event, operators }: EmittedEvent): Of[] {
    const all = [...this.ofEveryAgent];
    for (const operatorSeq of new Set(operators)) all.push(...(this.byOperator.get(operatorSeq) ?? []));
    return all.filter(({ events }) => events.has(event));
  }
}
