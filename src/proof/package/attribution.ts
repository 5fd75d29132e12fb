import type { JsonValue } from '../encoding/json.ts';
import type { TrustedKey } from '../keys/trusted-keys.ts';
import { LogEntryError } from '../log/entry-members.ts';
import {
  type ReceiptEntry,
  type RevocationEntry,
  readAnyRevocationEntry,
  readReceiptEntry,
} from '../log/log-entry.ts';
import type { SignedTree } from '../log/log-keys.ts';
import { misdated } from '../log/misdated.ts';
import type { Primitives } from '../primitives.ts';
import type { Receipt } from '../receipt/receipt.ts';
import { receiptShape } from '../receipt/receipt-shape.ts';
import { checkKey, type DatedTree } from '../receipt/signature.ts';
import { checkHash } from '../receipt/verdict.ts';
import { checkpointOf } from './cited.ts';
import type { CitedCheckpoint, CompliancePackage, SampledReference } from './format.ts';

/** What shows that the sampled entries are of the subject. */
export interface Attribution {
  /**
   * `ok`: each sampled entry names the agent, or is shown by its receipt to be of it. `partly`: some are.
   * `not_shown`: none of those that name no agent is. `bad`: a receipt of the package contradicts it.
   */
  check: 'ok' | 'partly' | 'not_shown' | 'bad';
  /** One sentence for each receipt that contradicts the package. */
  problems: string[];
  /** How many sampled entries name no agent: those of receipts and of their revocations. */
  sampled: number;
  /** How many of them are shown by their receipts to be of the agent. */
  shown: number;
  /** The ids of the operators that issued these receipts, each once. */
  operators: string[];
}

/** A sampled entry of a receipt, or of its revocation. */
interface Reference {
  entry: ReceiptEntry | RevocationEntry;
  sampled: SampledReference;
  /** The checkpoint of its log. */
  checkpoint: CitedCheckpoint;
}

/** What a receipt of the package shows. */
interface Shown {
  /** The sampled entries that are of it. */
  references: readonly Reference[];
  /** The operator that issued it. */
  operator: string;
  /** Why it contradicts the package; null if it does not. */
  problem: string | null;
  /** Whether its key counts, so that it shows something. */
  isTrusted: boolean;
}

/**
 * Checks the receipts of a package: each is authentic, is that of a sampled entry, and is of the agent and of
 * its sponsor, as far as the package names one. Entries of receipts and of their revocations name no agent,
 * so nothing else shows whose they are. Never throws for any package or key.
 *
 * @param trees the trees of the cited checkpoints, in their order; null for one that does not count
 */
export function attributionOf(
  primitives: Primitives,
  read: CompliancePackage,
  { keys, trees }: { keys: readonly TrustedKey[]; trees: readonly (SignedTree | null)[] },
): Attribution {
  const references = read.reference_sets.flatMap(({ sample }) =>
    sample.flatMap((sampled) => referenceIn(read, sampled)),
  );
  const receipts = (read.sampled_receipts ?? []).map((value) =>
    examined(primitives, read, value, { references, keys, trees }),
  );
  const problems = receipts.flatMap(({ problem }, index) =>
    problem === null ? [] : [`sampled_receipts[${index}]${problem}`],
  );
  const showing = receipts.filter(({ problem, isTrusted }) => problem === null && isTrusted);
  const shown = new Set(read.subject.type === 'agent' ? showing.flatMap((receipt) => receipt.references) : [])
    .size;
  const sampled = references.length;
  return {
    check: problems.length > 0 ? 'bad' : shown === sampled ? 'ok' : shown > 0 ? 'partly' : 'not_shown',
    problems,
    sampled,
    shown,
    operators: [...new Set(showing.map(({ operator }) => operator))].sort(),
  };
}

/** Returns the entry of a receipt or of its revocation that a reference has; none for any other. */
function referenceIn(read: CompliancePackage, sampled: SampledReference): Reference[] {
  const checkpoint = checkpointOf(read, sampled);
  const text = sampled.inclusion_path.leaf_entry;
  try {
    if (checkpoint?.log === 'receipts') return [{ entry: readReceiptEntry(text), sampled, checkpoint }];
    if (checkpoint?.log !== 'revocations') return [];
    const entry = readAnyRevocationEntry(text);
    return 'receipt' in entry ? [{ entry: entry.receipt, sampled, checkpoint }] : [];
  } catch (error) {
    if (!(error instanceof LogEntryError)) throw error;
    return [];
  }
}

interface Known {
  references: readonly Reference[];
  keys: readonly TrustedKey[];
  trees: readonly (SignedTree | null)[];
}

/** Examines one receipt of a package. */
function examined(
  primitives: Primitives,
  read: CompliancePackage,
  value: JsonValue,
  { references, keys, trees }: Known,
): Shown {
  const refused = (problem: string, operator = ''): Shown => ({
    references: [],
    operator,
    problem,
    isTrusted: false,
  });
  const shape = receiptShape(value);
  if ('problems' in shape) return refused(` is not a receipt: ${shape.problems[0] ?? ''}`);
  const { receipt } = shape;
  const own = references.filter(({ entry }) => isOf(entry, receipt));
  const [reference] = own;
  if (reference === undefined) {
    const isOther = references.some(({ entry }) => entry.receipt_id === receipt.receipt_id);
    return refused(
      isOther ? ' is another version than the sampled entry says' : ' is of none of the sampled entries',
    );
  }
  const { signature, key } = checkedKey(primitives, read, receipt, { references: own, keys, trees });
  const problem =
    checkHash(primitives, receipt) === 'ok'
      ? (keyProblem(signature, key) ??
        subjectProblem(read, receipt) ??
        dateProblem(receipt, reference, treeOf(read, reference, trees)))
      : '.content_hash is not that of its content';
  return { references: own, operator: receipt.operator_id, problem, isTrusted: key === 'trusted' };
}

function isOf(
  entry: Reference['entry'],
  { receipt_id, content_hash, signature, kid = entry.kid }: Receipt,
): boolean {
  return (
    entry.receipt_id === receipt_id &&
    entry.content_hash === content_hash &&
    entry.signature === signature &&
    entry.kid === kid
  );
}

/** Checks the signature. The position in the log of receipts shows whether it is older than the key's end. */
function checkedKey(
  primitives: Primitives,
  read: CompliancePackage,
  receipt: Receipt,
  { references, keys, trees }: Known,
): Pick<ReturnType<typeof checkKey>, 'signature' | 'key'> {
  const logged = references.find(({ checkpoint }) => checkpoint.log === 'receipts');
  const tree = logged === undefined ? null : treeOf(read, logged, trees);
  const position =
    logged === undefined || tree === null
      ? null
      : { log: tree.log, index: logged.sampled.inclusion_path.leaf_index };
  return checkKey(primitives, receipt, keys, position, tree && datedTree(tree));
}

function datedTree({ tree_size: size, signed_at }: SignedTree): DatedTree | null {
  const signed = signed_at === null ? null : Date.parse(signed_at);
  return size === null ? null : { size, signed, earliest: signed };
}

function treeOf(
  { checkpoints }: CompliancePackage,
  { checkpoint }: Reference,
  trees: readonly (SignedTree | null)[],
): SignedTree | null {
  return trees[checkpoints.indexOf(checkpoint)] ?? null;
}

function keyProblem(signature: 'ok' | 'bad' | 'unchecked', key: string): string | null {
  if (key === 'unknown') return '.kid names none of the trusted keys for receipts';
  return signature === 'ok' ? null : '.signature is not by a trusted key over its content_hash';
}

/** Returns why a receipt is not of the subject. A receipt names no cluster. */
function subjectProblem({ subject }: CompliancePackage, receipt: Receipt): string | null {
  if (subject.type !== 'agent') return null;
  const { subject_commitment: agent, sponsor = receipt.operator_id } = subject;
  if (receipt.agent_id !== agent) return '.agent_id is not subject.subject_commitment';
  return receipt.operator_id === sponsor ? null : '.operator_id is not subject.sponsor';
}

function dateProblem(receipt: Receipt, { entry }: Reference, tree: SignedTree | null): string | null {
  const [event, at] =
    'finalized_at' in entry ? ['finalized', entry.finalized_at] : ['revoked', entry.revoked_at];
  const dates = [
    { event: 'issued', at: receipt.issued_at },
    { event, at },
  ];
  const signed = tree?.signed_at == null ? null : Date.parse(tree.signed_at);
  const wrong = misdated(dates, signed);
  return wrong === null ? null : ` is misdated: ${wrong}`;
}
