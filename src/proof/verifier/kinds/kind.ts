import type { JsonObject } from '../../encoding/json.ts';
import type { Judge } from '../values/judgement.ts';

/** The forms of a document by which its kind is recognised. */
export interface DocumentForm {
  bytes: Uint8Array;
  /** The document as a JSON object; null if it is none. */
  object: JsonObject | null;
}

/** What a document is judged with, in addition to trusted keys: kinds that take the same share a name. */
export type KindInputs =
  | 'receipt'
  | 'bundle'
  | 'evidence'
  | 'evidenceBundle'
  | 'headProof'
  | 'package'
  | 'credential'
  | 'citesLogs'
  | 'cose'
  | 'keyList'
  | 'statement'
  | 'accountStatement'
  | 'issued'
  | 'selfContained';

/** A kind of document. */
export interface DocumentKind {
  /** The kind in messages, such as "compliance package". */
  name: string;
  /** What documents of this kind are judged with. */
  inputs: KindInputs;
  /** Returns whether a document is of this kind, by its `type` or its form. It need not be well-formed. */
  recognises(document: DocumentForm): boolean;
  /** Loads what judges documents of this kind. */
  load(): Promise<Judge>;
}
