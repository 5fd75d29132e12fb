import { COSE_RECEIPT_START } from '../../../proof/log/read-cose-receipt.ts';
import { isKeyDocument } from '../../../proof/log-documents/key-document.ts';
import type { DocumentKind } from './kind.ts';

const beginsWith = (bytes: Uint8Array, text: string): boolean =>
  Buffer.from(bytes.subarray(0, text.length)).toString('latin1') === text;

/** Returns whether bytes begin like a COSE receipt. No text that is signed begins with its first byte. */
export function isCoseReceipt(bytes: Uint8Array): boolean {
  return COSE_RECEIPT_START.every((byte, index) => bytes[index] === byte);
}

/** The kinds of documents that the logs give. They have no `type`: their form says what they are. */
export const LOG_KINDS: readonly DocumentKind[] = [
  {
    name: 'list of keys',
    options: 'keyList',
    recognises: ({ object }) => object !== null && isKeyDocument(object),
    load: async () => (await import('../judge/key-document.ts')).judgeKeyDocumentKind,
  },
  {
    name: 'COSE receipt',
    options: 'cose',
    recognises: ({ bytes }) => isCoseReceipt(bytes),
    load: async () => (await import('../judge/cose.ts')).judgeCoseKind,
  },
  {
    name: 'proof of a log',
    options: 'citesLogs',
    recognises: ({ bytes }) => beginsWith(bytes, 'c2sp.org/tlog-proof'),
    load: async () => (await import('../judge/log-proof.ts')).judgeProofKind,
  },
  {
    name: 'checkpoint',
    options: 'citesLogs',
    recognises: ({ bytes }) => !beginsWith(bytes, '{') && Buffer.from(bytes).includes('\n\n\u2014 '),
    load: async () => (await import('../judge/log-proof.ts')).judgeCheckpointKind,
  },
];
