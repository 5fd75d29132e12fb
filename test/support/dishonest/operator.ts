import { nativePrimitives, signEd25519 } from '../../../src/platform/crypto/crypto.ts';
import { generateKeyPair, type KeyPair } from '../../../src/platform/crypto/key-files.ts';
import { bytesToHex } from '../../../src/proof/encoding/hex.ts';
import type { JsonObject } from '../../../src/proof/encoding/json.ts';
import { signedObjectMessage } from '../../../src/proof/keys/signed-object.ts';
import { accountOf, linkedAgentOf } from '../../../src/proof/log/linked-account.ts';
import { type AccountEvent, accountEntryText, NO_RECEIPT } from '../../../src/proof/log/log-entry.ts';
import type { LogName } from '../../../src/proof/log/log-names.ts';
import {
  contentHash,
  type Receipt,
  type ReceiptPayload,
  signingMessage,
} from '../../../src/proof/receipt/receipt.ts';
import { FakeLog } from '../fake-log.ts';

export const NOON = Date.parse('2026-05-01T12:00:00.000Z');
/** Returns the time some minutes after noon. */
export const after = (minutes: number): string => new Date(NOON + minutes * 60_000).toISOString();

const OPERATOR = 'op_cus_A1b2C3d4E5f6G7h8I9j0K1l2';
export const OTHER_OPERATOR = 'op_cus_B1b2C3d4E5f6G7h8I9j0K1l2';

/** A receipt that names its key. */
export type NamedReceipt = Receipt & { kid: string };

const FINAL: ReceiptPayload = {
  receipt_id: `rcpt_${'1'.repeat(32)}`,
  issued_at: after(0),
  operator_id: OPERATOR,
  agent_id: 'agent-1',
  receipt_type: 'custody',
  status: 'success',
  output_hash: 'cd'.repeat(32),
  error_tranche: 'NONE',
  input_digest: 'ab'.repeat(32),
  authority_scope: 'trades:write',
  expiry: '2090-01-01T00:00:00.000Z',
  revocation_status: 'active',
  domain: 'FINANCIAL_CLEARING',
};

/**
 * A dishonest operator: it has every key of a service, and writes what it likes into its logs, its lists and
 * its answers. Its logs begin empty, at noon.
 */
export class DishonestOperator {
  readonly credentials = generateKeyPair('Ed25519');
  #receipts = 0;
  readonly #sequences = new Map<string, number>();

  constructor(public log = newLog()) {
    log.addKey(this.credentials, 'credentials', [log.logKey, this.credentials]);
  }

  /** Signs everything of the logs at some minutes after noon from now on, and dates keys so. */
  wait(minutes: number): void {
    this.log.now = (NOON + minutes * 60_000) / 1000;
    this.log.at = after(minutes);
  }

  /** Signs a receipt: with another id each time, unless it is given. */
  receipt(changes: Partial<ReceiptPayload> = {}, key: KeyPair = this.log.receiptKey): NamedReceipt {
    const receipt_id = `rcpt_${(++this.#receipts).toString(16).padStart(32, '0')}`;
    return signed({ ...FINAL, receipt_id, ...changes }, key);
  }

  /** Signs another version of a receipt. */
  version(receipt: Receipt, changes: Partial<ReceiptPayload>, key: KeyPair = this.log.receiptKey) {
    const { content_hash: _, signature: __, kid: ___, ...payload } = receipt;
    return signed({ ...payload, ...changes }, key);
  }

  /** Signs that an agent refused instead. */
  refusalOf(receipt: Receipt): NamedReceipt {
    const { output_hash: _, ...rest } = receipt;
    return this.version(rest, { status: 'refusal', refusal_reason: 'no' });
  }

  /** Logs a receipt. @returns the index of its entry */
  finalize(receipt: NamedReceipt, minutes = 0, log = this.log): number {
    const { receipt_id, content_hash, signature, kid } = receipt;
    return append(log, 'receipts', {
      ...{ receipt_id, content_hash, signature, kid, v: 1 },
      finalized_at: after(minutes),
    });
  }

  /** Logs so many other receipts. */
  finalizeOthers(count: number, log = this.log): void {
    for (let made = 0; made < count; made++) this.finalize(this.receipt(), 0, log);
  }

  /** Logs the revocation of a receipt. @returns the revoked version */
  revoke(receipt: Receipt, minutes = 0, log = this.log): NamedReceipt {
    const revoked = this.version(receipt, { revocation_status: 'revoked' });
    const { receipt_id, content_hash, signature, kid } = revoked;
    append(log, 'revocations', {
      ...{ receipt_id, content_hash, signature, kid, v: 1 },
      revoked_at: after(minutes),
    });
    return revoked;
  }

  /** Adds a leaf that an account was linked or unlinked. */
  link(event: 'linked' | 'unlinked' = 'linked', minutes = 0, operatorId = OPERATOR): void {
    const account = accountOf(nativePrimitives, operatorId);
    const said = { account, sequence: this.#next(account), event, at: after(minutes), ...NO_RECEIPT };
    this.log.entries.accounts.push(Buffer.from(accountEntryText(said)));
  }

  /** Adds the leaf of an act on a receipt. @returns its index */
  leaf(
    event: Exclude<AccountEvent, 'linked' | 'unlinked'>,
    { receipt_id, content_hash, operator_id, agent_id }: Receipt,
    minutes = 0,
  ): number {
    const account = accountOf(nativePrimitives, operator_id);
    const agent = linkedAgentOf(nativePrimitives, operator_id, agent_id);
    const text = accountEntryText({
      ...{ account, sequence: this.#next(account), event, at: after(minutes) },
      ...{ receipt_id, content_hash, agent, agent_sequence: this.#next(agent) },
    });
    return this.log.entries.accounts.push(Buffer.from(text)) - 1;
  }

  /** Signs the status of a receipt, with any members. */
  status(receipt: Receipt, changes: JsonObject = {}, key = this.credentials): JsonObject {
    const { receipt_id, content_hash, status, revocation_status } = receipt;
    return this.said(
      {
        ...{ type: 'receipt-status', receipt_id, content_hash, status, revocation_status },
        ...{ checked_at: after(9), valid_until: after(14), ...changes },
      },
      key,
    );
  }

  /** Signs a statement. */
  said(said: JsonObject, key = this.credentials): JsonObject {
    const signature = signEd25519(key.privateKey, signedObjectMessage(nativePrimitives, said));
    return { ...said, signature: bytesToHex(signature), kid: key.kid };
  }

  /**
   * Says that the key of receipts ended.
   * @param size of the log of receipts, which may be a lie
   */
  endReceiptKey(event: 'retired' | 'compromised', size: number, minutes: number): void {
    const { log } = this;
    const [all, now, at] = [log.entries.receipts, log.now, log.at];
    const next = generateKeyPair('Ed25519');
    log.at = after(minutes);
    log.entries.receipts = Array.from({ length: size }, () => new Uint8Array());
    log.addKey(next, 'receipts', [log.logKey, next]);
    log.addKey(log.receiptKey, 'receipts', [log.logKey], event);
    log.addKey(next, 'receipts', [log.logKey, next], 'activated');
    Object.assign(log, { now, at });
    log.entries.receipts = all;
  }

  #next(name: string): number {
    const next = (this.#sequences.get(name) ?? 0) + 1;
    this.#sequences.set(name, next);
    return next;
  }
}

/** Returns empty logs whose checkpoints have a time. */
function newLog(): FakeLog {
  const log = new FakeLog();
  log.at = after(0);
  log.addTimedKeys();
  log.now = NOON / 1000;
  return log;
}

function signed(payload: ReceiptPayload, key: KeyPair): NamedReceipt {
  const content_hash = contentHash(nativePrimitives, payload);
  const signature = bytesToHex(signEd25519(key.privateKey, signingMessage(content_hash)));
  return { ...payload, content_hash, signature, kid: key.kid };
}

/** Appends an entry, with its members in their order and any values. @returns its index */
export function append(log: FakeLog, name: LogName, members: JsonObject): number {
  const sorted = Object.entries(members).sort(([one], [other]) => (one < other ? -1 : 1));
  return log.entries[name].push(Buffer.from(JSON.stringify(Object.fromEntries(sorted)))) - 1;
}
