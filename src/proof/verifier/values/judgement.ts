import type { SignedTree } from '../../log/log-keys.ts';
import type { Primitives } from '../../primitives.ts';
import type { WordKind } from '../../words/kinds.ts';
import type { Signer } from '../../words/signer.ts';
import type { Summary } from '../../words/summary.ts';
import type { CopyComparison, VerifierContext } from './context.ts';

/** What every verifier says of a document, and src/tools/python/verify.py with it. */
export interface Judged {
  verdict: string;
  /** The result of each check by its name. */
  checks: object;
  /** Whether a receipt or a credential is revoked. */
  revocation?: string;
  /** When a receipt was not revoked, if that is not now. */
  revocation_as_of?: string;
  /** One sentence for each problem. */
  problems: readonly string[];
  /** The trees of the checkpoints that trusted keys signed; absent for a kind that cites no log. */
  trees?: readonly SignedTree[];
  /** With a copy of the logs: how each checkpoint compares with it. */
  copy?: readonly CopyComparison[];
}

/** The result of judging a document, and how the command line shows it. */
export interface Judgement {
  /** The exit code: whether the document is valid, and every requested check is ok. */
  isValid: boolean;
  /** The result that stdout shows as JSON. */
  result: Judged;
  /** The kind by whose words the result is described. */
  kind: WordKind;
  /** The additional checks of the kind that were not made, where the result does not show it. */
  open?: readonly string[];
  /** Sentences about what was requested and is not so. */
  remarks?: readonly string[];
  /** Lines about what an authentic document says. */
  facts: readonly string[];
}

/** A judgement with what it says, and what it does not. */
export type Described = Omit<Judgement, 'open' | 'result'> & {
  result: Judged & Summary & { signer?: Signer; trees: readonly SignedTree[]; test?: true };
};

/** Judges a document of one kind. Never throws for any document. */
export type Judge = (primitives: Primitives, document: Uint8Array, context: VerifierContext) => Judgement;

/** A step of judging many receipts, in the order of the output. */
export type Step =
  | { note: string }
  | {
      /** Each is a line of JSON. */
      problems: readonly object[];
      /** How many receipts were judged so far. */
      receipts: number;
      /** The share of the input that was read so far, 0 to 1; null if its size is unknown. */
      share: number | null;
    }
  | { conclusion: Conclusion };

/** The result of judging many receipts. */
export interface Conclusion {
  /** The exit code. */
  isValid: boolean;
  /** The last line of JSON. */
  summary: object;
  /** The result in words. */
  sentences: readonly string[];
}
