import type { JsonObject, JsonValue } from '../../proof/encoding/json.ts';
import type { TrustedKey } from '../../proof/keys/trusted-keys.ts';
import type { LogKey } from '../../proof/log/log-keys.ts';
import type { KeyLogCopy } from '../../proof/log-documents/key-document-verdict.ts';
import type { Primitives } from '../../proof/primitives.ts';
import type { WitnessPolicy } from '../../proof/receipt/witnessed.ts';

/** What a verification may use besides the document. */
export interface VerifierContext {
  /** The keys that the verifier trusts, of every purpose. */
  keys: readonly TrustedKey[];
  /** The keys of the trusted logs. */
  logKeys: readonly LogKey[];
  policy: WitnessPolicy | undefined;
  /** The time at which documents must be valid, in milliseconds since 1970. */
  at: number;
  /** The time after which no document can be dated: the present, if `at` is in the past. */
  now: number;
  /** What a kind of document is judged with, by its `needs`. */
  beside?: Beside;
}

/** The further inputs of a kind of document. */
export interface Beside {
  /** A copy of the key log, of --log. */
  keyLog?: KeyLogCopy;
  /** A proof of a log, of --proof. */
  proof?: Uint8Array;
  /** A file with an entry of a log, of --entry. */
  entry?: Uint8Array;
  /** The status list of a credential, of --status. */
  statusList?: JsonValue;
}

/** The options that receipts have, and other kinds of documents can have too. */
export type Taken = 'proof' | 'status';

/** What every verifier says of a document, and docs/verify.py with it. */
export interface Judged {
  verdict: string;
  /** The result of each check by its name. */
  checks: object;
  /** Whether a receipt or a credential is revoked. */
  revocation?: string;
  /** One sentence for each problem. */
  problems: readonly string[];
}

/** The result of judging a document, and how the command line shows it. */
export interface Judgement {
  /** The exit code: whether the document is valid, and so is everything that was asked. */
  isValid: boolean;
  /** The result that stdout shows as JSON. */
  result: Judged;
  /** The verdict in a sentence. */
  sentence: string;
  /** Lines about what an authentic document says. */
  facts: readonly string[];
}

/** Judges a document of one kind. Never throws for any document. */
export type Judge = (primitives: Primitives, document: Uint8Array, context: VerifierContext) => Judgement;

/** The forms of a document by which its kind is recognised. */
export interface DocumentForm {
  bytes: Uint8Array;
  /** The document as a JSON object; null if it is none. */
  object: JsonObject | null;
}

/** A kind of document besides receipts. */
export interface DocumentKind {
  /** The kind in messages, such as "compliance package". */
  name: string;
  /** Whether it cites checkpoints of logs, which --log-key and --policy are about. A root without cosignatures needs no policy. */
  citesLogs: boolean | 'without cosignatures';
  /** The option without which nothing can be said of such a document. */
  needs?: 'log' | 'entry';
  /** Which of the options of receipts it has too. */
  takes?: readonly Taken[];
  /** Whether a document is of this kind, by its `type` or its form. Whether it is well-formed does not matter. */
  recognises(document: DocumentForm): boolean;
  /** Loads what judges documents of this kind. */
  load(): Promise<Judge>;
}
