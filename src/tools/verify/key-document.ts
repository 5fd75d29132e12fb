import { Failure } from '../../platform/failure.ts';
import { isUrl } from '../../platform/network/fetch.ts';
import { entriesFrom, logSource } from '../../platform/tlog/source.ts';
import { CheckpointError, parseCheckpoint } from '../../proof/log/checkpoint.ts';
import { NoteError, parseNote } from '../../proof/log/note.ts';
import { isMet } from '../../proof/log/quorum.ts';
import {
  isKeyDocumentAsAsked,
  judgeKeyDocument,
  KEY_DOCUMENT_VERDICTS,
  type KeyLogCopy,
} from '../../proof/log-documents/key-document-verdict.ts';
import { refuseManyKeys } from '../monitor/keys/key-log-state.ts';
import type { Judge } from './judgement.ts';
import { describeQuorum, notProven } from './sentences.ts';

/** Judges a saved list of keys against a copy of the key log. */
export const judgeKeyDocumentKind: Judge = (primitives, document, { logKeys, policy, now, beside }) => {
  const log = beside?.keyLog ?? { checkpoint: new Uint8Array(), entries: [] };
  const result = judgeKeyDocument(primitives, document, { logKeys, policy, now, log });
  const isValid = isKeyDocumentAsAsked(result);
  const { verdict } = result;
  return {
    isValid,
    result,
    sentence:
      verdict === 'valid' && !isValid
        ? notProven('The keys are as the key log says')
        : `${verdict}: ${KEY_DOCUMENT_VERDICTS[verdict]}`,
    facts: [
      ...(result.log === null ? [] : [`${result.log.origin} has ${result.log.tree_size} entries`]),
      ...(result.cosignatures ?? []).filter(({ check }) => isMet(check)).map(describeQuorum),
    ],
  };
};

/**
 * Reads a copy of a key log from a directory or a service. It is not verified.
 * @param isCosigned reads the newest checkpoint that witnesses cosigned, where the service has a newer one @throws Failure
 */
export async function keyLogFrom(location: string, isCosigned: boolean): Promise<KeyLogCopy> {
  const source = logSource(location);
  const checkpoint = await source.read(
    isCosigned && isUrl(location) ? 'keys/checkpoint?cosigned=yes' : 'keys/checkpoint',
  );
  const size = sizeIn(checkpoint, source.location);
  const entries: Uint8Array[] = [];
  for await (const bundle of entriesFrom(source, 'keys', 0, size)) entries.push(...bundle);
  return { checkpoint, entries };
}

function sizeIn(bytes: Uint8Array, location: string): number {
  try {
    const checkpoint = parseCheckpoint(parseNote(bytes).text);
    refuseManyKeys(checkpoint);
    return checkpoint.size;
  } catch (error) {
    if (!(error instanceof NoteError || error instanceof CheckpointError)) throw error;
    throw new Failure(
      `${location}/keys/checkpoint is not a checkpoint: ${error.message}`,
      'specify the directory or the address of the logs with --log',
    );
  }
}
