import type { AccountsCheckpoint } from '../../../proof/account/account-checkpoint.ts';
import type { AccountHistory } from '../../../proof/account/account-history.ts';
import type { AccountProblem } from '../../../proof/account/problems.ts';
import type { ReceiptTable } from '../../../proof/account/receipt-table.ts';
import type { TrustedKey } from '../../../proof/keys/trusted-keys.ts';
import type { VerifierContext } from '../../../proof/verifier/values/context.ts';
import type { Judge } from '../../../proof/verifier/values/judgement.ts';

/** Everything that one call of `verify` judges, including what files, URLs and the clock say. */
export type Inputs = DocumentInputs | ListInputs | AccountInputs | JournalInputs;

/** One document of any kind. */
export interface DocumentInputs {
  subject: 'document';
  /** The kind in messages, such as "receipt". */
  name: string;
  document: Uint8Array;
  context: VerifierContext;
  judge: Judge;
}

/** Many receipts. */
export interface ListInputs {
  subject: 'list';
  list: Lines;
  /** Whether the first line is a bundle, so that each must show what was asked of bundles. */
  isOfBundles: boolean;
  context: VerifierContext;
}

/** The receipts of a linked account, and what the log of accounts says of it. */
export interface AccountInputs {
  subject: 'account';
  list: Lines;
  operator: string;
  account: string;
  keys: readonly TrustedKey[];
  /** Whether the keys are a saved list, and not what a service returns now. */
  isKeptList: boolean;
  /** Whether the log continues closed ones, by the list of keys. */
  hasClosedLogs: boolean;
  /** Whether the account may have been unlinked for a time. */
  allowsUnlinked: boolean;
  /** The newest cosigned checkpoint of the log. */
  newest: AccountsCheckpoint;
  /** How many checkpoints bound the times of the leaves. */
  checkpoints: number;
  /** What the leaves of the account say. */
  history: AccountHistory;
  /** Where the leaves contradict each other. */
  problems: readonly AccountProblem[];
  /** The receipts of the leaves. */
  logged: ReceiptTable;
}

/** A whole journal of credits. */
export interface JournalInputs {
  subject: 'journal';
  list: Lines;
  /** The hash that its newest entry must have; undefined for any. */
  head: string | undefined;
}

/** A list that is read while it is judged, because it can be larger than the memory. */
export interface Lines {
  /** Chunks of whole lines. */
  chunks: AsyncIterable<Uint8Array<ArrayBuffer>>;
  /** Returns the share that was read so far, 0 to 1; null if the size is unknown. */
  share(): number | null;
}
