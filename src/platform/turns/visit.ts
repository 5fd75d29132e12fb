import type { Account } from './account.ts';
import type { Payer } from './payers.ts';

/** What a request asks of the turns; `Turns` says what each does. */
interface Asked {
  readonly loop: number;
  othersWait(account: Account): boolean;
  hold(account: Account, bytes: number): void;
  release(account: Account): void;
  takeBack(account: Account): void;
  close(account: Account): void;
  turnOf(account: Account, payer: Payer, gives: boolean): Promise<boolean> | true;
}

/** A request from its arrival until its response was sent. */
export class Visit {
  private isWorking: boolean;
  private loop: number;
  private isKept = false;
  private hasEnded = false;

  /**
   * @param first its first turn: whether it has one
   * @param bodyBytes the bytes of its body, until they were read
   */
  constructor(
    private readonly turns: Asked,
    private readonly payer: Payer,
    private readonly account: Account,
    readonly first: Promise<boolean> | true,
    private bodyBytes: number,
  ) {
    this.isWorking = first === true;
    this.loop = turns.loop;
  }

  /** Whether other events were handled since its last turn. */
  get isLate(): boolean {
    return this.turns.loop !== this.loop;
  }

  /** Whether requests of other payers wait. */
  get othersWait(): boolean {
    return this.turns.othersWait(this.account);
  }

  /** Says that its first turn has come. */
  begin(): void {
    this.isWorking = true;
    this.loop = this.turns.loop;
  }

  /** Says that its body was read, or is not needed any more. */
  releaseBody(): void {
    this.turns.hold(this.account, -this.bodyBytes);
    this.bodyBytes = 0;
  }

  /** Says that it waits for its client. */
  pause(): void {
    if (!this.isWorking) return;
    this.isWorking = false;
    this.turns.release(this.account);
  }

  /** Goes on after a pause in which nobody else was served. */
  goOn(): void {
    if (this.hasEnded || this.isWorking) return;
    this.isWorking = true;
    this.turns.takeBack(this.account);
  }

  /**
   * Waits for another turn unless nobody waits. One that has ended, such as before its body came, needs none.
   */
  resume(): Promise<void> {
    return this.take(false);
  }

  /** Gives the event loop back, and waits for another turn. Returns null for one that has ended. */
  goOnLater(): Promise<void> | null {
    return this.hasEnded ? null : this.take(true);
  }

  private async take(gives: boolean): Promise<void> {
    this.pause();
    if (this.hasEnded) return;
    const turn = this.turns.turnOf(this.account, this.payer, gives);
    if (turn !== true) await turn;
    // Another part of its work may have begun while this one waited, or the request has ended.
    if (this.isWorking || this.hasEnded) this.turns.release(this.account);
    else this.begin();
  }

  /** Defers the end until the returned function is called. */
  keep(): () => void {
    this.isKept = true;
    return () => {
      if (!this.isKept) return;
      this.isKept = false;
      this.end();
    };
  }

  /** Says that its response is ready. */
  end(): void {
    this.pause();
    this.releaseBody();
    if (this.isKept) return;
    this.hasEnded = true;
    this.turns.close(this.account);
  }
}
