import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { nativePrimitives } from '../../src/platform/crypto/crypto.ts';
import { type KeptCheckpoint, KeptCheckpoints } from '../../src/proof/account/kept-checkpoints.ts';
import { type ListedReceipt, listedReceipt } from '../../src/proof/account/listed-receipt.ts';
import { checkpointText } from '../../src/proof/log/checkpoint.ts';
import { accountOf, linkedAgentOf } from '../../src/proof/log/linked-account.ts';
import { type AccountEntry, accountEntryText, NO_RECEIPT } from '../../src/proof/log/log-entry.ts';
import { Frontier, leafHash } from '../../src/proof/log/merkle.ts';
import { formatNote, formatVerifierKey, parseNote, signatureLine } from '../../src/proof/log/note.ts';
import { bundleRanges, encodeEntries } from '../../src/proof/log/tiles.ts';
import type { Receipt, ReceiptPayload } from '../../src/proof/receipt/receipt.ts';
import { newNoteSigner } from '../unit/proof/log/signed-notes.ts';
import { keyRow, signedReceipt, testKey } from './small-log.ts';

export const OPERATOR = 'op_cus_A1b2C3d4E5f6G7h8I9j0K1l2';
export const OTHER = 'op_cus_B1b2C3d4E5f6G7h8I9j0K1l2';
const ORIGIN = 'made.example';
/** The key of the receipts. */
export const RECEIPT_KEY = testKey(1);
const LOG_KEY = testKey(2);
const WITNESSES = ['one', 'two', 'three'].map((name, index) => ({
  name,
  signer: newNoteSigner(`${name}.example/w`, 'cosignature', `a${index}`.repeat(32)),
}));
const STEP_MS = 20;

/** The response of /api/v1/transparency/keys. */
export const KEYS = JSON.stringify({
  keys: [keyRow(RECEIPT_KEY, 'receipts'), keyRow(LOG_KEY, 'accounts-log')],
  log: { origin: `${ORIGIN}/keys` },
});

/** A policy that asks for two of three witnesses. */
export const POLICY = [
  ...WITNESSES.map(({ name, signer }) => `witness ${name} ${formatVerifierKey(signer.key)}`),
  'group enough 2 one two three',
  'quorum enough\n',
].join('\n');

/**
 * A linked account: its receipts in the order of issue, the leaves of a log in which another account has
 * leaves too, and its checkpoints.
 */
export interface MadeAccount {
  receipts: Receipt[];
  entries: AccountEntry[];
  /** Sizes and times of kept checkpoints; the newest last, of all entries. */
  kept: { size: number; time: number }[];
}

/** Writes leaves with the sequences that follow. */
export class LeafWriter {
  readonly entries: AccountEntry[] = [];
  readonly #sequences = new Map<string, number>();
  readonly #agents = new Map<string, number>();

  link(event: 'linked' | 'unlinked', at: number, operatorId = OPERATOR): void {
    const account = accountOf(nativePrimitives, operatorId);
    this.entries.push({ account, sequence: this.#next(account), event, at: iso(at), ...NO_RECEIPT });
  }

  act(event: 'issued' | 'finalized' | 'revoked', receipt: Receipt, at: number): void {
    const { receipt_id, content_hash, operator_id, agent_id } = receipt;
    const account = accountOf(nativePrimitives, operator_id);
    const agent = linkedAgentOf(nativePrimitives, operator_id, agent_id);
    const agent_sequence = (this.#agents.get(agent) ?? 0) + 1;
    this.#agents.set(agent, agent_sequence);
    const sequence = this.#next(account);
    this.entries.push({
      ...{ account, sequence, event, at: iso(at), receipt_id, content_hash, agent, agent_sequence },
    });
  }

  #next(account: string): number {
    const sequence = (this.#sequences.get(account) ?? 0) + 1;
    this.#sequences.set(account, sequence);
    return sequence;
  }
}

const iso = (time: number): string => new Date(time).toISOString();

/** Returns a pending receipt, signed. */
export function pendingReceipt(
  index: number,
  issuedAt: number,
  changes: Partial<ReceiptPayload> = {},
): Receipt {
  return signedReceipt(RECEIPT_KEY, {
    receipt_id: `rcpt_${index.toString(16).padStart(32, '0')}`,
    issued_at: iso(issuedAt),
    operator_id: OPERATOR,
    agent_id: `agent-${index % 97}`,
    receipt_type: 'custody',
    status: 'pending',
    input_digest: 'ab'.repeat(32),
    authority_scope: 'trades:write',
    expiry: '2090-01-01T00:00:00.000Z',
    revocation_status: 'active',
    domain: 'FINANCIAL_CLEARING',
    ...changes,
  });
}

/** Returns a version of a receipt, signed. */
export function version(receipt: Receipt, changes: Partial<ReceiptPayload>): Receipt {
  const { content_hash: _, signature: __, kid: ___, ...payload } = receipt;
  return signedReceipt(RECEIPT_KEY, { ...payload, ...changes });
}

export const FINAL = { status: 'success', output_hash: 'cd'.repeat(32), error_tranche: 'NONE' } as const;
export const REVOKED = { revocation_status: 'revoked' } as const;

/**
 * Makes an account with this many receipts, whose last leaf is a second before `now`: three of four are
 * finalized, some of them revoked.
 * @param keepEvery the number of leaves between two kept checkpoints
 */
export function madeAccount(count: number, now: number, keepEvery = 500): MadeAccount {
  const writer = new LeafWriter();
  const receipts: Receipt[] = [];
  let at = now - 1000 - STEP_MS * Math.ceil(count * 2.2 + 10);
  const start = at;
  const tick = (): number => (at += STEP_MS);
  writer.link('linked', tick());
  writer.link('linked', tick(), OTHER);
  for (let index = 0; index < count + 3; index++) {
    if (index < count) {
      const issuedAt = tick();
      const receipt = pendingReceipt(index, issuedAt);
      receipts.push(receipt);
      writer.act('issued', receipt, issuedAt);
    }
    if (index % 25 === 0)
      writer.act('issued', { ...pendingReceipt(97_000_000 + index, at), operator_id: OTHER }, at);
    const earlier = receipts[index - 3];
    if (earlier === undefined || index % 4 === 0) continue;
    const final = version(earlier, FINAL);
    writer.act('finalized', final, tick());
    const revoked = index % 50 === 1 ? version(final, REVOKED) : null;
    if (revoked !== null) writer.act('revoked', revoked, tick());
    receipts[index - 3] = revoked ?? final;
  }
  const kept = [{ size: 0, time: start }];
  for (let size = keepEvery; size < writer.entries.length; size += keepEvery)
    kept.push({ size, time: Date.parse(writer.entries[size - 1]?.at ?? '') + 500 });
  kept.push({ size: writer.entries.length, time: now });
  return { receipts, entries: writer.entries, kept };
}

/** Returns the checkpoints for the core, which does not compare roots. */
export function checkpointsOf(kept: readonly { size: number; time: number }[]): KeptCheckpoints {
  return new KeptCheckpoints(
    kept.map(({ size, time }): KeptCheckpoint => ({ size, at: time, by: time, root: new Uint8Array(32) })),
  );
}

export const listedOf = (receipts: readonly Receipt[]): ListedReceipt[] =>
  receipts.map((receipt) => listedReceipt(nativePrimitives, receipt));

/** Returns a note with the cosignatures of witnesses. @param time Unix time in milliseconds */
export function cosigned(note: string, time: number, witnesses: readonly string[] = ['one', 'two']): string {
  const { text } = parseNote(Buffer.from(note));
  const lines = WITNESSES.filter(({ name }) => witnesses.includes(name)).map(({ signer }) =>
    signatureLine(signer.sign(text, Math.floor(time / 1000))),
  );
  return `${note}${lines.join('')}`;
}

/** Signs a checkpoint as the log and its witnesses do. */
export function cosignedNote(
  size: number,
  root: Uint8Array,
  time: number,
  witnesses: readonly string[] = ['one', 'two'],
  origin = `${ORIGIN}/accounts`,
): string {
  const text = checkpointText({ origin, size, root });
  const ofLog = newNoteSigner(origin, 'ed25519', '02'.repeat(32));
  return cosigned(formatNote({ text, signatures: [ofLog.sign(text)] }), time, witnesses);
}

/**
 * Writes a copy of the log of accounts, with the kept checkpoints; the newest of them is its checkpoint. A
 * text is an entry as it is.
 */
export function writeAccountLog(
  directory: string,
  {
    entries,
    kept,
    origin,
  }: Pick<MadeAccount, 'kept'> & { entries: readonly (AccountEntry | string)[]; origin?: string },
): void {
  const texts = entries.map((entry) =>
    Buffer.from(typeof entry === 'string' ? entry : accountEntryText(entry)),
  );
  const frontier = new Frontier(nativePrimitives);
  const roots = new Map([[0, frontier.root()]]);
  const wanted = new Set(kept.map(({ size }) => size));
  for (const text of texts) {
    frontier.append(leafHash(nativePrimitives, text));
    if (wanted.has(frontier.size)) roots.set(frontier.size, frontier.root());
  }
  for (const { start, width, path } of bundleRanges(0, texts.length)) {
    const file = join(directory, 'accounts', path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, encodeEntries(texts.slice(start, start + width)));
  }
  mkdirSync(join(directory, 'accounts'), { recursive: true });
  const notes = kept.map(({ size, time }) =>
    cosignedNote(size, roots.get(size) ?? new Uint8Array(32), time, undefined, origin),
  );
  const lines = notes.map((note) => `${JSON.stringify({ note })}\n`);
  writeFileSync(join(directory, 'accounts/checkpoints.ndjson'), lines.join(''));
  writeFileSync(join(directory, 'accounts/checkpoint'), notes.at(-1) ?? '');
}

/** Has the newest checkpoint of a copy cosigned again. */
export function refreshCheckpoint(directory: string, time: number): void {
  const file = join(directory, 'accounts/checkpoint');
  const [, size, root = ''] = readFileSync(file, 'utf8').split('\n');
  writeFileSync(file, cosignedNote(Number(size), Buffer.from(root, 'base64'), time));
}

/** Returns receipts as lines. */
export const linesOf = (receipts: readonly object[]): string =>
  receipts.map((receipt) => `${JSON.stringify(receipt)}\n`).join('');
