import { decodeBase64 } from '../../proof/encoding/base64.ts';
import { parseDecimal } from '../../proof/encoding/decimal.ts';
import { type Checkpoint, CheckpointError, parseCheckpoint } from '../../proof/log/checkpoint.ts';
import { HASH_BYTES } from '../../proof/log/merkle.ts';
import { NoteError, parseNote } from '../../proof/log/note.ts';

/** A parsed add-checkpoint request (C2SP tlog-witness). */
export interface AddCheckpointRequest {
  /** The size of the tree that, according to the client, the witness cosigned last. */
  oldSize: number;
  /** At most 63 hashes of 32 bytes. */
  proof: Uint8Array[];
  /** The signed checkpoint exactly as received. */
  note: Uint8Array;
  /** True if the note has a signature line. */
  isSigned: boolean;
  checkpoint: Checkpoint;
}

/** Reports a body that is not an add-checkpoint request. */
export class AddCheckpointError extends Error {
  override readonly name = 'SubmissionError';
}

const MAX_PROOF_LINES = 63;
const fromUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Parses the body of add-checkpoint: a line with the old size, up to 63 lines of canonical base64 of 32
 * bytes, an empty line, and a checkpoint. It verifies no signature and no proof. @throws AddCheckpointError
 */
export function parseAddCheckpoint(body: Uint8Array): AddCheckpointRequest {
  const end = endOfHead(body);
  if (end === -1) return fail('the body has no empty line between the proof and the checkpoint');
  const [first = '', ...lines] = decoded(body.subarray(0, end)).split('\n');
  const oldSize = first.startsWith('old ') ? parseDecimal(first.slice(4)) : null;
  if (oldSize === null) return fail('the first line is not "old <size>"');
  if (lines.length > MAX_PROOF_LINES) return fail(`a proof has at most ${MAX_PROOF_LINES} lines`);
  const note = body.subarray(end + 2);
  return { oldSize, proof: lines.map(proofHash), note, ...readNote(note) };
}

/** Returns the offset of the first "\n\n", in bytes; -1 when there is none. */
function endOfHead(body: Uint8Array): number {
  return Buffer.from(body.buffer, body.byteOffset, body.byteLength).indexOf('\n\n');
}

function proofHash(line: string): Uint8Array {
  const hash = decodeBase64(line);
  return hash?.length === HASH_BYTES ? hash : fail('a line of the proof is not base64 of 32 bytes');
}

/**
 * Parses the note. An unsigned checkpoint is no valid note, but it has a separate response (403), so it does
 * not throw here.
 */
function readNote(bytes: Uint8Array): Pick<AddCheckpointRequest, 'isSigned' | 'checkpoint'> {
  try {
    const text = decoded(bytes);
    if (text.endsWith('\n\n')) return { isSigned: false, checkpoint: parseCheckpoint(text.slice(0, -1)) };
    return { isSigned: true, checkpoint: parseCheckpoint(parseNote(bytes).text) };
  } catch (error) {
    if (error instanceof NoteError || error instanceof CheckpointError) return fail(error.message);
    throw error;
  }
}

function decoded(bytes: Uint8Array): string {
  try {
    return fromUtf8.decode(bytes);
  } catch {
    return fail('the body is not UTF-8');
  }
}

function fail(message: string): never {
  throw new AddCheckpointError(message);
}
