import { withTimeout } from '../time/timeout.ts';
import { ResolvConf } from './resolv-conf.ts';

/**
 * Returns the addresses of a name in the order to try them, at least one. @param owner the party that needs
 * the name; look-ups of one owner never take the slots of another
 * @throws NameError
 */
export type Resolve = (name: string, owner: string) => Promise<readonly string[]>;

/** The reason why a name has no address. */
export class NameError extends Error {
  override readonly name = 'NameError';
  constructor(
    readonly reason: 'unknown' | 'late' | 'busy',
    message: string,
  ) {
    super(message);
  }
}

/** Limits of the number and duration of look-ups. */
export interface ResolverLimits {
  /** The maximum number of concurrent look-ups, in total and for one owner. */
  running: number;
  runningOfOne: number;
  /** The maximum number of waiting look-ups, in total and for one owner. Further ones are refused. */
  waiting: number;
  waitingOfOne: number;
  /** The maximum run time of a look-up, and the maximum wait before it runs, in milliseconds. */
  limitMs: number;
}

const LIMITS: ResolverLimits = {
  running: 64,
  runningOfOne: 8,
  waiting: 256,
  waitingOfOne: 16,
  limitMs: 2000,
};

/** An owner's look-ups. */
interface Owner {
  running: number;
  /** Each function starts a waiting look-up. */
  queue: Set<() => void>;
}

/**
 * Resolves names within limits of time and number. Each use of names has its own instance, so that names from
 * clients never delay names from the configuration.
 *
 * A look-up that takes too long is abandoned, and its slot is free again. Until the resolver also gives up,
 * it occupies the memory of a socket but no thread.
 */
export class NameResolver {
  /** The owners with look-ups, least recently served first. */
  private readonly owners = new Map<string, Owner>();
  private running = 0;
  private waiting = 0;

  constructor(
    private readonly ask: (name: string) => Promise<readonly string[]> = systemAddresses,
    private readonly limits: ResolverLimits = LIMITS,
  ) {}

  readonly resolve: Resolve = async (name, owner) => {
    await this.enter(owner);
    const { limitMs } = this.limits;
    const late = () => new NameError('late', `the name did not resolve within ${limitMs / 1000} s`);
    try {
      const addresses = await withTimeout<readonly string[]>(this.ask(name), limitMs, () => {
        throw late();
      });
      if (addresses.length > 0) return addresses;
      throw unknown();
    } catch (error) {
      throw error instanceof NameError ? error : unknown();
    } finally {
      this.leave(owner);
    }
  };

  /** Takes a slot, immediately or after waiting. @throws NameError busy */
  private async enter(name: string): Promise<void> {
    const { running, runningOfOne, waiting, waitingOfOne, limitMs } = this.limits;
    const owner = this.owners.get(name) ?? { running: 0, queue: new Set() };
    if (this.running < running && owner.running < runningOfOne) {
      this.owners.set(name, owner);
      this.begin(owner);
      return;
    }
    if (this.waiting >= waiting || owner.queue.size >= waitingOfOne) throw busy();
    this.owners.set(name, owner);
    const { promise, resolve: begin } = Promise.withResolvers<void>();
    owner.queue.add(begin);
    this.waiting += 1;
    await withTimeout(promise, limitMs, () => {
      // The look-up may have started at this very moment.
      if (!owner.queue.delete(begin)) return;
      this.waiting -= 1;
      this.dropIdle(name, owner);
      throw busy();
    });
  }

  private begin(owner: Owner): void {
    owner.running += 1;
    this.running += 1;
  }

  private leave(name: string): void {
    const owner = this.owners.get(name);
    if (owner === undefined) return;
    owner.running -= 1;
    this.running -= 1;
    this.dropIdle(name, owner);
    this.beginNext();
  }

  /** Gives the free slot to the next owner. */
  private beginNext(): void {
    for (const [name, owner] of this.owners) {
      const [begin] = owner.queue;
      if (begin === undefined || owner.running >= this.limits.runningOfOne) continue;
      owner.queue.delete(begin);
      this.waiting -= 1;
      this.begin(owner);
      this.owners.delete(name);
      this.owners.set(name, owner);
      begin();
      return;
    }
  }

  private dropIdle(name: string, { running, queue }: Owner): void {
    if (running === 0 && queue.size === 0) this.owners.delete(name);
  }
}

function unknown(): NameError {
  return new NameError('unknown', 'the name does not resolve');
}

function busy(): NameError {
  return new NameError('busy', 'too many names are being resolved');
}

/**
 * The time without a response for both families after which each is requested separately, in milliseconds.
 */
const BOTH_MS = 700;

const resolvConf = new ResolvConf();

/**
 * Returns the addresses of a name from /etc/hosts and DNS (c-ares), in the order of RFC 6724. It uses no
 * thread. `lookup` of node:dns, `fetch` and `connect` resolve names on the thread pool that also verifies
 * signatures and writes files, where a few names that never resolve stop everything.
 *
 * Some name servers respond for IPv4 and never for IPv6. Then the result has only the family that responds.
 */
async function systemAddresses(name: string): Promise<readonly string[]> {
  resolvConf.follow();
  const both = ask(name, 'any');
  const early = await withTimeout<readonly string[] | null>(both, BOTH_MS, () => null);
  return early ?? (await Promise.any([both, ask(name, 'IPv4'), ask(name, 'IPv6')]));
}

async function ask(name: string, family: 'any' | 'IPv4' | 'IPv6'): Promise<readonly string[]> {
  const addresses = await Bun.dns.lookup(name, { backend: 'c-ares', family });
  // An empty result of one family must not win over the other family's addresses.
  if (addresses.length === 0) throw unknown();
  return [...new Set(addresses.map(({ address }) => address))];
}
