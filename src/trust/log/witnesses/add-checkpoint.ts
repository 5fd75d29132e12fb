import { nativePrimitives } from '../../../platform/crypto/crypto.ts';
import { type PostResult, post } from '../../../platform/delivery/post.ts';
import { resolveHost } from '../../../platform/delivery/target.ts';
import { NameError, type Resolve } from '../../../platform/network/name-resolver.ts';
import { parseDecimal } from '../../../proof/encoding/decimal.ts';
import { AHEAD_MS } from '../../../proof/encoding/timestamp.ts';
import { NoteError, parseNote, parseSignatureLines, signatureLine } from '../../../proof/log/note.ts';
import { checkNote } from '../../../proof/log/note-signature.ts';
import type { Cosignature } from '../checkpoints/cosignatures.ts';
import type { PolicyWitness } from './policy.ts';

/** The reasons why a witness did not cosign: the label of a metric. */
export const FAILURE_REASONS = [
  /** Timeout, or no connection. */
  'unreachable',
  /** An error status, defined by the protocol or not. */
  'refused',
  /** An invalid response: too large, or malformed. */
  'answer',
  /** A missing or wrong signature. */
  'signature',
  /** It repeatedly reports another size than the request's old size. */
  'conflict',
  /** It has cosigned more leaves than the log has published: the log was restored to an older state. */
  'ahead',
  /** It reports that it has cosigned another tree of this log. */
  'fork',
] as const;

export type FailureReason = (typeof FAILURE_REASONS)[number];

/** The failure of a witness to cosign. */
export class WitnessFailure extends Error {
  override readonly name = 'WitnessFailure';
  constructor(
    readonly reason: FailureReason,
    message: string,
  ) {
    super(message);
  }

  /** True if the witness contradicts the log, so that a retry does not help. */
  get disputes(): boolean {
    return this.reason === 'ahead' || this.reason === 'fork';
  }
}

/**
 * The response of a witness: its signature lines, or a conflict (status 409) with the size that it has
 * cosigned, if it contains one.
 */
export type AddCheckpointResponse = { lines: string } | { size: number | null };

const MAX_RESPONSE_BYTES = 65_536;

/**
 * Sends an add-checkpoint request (C2SP tlog-witness) to an address that `resolve` returned. Follows no
 * redirects, ignores proxies of the environment and reads at most 64 KiB.
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
    throw new WitnessFailure('answer', `the response is larger than ${MAX_RESPONSE_BYTES} bytes`);
  if (end === 'broken')
    throw new WitnessFailure('unreachable', 'the connection broke before the end of the response');
  const text = decoded(bytes);
  if (status === 200) return { lines: text };
  if (status === 409) return { size: sizeIn(contentType, text) };
  const reason = status === 422 ? 'fork' : 'refused';
  throw new WitnessFailure(reason, `status ${status}: ${text.slice(0, 200).trim()}`);
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
    if (signal.aborted) throw new WitnessFailure('unreachable', 'no response in time');
    const reason = error instanceof Error ? error.message : String(error);
    throw new WitnessFailure(
      'unreachable',
      error instanceof NameError ? `${url.hostname}: ${reason}` : reason,
    );
  }
}

/** A cosignature that a witness has just made. */
export interface FreshCosignature extends Cosignature {
  /** When the witness dated it, in milliseconds since 1970. */
  at: number;
}

/**
 * Returns the verified cosignatures in the response of a witness server. Lines of keys that the policy does
 * not name are ignored.
 * @param now milliseconds since 1970
 * @throws WitnessFailure if no line is by a key of the policy, or one does not verify or is dated in the
 * future. Verifiers would not count it, so it must not make the checkpoint count as cosigned
 */
export function verifiedLines(
  lines: string,
  note: string,
  witnesses: readonly PolicyWitness[],
  now: number,
): FreshCosignature[] {
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
  const future = checks.find(({ timestamp }) => (timestamp ?? 0) * 1000 > now + AHEAD_MS);
  if (future !== undefined) {
    throw new WitnessFailure(
      'signature',
      `its cosignature by ${future.key.name} is dated more than ${AHEAD_MS / 1000} s in the future: check the clocks`,
    );
  }
  if (checks.length === 0)
    throw new WitnessFailure('signature', 'no signature line is by a key of the policy');
  return signatures.map((line) => {
    const check = checks.find(({ key }) => key.name === line.name && key.keyId === line.keyId);
    const at = (check?.timestamp ?? 0) * 1000;
    return { witness: line.name, keyId: line.keyId, line: signatureLine(line), at };
  });
}

function signaturesIn(lines: string) {
  try {
    return parseSignatureLines(lines);
  } catch (error) {
    if (!(error instanceof NoteError)) throw error;
    throw new WitnessFailure('answer', `the response does not consist of signature lines: ${error.message}`);
  }
}

/**
 * Returns the cosigned size in a response with status 409; null if its type is another one.
 * @throws WitnessFailure if it is malformed
 */
function sizeIn(contentType: string, text: string): number | null {
  const [type = ''] = contentType.split(';');
  if (type.trim().toLowerCase() !== 'text/x.tlog.size') return null;
  const size = text.endsWith('\n') ? parseDecimal(text.slice(0, -1)) : null;
  if (size !== null) return size;
  throw new WitnessFailure('answer', 'the response with status 409 does not contain a valid size');
}

function decoded(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new WitnessFailure('answer', 'the response is not UTF-8');
  }
}
