import { nativePrimitives } from '../../platform/crypto/crypto.ts';
import { type PostResult, post } from '../../platform/delivery/post.ts';
import { resolveHost } from '../../platform/delivery/target.ts';
import { NameError, type Resolve } from '../../platform/network/name-resolver.ts';
import { parseDecimal } from '../../proof/encoding/decimal.ts';
import { NoteError, parseNote, parseSignatureLines, signatureLine } from '../../proof/log/note.ts';
import { checkNote } from '../../proof/log/note-signature.ts';
import type { Cosignature } from '../log/checkpoints/cosignatures.ts';
import type { PolicyWitness } from './policy.ts';

/** Why a witness has not cosigned; the metrics count by it. */
export type FailureReason =
  /** No answer in time, or no connection. */
  | 'unreachable'
  /** A status that the protocol has for refusals, or none that it knows. */
  | 'refused'
  /** An answer that is none: too large, not of the form that it has to have. */
  | 'answer'
  /** Not signed by its key, or wrongly. */
  | 'signature'
  /** It names other sizes again and again. */
  | 'conflict'
  /** It has cosigned more than the log has: somebody took the log back. */
  | 'ahead'
  /** It has cosigned another tree than this log's, or says so. */
  | 'fork';

/** A witness that did not cosign. */
export class WitnessFailure extends Error {
  override readonly name = 'WitnessFailure';
  constructor(
    readonly reason: FailureReason,
    message: string,
  ) {
    super(message);
  }

  /** Whether the witness contradicts the log, which no waiting mends. */
  get disputes(): boolean {
    return this.reason === 'ahead' || this.reason === 'fork';
  }
}

/** What a witness answers: its lines, or which size it has cosigned. */
export type AddCheckpointResponse = { lines: string } | { size: number };

const MAX_RESPONSE_BYTES = 65_536;

/**
 * Submits a checkpoint (C2SP tlog-witness, add-checkpoint) over a connection to an address that `resolve` gave. Follows no
 * redirect, asks no proxy of the environment and reads at most 64 KiB.
 * @throws WitnessFailure
 */
export async function addCheckpoint(
  prefix: string,
  body: string,
  { resolve, signal }: { resolve: Resolve; signal: AbortSignal },
): Promise<AddCheckpointResponse> {
  const url = new URL(`${prefix}/add-checkpoint`);
  const { status, contentType, bytes, end } = await postCheckpoint(url, body, resolve, signal);
  if (end === 'cut')
    throw new WitnessFailure('answer', `its answer is larger than ${MAX_RESPONSE_BYTES} bytes`);
  if (end === 'broken')
    throw new WitnessFailure('unreachable', 'the connection broke before the answer ended');
  const text = decoded(bytes);
  if (status === 200) return { lines: text };
  if (status === 409) return { size: sizeIn(contentType, text) };
  const reason = status === 422 ? 'fork' : 'refused';
  throw new WitnessFailure(reason, `answers ${status}: ${text.slice(0, 200).trim()}`);
}

async function postCheckpoint(
  url: URL,
  body: string,
  resolve: Resolve,
  signal: AbortSignal,
): Promise<PostResult> {
  const headers = { 'content-type': 'text/plain; charset=utf-8', 'accept-encoding': 'identity' };
  try {
    const addresses = await resolveHost(url, resolve, url.host);
    return await post({ url, addresses }, { headers, body, signal, maxBytes: MAX_RESPONSE_BYTES });
  } catch (error) {
    if (signal.aborted) throw new WitnessFailure('unreachable', 'no answer in time');
    const reason = error instanceof Error ? error.message : String(error);
    throw new WitnessFailure(
      'unreachable',
      error instanceof NameError ? `${url.hostname}: ${reason}` : reason,
    );
  }
}

/**
 * The cosignatures of a note among a witness's lines: those by its own keys, each verified; lines of other keys do not count.
 * @throws WitnessFailure unless one of its keys has signed, and none wrongly
 */
export function verifiedLines(
  lines: string,
  note: string,
  witnesses: readonly PolicyWitness[],
): Cosignature[] {
  const keys = witnesses.map(({ key }) => key);
  const { text } = parseNote(Buffer.from(note));
  const signatures = signaturesIn(lines).filter((line, index, all) => {
    const isSame = (other: typeof line): boolean => other.name === line.name && other.keyId === line.keyId;
    return (
      keys.some((key) => key.name === line.name && key.keyId === line.keyId) &&
      all.findIndex(isSame) === index
    );
  });
  const checks = checkNote(nativePrimitives, { text, signatures }, keys);
  const wrong = checks.find(({ verified, timestamp }) => !verified || timestamp === 0);
  if (wrong !== undefined) {
    throw new WitnessFailure('signature', `its cosignature by ${wrong.key.name} does not verify`);
  }
  if (checks.length === 0)
    throw new WitnessFailure('signature', 'none of its lines is by the key of the policy');
  return signatures.map((line) => ({ witness: line.name, keyId: line.keyId, line: signatureLine(line) }));
}

function signaturesIn(lines: string) {
  try {
    return parseSignatureLines(lines);
  } catch (error) {
    if (!(error instanceof NoteError)) throw error;
    throw new WitnessFailure('answer', `it does not answer signature lines: ${error.message}`);
  }
}

function sizeIn(contentType: string, text: string): number {
  const [type = ''] = contentType.split(';');
  const size = text.endsWith('\n') ? parseDecimal(text.slice(0, -1)) : null;
  if (type.trim().toLowerCase() === 'text/x.tlog.size' && size !== null) return size;
  throw new WitnessFailure('answer', 'it answers 409 and does not say which size it has cosigned');
}

function decoded(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new WitnessFailure('answer', 'its answer is not UTF-8');
  }
}
