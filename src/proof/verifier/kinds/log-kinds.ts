import { isCoseReceipt } from '../../log/read-cose-receipt.ts';
import { isKeyDocument } from '../../log-documents/key-document.ts';
import type { DocumentKind } from './kind.ts';

const utf8 = new TextEncoder();

/** Returns whether bytes have those of a text at an offset. */
const hasAt = (bytes: Uint8Array, offset: number, text: Uint8Array): boolean =>
  text.every((byte, index) => bytes[offset + index] === byte);

const beginsWith = (bytes: Uint8Array, text: string): boolean => hasAt(bytes, 0, utf8.encode(text));

/** What precedes each signature of a note: an empty line, and a dash (C2SP signed-note). */
const SIGNATURES_START = utf8.encode('\n\n\u2014 ');

function hasSignatures(bytes: Uint8Array): boolean {
  const [newline = 0] = SIGNATURES_START;
  let at = bytes.indexOf(newline);
  while (at !== -1 && !hasAt(bytes, at, SIGNATURES_START)) at = bytes.indexOf(newline, at + 1);
  return at !== -1;
}

/** The kinds of documents that the logs give. They have no `type`: their form says what they are. */
export const LOG_KINDS: readonly DocumentKind[] = [
  {
    name: 'list of keys',
    inputs: 'keyList',
    recognises: ({ object }) => object !== null && isKeyDocument(object),
    load: async () => (await import('../judge/key-document.ts')).judgeKeyDocumentKind,
  },
  {
    name: 'COSE receipt',
    inputs: 'cose',
    recognises: ({ bytes }) => isCoseReceipt(bytes),
    load: async () => (await import('../judge/cose.ts')).judgeCoseKind,
  },
  {
    name: 'proof of a log',
    inputs: 'citesLogs',
    recognises: ({ bytes }) => beginsWith(bytes, 'c2sp.org/tlog-proof'),
    load: async () => (await import('../judge/log-proof.ts')).judgeProofKind,
  },
  {
    name: 'checkpoint',
    inputs: 'citesLogs',
    recognises: ({ bytes }) => !beginsWith(bytes, '{') && hasSignatures(bytes),
    load: async () => (await import('../judge/log-proof.ts')).judgeCheckpointKind,
  },
];
