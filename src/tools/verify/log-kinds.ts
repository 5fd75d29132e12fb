import { isKeyDocument } from '../../proof/log-documents/key-document.ts';
import type { DocumentKind } from './judgement.ts';

/** The kinds of documents that the logs give. They have no `type`: their form says what they are. */
export const LOG_KINDS: readonly DocumentKind[] = [
  {
    name: 'list of keys',
    citesLogs: true,
    needs: 'log',
    recognises: ({ object }) => object !== null && isKeyDocument(object),
    load: async () => (await import('./key-document.ts')).judgeKeyDocumentKind,
  },
];
