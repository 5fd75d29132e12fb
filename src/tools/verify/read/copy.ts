import { nativePrimitives } from '../../../platform/crypto/crypto.ts';
import { Failure } from '../../../platform/failure.ts';
import { type LogSource, logSource } from '../../../platform/tlog/source.ts';
import { TileTree } from '../../../platform/tlog/tile-tree.ts';
import { isEvidenceBundle, noteInEvidenceBundle } from '../../../proof/bundle/evidence-bundle.ts';
import { isReceiptBundle, readReceiptBundle } from '../../../proof/bundle/receipt-bundle.ts';
import { equalBytes } from '../../../proof/encoding/equal-bytes.ts';
import { isJsonObject, type JsonObject, jsonOrNull } from '../../../proof/encoding/json.ts';
import { isHeadProof, noteInHeadProof } from '../../../proof/ledger/head-verdict.ts';
import { type Checkpoint, CheckpointError, parseCheckpoint } from '../../../proof/log/checkpoint.ts';
import { isOriginOf, LOG_NAMES, type LogName } from '../../../proof/log/log-names.ts';
import { LogProofError, readLogProof } from '../../../proof/log/log-proof.ts';
import { NoteError, parseNote } from '../../../proof/log/note.ts';
import { parseTlogProof, TlogProofError } from '../../../proof/log/tlog-proof.ts';
import type { AdditionalInputs, CopyComparison } from '../../../proof/verifier/values/context.ts';
import { closedLogsOf, successionOf } from '../../monitor/succession.ts';

const utf8 = new TextEncoder();
/** A package cites one checkpoint of each log; a bundle has at most this many proofs. */
const NOTES_MAX = 20;

/**
 * Compares the checkpoints of a document, or of its proof, with a copy of the logs, such as a monitor keeps.
 * Whether they are signed is for the judge. It reads the tiles that a proof of consistency needs.
 *
 * @returns empty for a document without a checkpoint
 * @throws Failure for a copy of another log, and for one that cannot be read or contradicts itself
 */
export async function comparedWithCopy(
  location: string,
  document: Uint8Array,
  additional: AdditionalInputs,
): Promise<CopyComparison[]> {
  const source = logSource(location);
  const compared: CopyComparison[] = [];
  for (const note of notesIn(document, additional).slice(0, NOTES_MAX)) {
    const checkpoint = checkpointIn(note);
    if (checkpoint !== null) compared.push(await compare(source, checkpoint));
  }
  return compared;
}

async function compare(source: LogSource, checkpoint: Checkpoint): Promise<CopyComparison> {
  const { origin, size, root } = checkpoint;
  const name = LOG_NAMES.find((known) => isOriginOf(origin, known));
  if (name === undefined) throw new Failure(`${origin} is not the name of a log`, 'omit --log');
  const where = `${source.location}/${name}`;
  const copied = checkpointIn(await source.read(`${name}/checkpoint`));
  if (copied === null)
    throw new Failure(`${where}/checkpoint is not a checkpoint`, 'specify the directory of a monitor');
  if (copied.origin !== origin) return compareWithNext(source, name, checkpoint, copied);
  const tree = new TileTree(source, name, copied.size);
  const { prefix, whole } = await tree.rootsAt(Math.min(size, copied.size));
  if (!equalBytes(whole, copied.root))
    throw new Failure(
      `the tiles in ${where} do not have the root of its checkpoint`,
      'use another copy: this one is damaged or was changed',
    );
  const said = { log: origin, tree_size: size, copy_size: copied.size };
  if (size > copied.size) return { ...said, check: 'beyond' };
  return { ...said, check: equalBytes(prefix, root) ? 'ok' : 'forked' };
}

/** Compares a checkpoint of a closed log with a copy of the log that continues it. @throws Failure */
async function compareWithNext(
  source: LogSource,
  name: LogName,
  tree: Checkpoint,
  copied: Checkpoint,
): Promise<CopyComparison> {
  const { origin, size } = tree;
  const keys = checkpointIn(await source.read('keys/checkpoint'));
  const closedLogs = keys === null ? [] : await closedLogsOf(source, keys);
  const closed = closedLogs.find((one) => one.origin === origin);
  if (closed === undefined)
    throw new Failure(
      `${source.location} is a copy of ${copied.origin}, but the checkpoint is of ${origin}`,
      'use a copy of this log, or of the log that continues it after log restart',
    );
  const { result } = await successionOf(source, name, tree, closed, copied);
  const said = { log: origin, tree_size: size, copy_size: copied.size };
  return { ...said, check: result, continued_as: copied.origin };
}

/** Returns the notes in a document and in what was read with it. What has another form has none. */
function notesIn(document: Uint8Array, { logProof, proof }: AdditionalInputs): Uint8Array[] {
  if (logProof !== undefined) return 'checkpoint' in logProof ? [utf8.encode(logProof.checkpoint)] : [];
  try {
    if (proof !== undefined) return [utf8.encode(readLogProof(nativePrimitives, proof).checkpoint)];
    return [utf8.encode(parseTlogProof(document).checkpoint)];
  } catch (error) {
    if (!(error instanceof TlogProofError || error instanceof NoteError || error instanceof LogProofError))
      throw error;
  }
  return proof === undefined ? [...citedNotes(document), document] : [];
}

/** Returns the notes that a package or a bundle cites. */
function citedNotes(document: Uint8Array): Uint8Array[] {
  const value = jsonOrNull(document);
  if (!isJsonObject(value)) return [];
  if (isReceiptBundle(value)) return bundleNotes(value);
  if (isEvidenceBundle(value)) {
    const note = noteInEvidenceBundle(nativePrimitives, value);
    return note === null ? [] : [utf8.encode(note)];
  }
  if (isHeadProof(value)) {
    const note = noteInHeadProof(nativePrimitives, value);
    return note === null ? [] : [utf8.encode(note)];
  }
  const rows = Array.isArray(value.checkpoints) ? value.checkpoints : [];
  return rows.flatMap((row) =>
    isJsonObject(row) && typeof row.note === 'string' ? [utf8.encode(row.note)] : [],
  );
}

/** Returns the notes in a bundle, each once: most of its proofs have the same. */
function bundleNotes(document: JsonObject): Uint8Array[] {
  const read = readReceiptBundle(nativePrimitives, document);
  if ('problems' in read) return [];
  const { proof, keyEvents, linked } = read.bundle;
  const proofs = [...(proof === null ? [] : [proof]), ...keyEvents, ...(linked ?? [])];
  return [...new Set(proofs.map(({ checkpoint }) => checkpoint))].map((note) => utf8.encode(note));
}

/** Parses a checkpoint; null for what is none. */
function checkpointIn(note: Uint8Array): Checkpoint | null {
  try {
    return parseCheckpoint(parseNote(note).text);
  } catch (error) {
    if (error instanceof NoteError || error instanceof CheckpointError) return null;
    throw error;
  }
}
