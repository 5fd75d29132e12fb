import {
  type AccountEvent,
  accountEntryText,
  NO_RECEIPT,
  receiptEntryText,
  revocationEntryText,
} from '../../src/proof/log/log-entry.ts';
import { type LogName, mapLogs } from '../../src/proof/log/log-names.ts';

type Act = Exclude<AccountEvent, 'linked' | 'unlinked'>;

/** An entry, and when it was appended, in milliseconds since 1970. */
export interface Appended {
  text: string;
  at: number;
}

interface Account {
  /** The number of its leaves, and of those of its only agent. */
  leaves: number;
  agentLeaves: number;
  linked: boolean;
}

/** A receipt, and its newest act. */
export interface MadeReceipt {
  id: string;
  account: number;
  state: 'issued' | 'finalized' | 'revoked';
  /** The date of its newest version, in milliseconds since 1970. No version is dated before it. */
  dated: number;
}

/** The hexadecimal digits of a number, as many as asked for. */
const hex = (number: number, digits: number): string => number.toString(16).padStart(digits, '0');

/** Returns the id of a receipt of a test. */
export const receiptIdOf = (number: number): string => `rcpt_${hex(number, 32)}`;

/** Returns the content_hash of the version that an act signs. */
export const hashOf = (id: string, act: Act): string =>
  `${id.slice('rcpt_'.length)}${act === 'issued' ? '1' : act === 'finalized' ? '2' : '3'}`.padEnd(64, '0');

/** What a service with linked accounts appends to its logs. It is honest, unless a test appends by itself. */
export class LinkedService {
  readonly entries: Record<LogName, Appended[]> = mapLogs(() => []);
  readonly accounts: Account[] = [];
  readonly receipts: MadeReceipt[] = [];
  /** The time, in milliseconds since 1970. */
  now = Date.parse('2026-05-01T12:00:00.000Z');
  /** By how much the dates are behind the time: the clock was set back. */
  behind = 0;

  constructor(accounts: number) {
    for (let made = 0; made < accounts; made++)
      this.accounts.push({ leaves: 0, agentLeaves: 0, linked: false });
  }

  /** The date of an act. @param follows the date of what it follows */
  date(follows = 0): string {
    return new Date(Math.max(this.now - this.behind, follows)).toISOString();
  }

  /** The texts of the entries of a log. */
  texts(name: LogName): Uint8Array[] {
    return this.entries[name].map(({ text }) => Buffer.from(text));
  }

  /** Links an account, or unlinks it. */
  setLinked(account: number, linked: boolean): void {
    const state = this.accountAt(account);
    if (state.linked === linked) return;
    state.linked = linked;
    const event = linked ? 'linked' : 'unlinked';
    const members = {
      account: hex(account + 1, 64),
      sequence: ++state.leaves,
      event,
      at: this.date(),
    } as const;
    this.append('accounts', accountEntryText({ ...members, ...NO_RECEIPT }));
  }

  issue(account: number): MadeReceipt {
    const id = receiptIdOf(this.receipts.length + 1);
    const receipt: MadeReceipt = { id, account, state: 'issued', dated: Date.parse(this.date()) };
    this.receipts.push(receipt);
    this.recordAct(receipt, 'issued');
    return receipt;
  }

  finalize(receipt: MadeReceipt): void {
    receipt.state = 'finalized';
    receipt.dated = Date.parse(this.date(receipt.dated));
    this.finalizedEntry(receipt.id, { at: this.date(receipt.dated) });
    this.recordAct(receipt, 'finalized');
  }

  revoke(receipt: MadeReceipt): void {
    receipt.state = 'revoked';
    receipt.dated = Date.parse(this.date(receipt.dated));
    this.revokedEntry(receipt.id, { at: this.date(receipt.dated) });
    this.recordAct(receipt, 'revoked');
  }

  /** Appends a leaf if the account of a receipt is linked. */
  private recordAct({ id, account, dated }: MadeReceipt, event: Act): void {
    if (this.accountAt(account).linked) this.leaf(event, id, { account, at: this.date(dated) });
  }

  /** Appends a leaf of an act. */
  leaf(event: Act, id: string, { account = 0, hash = hashOf(id, event), at = this.date() } = {}): number {
    const state = this.accountAt(account);
    const text = accountEntryText({
      ...{ account: hex(account + 1, 64), sequence: ++state.leaves, event, at },
      ...{ receipt_id: id, content_hash: hash, agent: hex(account + 257, 64) },
      agent_sequence: ++state.agentLeaves,
    });
    return this.append('accounts', text);
  }

  /** Appends the entry of a finalization. */
  finalizedEntry(id: string, { content_hash = hashOf(id, 'finalized'), at = this.date() } = {}): number {
    const signed = { receipt_id: id, content_hash, signature: 'a'.repeat(128), kid: 'k'.repeat(43) };
    return this.append('receipts', receiptEntryText({ ...signed, finalized_at: at }));
  }

  /** Appends the entry of a revocation. */
  revokedEntry(id: string, { content_hash = hashOf(id, 'revoked'), at = this.date() } = {}): number {
    const signed = { receipt_id: id, content_hash, signature: 'a'.repeat(128), kid: 'k'.repeat(43) };
    return this.append('revocations', revocationEntryText({ ...signed, revoked_at: at }));
  }

  private accountAt(account: number): Account {
    const state = this.accounts[account];
    if (state === undefined) throw new Error(`there is no account ${account}`);
    return state;
  }

  /** @returns the index of the entry */
  private append(name: LogName, text: string): number {
    this.entries[name].push({ text, at: this.now });
    return this.entries[name].length - 1;
  }
}
