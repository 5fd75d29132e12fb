import { JsonError, type JsonValue, parseJsonBytes } from '../../proof/encoding/json.ts';
import { TrustedKeysError } from '../../proof/keys/trusted-keys.ts';
import { logKeyIn, logKeyLines } from '../../proof/log/log-key-lines.ts';
import { LogPolicyError, parseLogPolicy } from '../../proof/log/log-policy.ts';
import { LogProofError } from '../../proof/log/log-proof.ts';
import { NoteError } from '../../proof/log/note.ts';
import { browserPrimitives } from '../../proof/noble-ml-dsa.ts';
import {
  type DocumentFiles,
  judgeDocument,
  lacksKeys,
  type Trusting,
} from '../../proof/verifier/document.ts';
import { documentKind, RECEIPT } from '../../proof/verifier/kinds/kinds.ts';
import { NO_KEYS, TrustError, trustOf, verifierKeysIn } from '../../proof/verifier/trust.ts';

/** A document: its bytes, its text, or its JSON. */
export type Document = Uint8Array | string | object;

/** What a document is verified with, and what is trusted. */
export interface VerifyOptions {
  /**
   * The trusted keys: `GET /api/v1/transparency/keys` of the service, which you saved at a time and in a way
   * that you trust. Keys in the document never count.
   */
  keys?: Document;
  /** A witness policy: which logs and witnesses count, and how many witnesses must have cosigned. */
  policy?: string;
  /** Verifier keys of logs, a line for each, in place of those in `keys`. */
  logKeys?: string;
  /** Of a receipt or an item of evidence: the proof of its log. */
  proof?: Document;
  /** Of a receipt: its signed status. Of a credential: its status list. */
  status?: Document;
  /** Of a COSE receipt, or a receipt with one: the public manifest, or another text with the log entry. */
  entry?: Document;
  /** Of a receipt of a linked account: its public manifest. */
  manifest?: Document;
  /** The time of the verification, in milliseconds since 1970. Default: now. */
  now?: number;
  /** Of a bundle: whether its status must be valid now. */
  isFresh?: boolean;
}

/** What was verified, and what was not. */
export interface Verification {
  /** Whether the document is valid, and every check that was asked for is in order. */
  isValid: boolean;
  /** Whether a test service signed it (`countersign serve --test`): then it proves nothing, even if valid. */
  isTest: boolean;
  /** The kind of document, such as `receipt`. */
  kind: string;
  /** `valid`, or the first reason why it is not. */
  verdict: string;
  /** The verdict in words, with what was not checked. */
  sentence: string;
  /** The names of the checks that are in order. */
  checked: readonly string[];
  /** The checks that were not made, with the option of `countersign verify` that would make them. */
  notChecked: readonly { check: string; option: string }[];
  /** The result of each check by its name. */
  checks: Readonly<Record<string, unknown>>;
  /** Whether a receipt or a credential is revoked, if that was looked at. */
  revocation: string | null;
  /** A sentence for each problem. */
  problems: readonly string[];
  /** What the document says, in sentences; only what is authentic. */
  facts: readonly string[];
}

/** Why nothing can be verified: the keys, the policy or another input is not what it must be. */
export class VerifyError extends Error {
  // Bundlers rename classes.
  static override readonly name: string = 'VerifyError';
  override readonly name = 'VerifyError';
}

/**
 * Verifies what a service signed: receipts, bundles, evidence, credentials, packages, proofs and signed
 * responses, as `countersign verify` does. It reads nothing from anywhere.
 * @throws VerifyError for inputs that say nothing about what to trust; never for a document
 */
export async function verify(document: Document, options: VerifyOptions = {}): Promise<Verification> {
  const files: DocumentFiles = {
    document: bytesOf(document),
    proof: optionalBytes(options.proof),
    status: optionalBytes(options.status),
    entry: optionalBytes(options.entry),
    manifest: optionalBytes(options.manifest),
  };
  const { inputs } = documentKind(files.document) ?? RECEIPT;
  const trusting = trustingOf(options);
  if (inputs === 'keyList')
    throw new VerifyError('A list of keys is verified by countersign verify, with a copy of its log.');
  if (lacksKeys(inputs, trusting)) throw new VerifyError('There are no trusted keys: pass `keys`.');
  if (inputs === 'cose' && files.entry === undefined)
    throw new VerifyError('A COSE receipt does not have the entry of the log: pass `entry`.');
  try {
    const { name, described } = await judgeDocument(browserPrimitives, files, trusting);
    const { isValid, result, facts } = described;
    const { verdict, sentence, checked, not_checked, checks, problems } = result;
    return {
      isValid,
      isTest: result.test === true,
      kind: name,
      verdict,
      sentence,
      checked,
      notChecked: not_checked,
      checks: { ...checks },
      revocation: result.revocation ?? null,
      problems,
      facts,
    };
  } catch (error) {
    if (error instanceof LogProofError)
      throw new VerifyError(`The manifest proves no leaves: ${error.message}`);
    throw error;
  }
}

function trustingOf({ keys, policy, logKeys, now = Date.now(), isFresh = false }: VerifyOptions): Trusting {
  try {
    const trusted = keys === undefined ? NO_KEYS : verifierKeysIn(browserPrimitives, jsonOf(keys));
    const rules = policy === undefined ? undefined : parseLogPolicy(browserPrimitives, policy);
    const named = logKeys === undefined ? undefined : logKeyLines(logKeys);
    if (rules !== undefined && rules.logs.length > 0 && named !== undefined)
      throw new VerifyError('`logKeys` and the log lines of `policy` both say which logs to trust.');
    const own = named?.map(({ line }) => logKeyIn(browserPrimitives, line));
    return {
      withPolicy: trustOf(trusted, rules, own),
      withoutPolicy: trustOf(trusted, undefined, own),
      hasKeys: keys !== undefined,
      now,
      isFresh,
    };
  } catch (error) {
    if (error instanceof TrustedKeysError || error instanceof JsonError)
      throw new VerifyError(`\`keys\` is no list of trusted keys: ${error.message}`);
    if (error instanceof LogPolicyError) throw new VerifyError(`\`policy\`: ${error.message}`);
    if (error instanceof NoteError) throw new VerifyError(`\`logKeys\`: ${error.message}`);
    if (error instanceof TrustError) throw new VerifyError(`The log key or policy: ${error.message}`);
    throw error;
  }
}

const jsonOf = (document: Document): JsonValue => parseJsonBytes(bytesOf(document));

function bytesOf(document: Document): Uint8Array {
  if (document instanceof Uint8Array) return document;
  return new TextEncoder().encode(typeof document === 'string' ? document : JSON.stringify(document));
}

const optionalBytes = (document: Document | undefined): Uint8Array | undefined =>
  document === undefined ? undefined : bytesOf(document);
