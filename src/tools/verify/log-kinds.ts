import { isKeyDocument } from '../../proof/log-documents/key-document.ts';
import type { DocumentKind } from './judgement.ts';

const beginsWith = (bytes: Uint8Array, text: string): boolean =>
  Buffer.from(bytes.subarray(0, text.length)).toString('latin1') === text;

/** The kinds of documents that the logs give. They have no `type`: their form says what they are. */
export const LOG_KINDS: readonly DocumentKind[] = [
  {
    name: 'list of keys',
    citesLogs: true,
    needs: 'log',
    recognises: ({ object }) => object !== null && isKeyDocument(object),
    load: async () => (await import('./key-document.ts')).judgeKeyDocumentKind,
  },
  {
    name: 'proof of a log',
    citesLogs: true,
    recognises: ({ bytes }) => beginsWith(bytes, 'c2sp.org/tlog-proof'),
    load: async () => (await import('./log-proof.ts')).judgeProofKind,
  },
  {
    name: 'checkpoint',
    citesLogs: true,
    recognises: ({ bytes }) => !beginsWith(bytes, '{') && Buffer.from(bytes).includes('\n\n\u2014 '),
    load: async () => (await import('./log-proof.ts')).judgeCheckpointKind,
  },
];
