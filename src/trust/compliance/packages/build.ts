import { nativePrimitives } from '../../../platform/crypto/crypto.ts';
import type { Snapshot } from '../../../platform/store/transaction.ts';
import { encodeBase64 } from '../../../proof/encoding/base64.ts';
import { canonicalJson } from '../../../proof/encoding/canonical-json.ts';
import { equalBytes } from '../../../proof/encoding/equal-bytes.ts';
import { bytesToHex, hexToBytes } from '../../../proof/encoding/hex.ts';
import type { JsonObject } from '../../../proof/encoding/json.ts';
import { signedObjectDigest } from '../../../proof/keys/signed-object.ts';
import { LOG_NAMES, type LogName } from '../../../proof/log/log-names.ts';
import { inclusionPath, verifyInclusion } from '../../../proof/log/merkle.ts';
import {
  type CitedCheckpoint,
  type CitedSet,
  PACKAGE_TYPE,
  PACKAGE_VERSION,
  type ReferenceSet,
  type SampledReference,
  summaryOf,
  type UnsignedPackage,
} from '../../../proof/package/format.ts';
import type { Receipt } from '../../../proof/receipt/receipt.ts';
import type { LogContent } from '../../log/contents.ts';
import { LogDamage } from '../../log/damage.ts';
import { leafHashOf } from '../../log/tree/append.ts';
import { computeFromNodes } from '../../log/tree/tree.ts';
import type { BuildOrder, BuiltPackage, CitableLog } from './build-order.ts';
import type { PackageBuilder, PackageDraft } from './builder.ts';
import { type ComputedSet, computeSet, type Sampled, SharedLeaves } from './reference-set.ts';

/** A sampled entry, with the log that has it. */
interface SampledEntry {
  log: LogName;
  entry: string;
}

/** Reads the entries of each log. */
export type EntryReaders = Readonly<Record<LogName, LogContent['leavesOf']>>;

/**
 * Builds a package in a snapshot, up to its signature.
 * @returns null if nothing is known of the subject
 * @throws LogDamage if the database contradicts the checkpoints that the package would cite
 */
export async function buildPackage(
  snapshot: Snapshot,
  builder: PackageBuilder,
  order: BuildOrder,
  readers: EntryReaders,
): Promise<BuiltPackage | null> {
  const { subject, framework, period, generatedAt, view, treeSizes, assessors } = order;
  const request = { subject, framework, period, generatedAt, view, treeSizes, assessors };
  const draft = await builder.draftOf(snapshot, request);
  if (draft === null) return null;
  const computed: ComputedSet[] = [];
  const shared = new SharedLeaves();
  for (const set of draft.sets) computed.push(await computeSet(snapshot, set, order.logs, shared));
  const sets: ReferenceSet[] = [];
  const entries: SampledEntry[] = [];
  for (const { logs: _logs, sampled, ...set } of computed) {
    const sample: SampledReference[] = [];
    for (const reference of sampled) {
      const proven = await provenReference(snapshot, order, reference, readers, draft.payloadUrl);
      sample.push(proven);
      entries.push({ log: reference.log, entry: proven.inclusion_path.leaf_entry });
    }
    sets.push({ ...set, sample });
  }
  const cited = LOG_NAMES.filter((name) => computed.some(({ logs }) => logs.includes(name)));
  const receipts = order.view === 'sponsor' ? await sampledReceipts(entries, draft) : null;
  return unsignedText(packageOf(order, draft, sets, cited), receipts, cited);
}

/** Returns the receipts of the sampled references, each version once; null if the draft has none. */
async function sampledReceipts(
  sampled: readonly SampledEntry[],
  draft: PackageDraft,
): Promise<Receipt[] | null> {
  if (draft.receiptOf === undefined) return null;
  const receipts = new Map<string, Receipt>();
  for (const { log, entry } of sampled) {
    const receipt = await draft.receiptOf(log, entry);
    if (receipt !== null) receipts.set(receipt.content_hash, receipt);
  }
  return [...receipts.values()];
}

/**
 * Adds to a sampled reference its entry, and the proof that the cited tree of the log has it.
 * @throws LogDamage
 */
async function provenReference(
  snapshot: Snapshot,
  { logs, view }: BuildOrder,
  reference: Sampled,
  readers: EntryReaders,
  payloadUrl: PackageDraft['payloadUrl'],
): Promise<SampledReference> {
  const { log: name, leafIndex: index, position, path: inSet } = reference;
  const { log, treeSize: size, rootHash } = logs[name];
  const [leaf] = await readers[name](snapshot, index, index + 1);
  if (leaf === undefined) throw new LogDamage(name, `log ${log.origin} has no leaf ${index}`);
  const path = await computeFromNodes(snapshot, log, (node) =>
    inclusionPath(nativePrimitives, index, size, node),
  );
  const hash = leafHashOf(leaf.entry);
  const root = hexToBytes(rootHash);
  const isPublished = verifyInclusion(nativePrimitives, { leaf: hash, index, size, path, root });
  // The tree of the set was computed from the stored hash.
  if (!isPublished || !equalBytes(hash, leaf.leafHash)) {
    throw new LogDamage(name, `leaf ${index} of ${log.origin} is not what was published`);
  }
  const url = view === 'sponsor' ? (payloadUrl?.(name, leaf.entry) ?? null) : null;
  return {
    position,
    path: inSet,
    inclusion_path: {
      log: log.origin,
      leaf_index: index,
      tree_size: size,
      leaf_entry: leaf.entry,
      leaf_hash: bytesToHex(hash),
      hashes: path.map(encodeBase64),
    },
    ...(url === null ? {} : { payload_url: url }),
  };
}

function packageOf(
  order: BuildOrder,
  draft: PackageDraft,
  sets: readonly ReferenceSet[],
  cited: readonly LogName[],
): UnsignedPackage {
  const { kind, packageId, framework, issuer, period, generatedAt, view, logs } = order;
  const citedSets = sets.map(({ name, count, merkle_root }): [string, CitedSet] => [
    name,
    { set: name, count, merkle_root },
  ]);
  const controls = draft.controls(new Map(citedSets));
  return {
    type: PACKAGE_TYPE,
    v: PACKAGE_VERSION,
    package_id: packageId,
    kind,
    framework,
    framework_edition: draft.frameworkEdition,
    issuer,
    subject: draft.subject,
    period: { from: period.from, to: period.to },
    generated_at: generatedAt,
    view,
    coverage: [...draft.coverage],
    records: { ...draft.records },
    assessors: [...draft.assessors],
    checkpoints: cited.map((name) => citedCheckpoint(logs[name])),
    summary: summaryOf(controls),
    controls,
    reference_sets: [...sets],
    ...(draft.sections === undefined ? {} : { sections: draft.sections }),
    limits: [...draft.limits],
  };
}

function citedCheckpoint({ log, treeSize, rootHash, note }: CitableLog): CitedCheckpoint {
  return { log: log.name, origin: log.origin, tree_size: treeSize, root_hash: rootHash, note };
}

/**
 * Returns the canonical text of a package in parts, so that the main thread only adds kid and signature.
 * @param receipts are not signed with it
 */
function unsignedText(
  unsigned: UnsignedPackage,
  receipts: readonly Receipt[] | null,
  cited: readonly LogName[],
): BuiltPackage {
  const members: JsonObject = {
    ...unsigned,
    ...(receipts !== null && { sampled_receipts: receipts.map((receipt) => ({ ...receipt })) }),
  };
  const names = Object.keys(members);
  const between = (isBetween: (name: string) => boolean): string =>
    names
      .filter(isBetween)
      .sort()
      .map((name) => `${canonicalJson(name)}:${canonicalJson(members[name] ?? null)}`)
      .join(',');
  const parts = [
    `{${between((name) => name < 'kid')},"kid":`,
    `,${between((name) => name > 'kid' && name < 'signature')},"signature":`,
    `,${between((name) => name > 'signature')}}`,
  ] as const;
  return { parts, digest: signedObjectDigest(nativePrimitives, unsigned), cited };
}
