import type { Account, Sharing } from './account.ts';
import type { Payer } from './payers.ts';
import { Rotation } from './rotation.ts';
import { Visit } from './visit.ts';

/** What a payer may have while others wait: waiting requests, and bytes in bodies that were not read yet. */
const MOST_WAITING = 1024;
const MOST_BODY_BYTES = 8 * 2 ** 20;
/**
 * The bytes in all bodies that were not read yet. Beyond them each payer, or network of addresses, may have
 * some nevertheless, so that nobody can fill the room of all others.
 */
const MOST_BYTES = 256 * 2 ** 20;
const RESERVED_BYTES = 2 * 2 ** 20;
/** So many payers are kept, also without requests. */
const FEW_PAYERS = 64;
/** So many requests for the health begin at most, of those that arrived together, before the others. */
const MOST_HEALTH = 8;
/**
 * So long, in milliseconds, and so many requests begin one after the other, before the event loop sees what
 * else has happened. Each is worked on in several events, which cost a fifth more in short rounds: it
 * arrives, begins, and was written. So they are short only while a payer with few requests would wait for
 * those of others, and take one request of each payer, up to as many as long ones. Payers with many wait for
 * their own. Nobody makes them short for nothing: neither a free operator nor a stranger.
 */
const LONG_ROUND = { ms: 1, most: 32 };
const SHORT_ROUND = { ms: 0.5, most: 4 };
/** A payer has few requests if it has no more at a time, and had not lately. */
const FEW_REQUESTS = 8;
/** What remains, with each request of a payer, of the most that it had at a time: 64 are few after 207. */
const PEAK_KEPT = 0.99;
/**
 * So many times more that events were handled, rounds stay short. A client that sends one request after the
 * other has none while it reads a response, and would meet a long round with each.
 */
const SHORT_LOOPS = 256;

/** The settings of the turns. */
export interface TurnSettings {
  /** The most requests that a payer may have under way while another waits; 64 by default. */
  inFlight?: number;
  /** Milliseconds of a clock that never goes back. */
  now?: () => number;
  /** Calls a function once the events that have arrived were handled. */
  later?: (call: () => void) => void;
}

interface Waiting {
  account: Account;
  /** Whether no work was done for the request yet, so that it can still be refused. */
  isFirst: boolean;
  /** Called with true when it is its turn, and with false if it is refused. */
  begin(hasTurn: boolean): void;
}

/**
 * The turns in which requests are worked on. While payers wait for each other, each has one turn in a round,
 * however many requests it has. Work that does not wait, such as parsing, is never interrupted, so a payer
 * waits for one stretch of each other payer at most.
 */
export class Turns {
  private readonly waiting = new Rotation<Waiting>();
  private readonly accounts = new Map<string, Account>();
  /** The number of requests that wait, of payers of these, and of bytes in bodies that were not read yet. */
  private requests = 0;
  private payers = 0;
  private bytes = 0;
  private readonly sharings = new Map<string, Sharing>();
  /** The number of payers with requests. */
  private active = 0;
  /** When the first request began of those that arrived together; null before it. */
  private began: number | null = null;
  /** The number of times that the events that had arrived were all handled. */
  private loops = 0;
  /** That number when an operator with few requests had one last beside others; null for never. */
  private few: number | null = null;
  /** The payers that have asked for the health since the last of these times. */
  private readonly askedHealth = new Set<string>();
  private inRound = false;
  private isStopping = false;
  private readonly now: () => number;
  private readonly later: (call: () => void) => void;
  private readonly mostInFlight: number;

  constructor({ inFlight = 64, now, later }: TurnSettings = {}) {
    this.mostInFlight = inFlight;
    this.now = now ?? (() => performance.now());
    this.later = later ?? ((call) => void setImmediate(call));
  }

  /** The number of requests that wait. */
  get length(): number {
    return this.requests;
  }

  /**
   * Asks for the turn of a request that has arrived.
   * @param bodyBytes the length of its body
   * @returns null if its payer, or all together, have too many that wait; never for the health
   */
  arrived(payer: Payer, bodyBytes: number): Visit | null {
    const account = this.accountOf(payer);
    if (payer.asksHealth !== true && this.isFull(account, bodyBytes)) {
      this.forget(account);
      return null;
    }
    let turn: Promise<boolean> | true = true;
    if (this.isHealthOnce(account, payer) || this.beginsAtOnce(account)) account.inFlight++;
    else turn = this.queue(account, payer, true);
    if (account.open === 0) this.active++;
    account.open++;
    account.peak = Math.max(account.open, account.peak * PEAK_KEPT);
    const { isFree, isStranger = false } = payer;
    if (this.active > 1 && account.peak <= FEW_REQUESTS && !isFree && !isStranger) this.few = this.loops;
    this.hold(account, bodyBytes);
    return new Visit(this, payer, account, turn, bodyBytes);
  }

  /** Counts bytes of a body that was not read yet; negative when it was, or is not needed any more. */
  hold(account: Account, bytes: number): void {
    account.bytes += bytes;
    account.sharing.bytes += bytes;
    this.bytes += bytes;
  }

  /** Refuses the requests that wait and were not begun. The others go on without waiting. */
  stop(): void {
    this.isStopping = true;
    for (let next = this.waiting.take(always); next !== null; next = this.waiting.take(always)) {
      this.leave(next);
      if (!next.isFirst) next.account.inFlight++;
      next.begin(!next.isFirst);
    }
  }

  /**
   * Returns when a request that has begun may go on.
   * @param gives whether others are served first in any case, so that it gives the event loop back
   */
  turnOf(account: Account, payer: Payer, gives: boolean): Promise<boolean> | true {
    if (!this.isStopping && (gives || !this.beginsAtOnce(account))) return this.queue(account, payer, false);
    account.inFlight++;
    return gives ? new Promise((begin) => this.later(() => begin(true))) : true;
  }

  /** Takes a request from those under way, or adds it again. */
  release(account: Account): void {
    account.inFlight--;
    this.planRound();
  }

  takeBack(account: Account): void {
    account.inFlight++;
  }

  /** Ends a request that is not under way. */
  close(account: Account): void {
    account.open--;
    if (account.open === 0) this.active--;
    this.forget(account);
  }

  /** Identifies what has arrived: it does not change before all of that was handled. */
  get loop(): number {
    return this.loops;
  }

  /** Returns whether a request is the first for the health by its payer among those that arrived together. */
  private isHealthOnce({ sharing }: Account, { asksHealth }: Payer): boolean {
    if (asksHealth !== true || this.askedHealth.has(sharing.name)) return false;
    if (this.askedHealth.size >= MOST_HEALTH) return false;
    this.askedHealth.add(sharing.name);
    this.beginLoop();
    return true;
  }

  /**
   * Returns whether a request begins without waiting for a round: while there is time among those that
   * arrived together, and nothing of its payer waits. Otherwise a payer that sends little would wait for a
   * round at each step.
   */
  private beginsAtOnce({ inFlight, sharing }: Account): boolean {
    if (this.requests > 0 && (inFlight >= this.mostInFlight || this.waiting.has(sharing.name))) {
      return false;
    }
    const began = this.beginLoop();
    const { ms } = this.round;
    return began === null || this.now() - began < ms;
  }

  /** How long a round lasts now. */
  private get round(): typeof LONG_ROUND {
    const isShort = this.few !== null && this.loops - this.few < SHORT_LOOPS;
    return isShort ? SHORT_ROUND : LONG_ROUND;
  }

  /** Returns when the first request began of those that arrived together; null if this is the first. */
  private beginLoop(): number | null {
    const { began } = this;
    if (began !== null) return began;
    this.began = this.now();
    // The end of a round does the same.
    if (!this.inRound) this.later(this.endLoop);
    return null;
  }

  private readonly endLoop = (): void => {
    this.began = null;
    this.askedHealth.clear();
    this.loops++;
  };

  private queue(account: Account, payer: Payer, isFirst: boolean): Promise<boolean> {
    return new Promise((begin) => {
      if (account.waiting === 0) this.payers++;
      account.waiting++;
      this.requests++;
      this.waiting.add(namesOf(payer), { account, isFirst, begin });
      this.planRound();
    });
  }

  private leave({ account }: Waiting): void {
    account.waiting--;
    this.requests--;
    if (account.waiting === 0) this.payers--;
  }

  private planRound(): void {
    if (this.inRound || this.requests === 0) return;
    this.inRound = true;
    const { ms, most: least } = this.round;
    const most = Math.min(Math.max(least, this.waiting.names), LONG_ROUND.most);
    let began: number | null = null;
    let isBlocked = true;
    const step = (): void => {
      const now = this.now();
      began ??= now;
      if (!isBlocked && now - began >= ms) return;
      const next = this.waiting.take(this.mayBegin);
      if (next === null) return;
      isBlocked = false;
      this.leave(next);
      next.account.inFlight++;
      next.begin(true);
    };
    // Each step is an event of its own, after which the work is done that does not wait.
    const steps = Math.min(this.requests, most);
    for (let count = 0; count < steps; count++) this.later(step);
    this.later(() => {
      this.inRound = false;
      this.endLoop();
      // If none may begin, `release` plans the next round.
      if (!isBlocked) this.planRound();
    });
  }

  private readonly mayBegin = ({ account }: Waiting): boolean =>
    account.inFlight < this.mostInFlight || !this.othersWait(account);

  /** Returns whether requests of other payers wait. */
  othersWait({ waiting }: Account): boolean {
    return this.payers > (waiting > 0 ? 1 : 0);
  }

  private isFull(account: Account, more: number): boolean {
    const { waiting, bytes, sharing } = account;
    const isOver = waiting >= MOST_WAITING || (more > 0 && bytes + more > MOST_BODY_BYTES);
    if (isOver && this.othersWait(account)) return true;
    if (more === 0 || this.bytes + more <= MOST_BYTES) return false;
    return sharing.bytes + more > RESERVED_BYTES;
  }

  /** Forgets a payer without requests, unless there are few: it will send the next one. */
  private forget({ id, open, sharing }: Account): void {
    if (open > 0 || this.accounts.size <= FEW_PAYERS) return;
    this.accounts.delete(id);
    sharing.payers--;
    if (sharing.payers === 0) this.sharings.delete(sharing.name);
  }

  private accountOf(payer: Payer): Account {
    const known = this.accounts.get(payer.id);
    if (known !== undefined) return known;
    const [outermost] = namesOf(payer);
    const sharing = this.sharings.get(outermost) ?? { name: outermost, payers: 0, bytes: 0 };
    this.sharings.set(outermost, sharing);
    sharing.payers++;
    const fresh = { id: payer.id, sharing, open: 0, waiting: 0, peak: 0, bytes: 0, inFlight: 0 };
    this.accounts.set(payer.id, fresh);
    return fresh;
  }
}

const always = (): boolean => true;

/**
 * The names of a payer's place: all free operators have one together, and so have all addresses of a network.
 */
function namesOf({ id, key, isFree, network }: Payer): [string, ...string[]] {
  const outer = isFree ? 'free' : network;
  return outer === undefined ? [id, key] : [outer, id, key];
}
