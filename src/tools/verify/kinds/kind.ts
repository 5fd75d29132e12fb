import type { JsonObject } from '../../../proof/encoding/json.ts';
import type { OptionsRow } from '../options/by-document.ts';
import type { Judge } from '../values/judgement.ts';

/** The forms of a document by which its kind is recognised. */
export interface DocumentForm {
  bytes: Uint8Array;
  /** The document as a JSON object; null if it is none. */
  object: JsonObject | null;
}

/** A kind of document. */
export interface DocumentKind {
  /** The kind in messages, such as "compliance package". */
  name: string;
  /** The options that documents of this kind have. */
  options: OptionsRow;
  /** Returns whether a document is of this kind, by its `type` or its form. It need not be well-formed. */
  recognises(document: DocumentForm): boolean;
  /** Loads what judges documents of this kind. */
  load(): Promise<Judge>;
}
