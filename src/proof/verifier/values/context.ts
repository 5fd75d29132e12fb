import type { JsonValue } from '../../encoding/json.ts';
import type { TrustedIssuer } from '../../keys/trusted-issuer.ts';
import type { TrustedKey } from '../../keys/trusted-keys.ts';
import type { LogKey } from '../../log/log-keys.ts';
import type { LogProof } from '../../log/log-proof.ts';
import type { KeyLogCopy } from '../../log-documents/key-document-verdict.ts';
import type { ClosedKeyLog } from '../../log-documents/lost-events.ts';
import type { CoseLogProof, UnreadableProof } from '../../receipt/inclusion.ts';
import type { Receipt } from '../../receipt/receipt.ts';
import type { Revocations } from '../../receipt/revocations.ts';
import type { WitnessPolicy } from '../../receipt/witnessed.ts';

/** What the verifier trusts. None of it comes from the document that is verified. */
export interface Trust {
  /** The keys of every purpose. */
  keys: readonly TrustedKey[];
  /** The issuer that counts; null or absent for every issuer of a trusted key. */
  issuer?: TrustedIssuer | null | undefined;
  /** The origin of the log of keys that the list of keys names; null for none. */
  keyLog: string | null;
  /** The keys of the logs. */
  logKeys: readonly LogKey[];
  policy: WitnessPolicy | undefined;
}

/** What a document is judged with. */
export interface VerifierContext extends Trust {
  /** The time at which documents must be valid, in milliseconds since 1970. */
  at: number;
  /** The time after which no document can be dated: the present, if `at` is in the past. */
  now: number;
  additional?: AdditionalInputs;
}

/** How a checkpoint compares with a copy of its log. */
export interface CopyComparison {
  /** The origin of the log. */
  log: string;
  /** The size of the checkpoint. */
  tree_size: number;
  /** The size of the copy. */
  copy_size: number;
  /**
   * `beyond`: the checkpoint is larger than the copy; `lost`: the copy is of the log that continues this one,
   * and does not have all entries of the checkpoint.
   */
  check: 'ok' | 'forked' | 'lost' | 'beyond';
  /** The origin of the copy, if it is of the log that continues this one. */
  continued_as?: string;
}

/** What was read in addition to the document, and what the document must say. None of it is verified yet. */
export interface AdditionalInputs {
  /** Of a list of keys: a copy of the key log. */
  keyLog?: KeyLogCopy;
  /** Of a list of keys: copies of the closed logs that the key log continues. */
  closedKeyLogs?: readonly ClosedKeyLog[];
  /** Of a COSE receipt: the file with the entry of the log. */
  entry?: Uint8Array;
  /** Of an item of evidence: the proof of its log. */
  proof?: Uint8Array;
  /** Of a credential: its status list. */
  statusList?: JsonValue;
  /** Of a receipt: the domain that it must have. */
  domain?: string;
  /** Of a receipt: the proof of its log. */
  logProof?: LogProof | CoseLogProof | UnreadableProof;
  /** Of a receipt: its signed status; null for text that is not JSON. */
  status?: JsonValue;
  /** Of a bundle: whether its key events name the trusted keys, because no list does. */
  trustsKeyLog?: boolean;
  /** Of a bundle: whether its status must be valid now. */
  isFresh?: boolean;
  /** Of a proof of a journal's head, or of the statement of an account: the whole journal, as NDJSON. */
  journal?: Uint8Array;
  /** Of receipts: the log of revocations. */
  revocations?: Revocations;
}

/** The proofs in the public manifest of a receipt of a linked account. */
export interface LinkedProofs {
  receipt: Receipt;
  /** The proofs that the log of accounts has a leaf for each act on the receipt. */
  leaves: readonly LogProof[];
  /** The proof that the log of receipts has the receipt; null for a pending one, which is in no log. */
  inclusion: LogProof | null;
}
