import { bytesToHex } from '../encoding/hex.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../encoding/json.ts';
import { leafHash } from '../log/merkle.ts';
import type { Primitives } from '../primitives.ts';

const utf8 = new TextEncoder();

/**
 * Returns a package with each sampled reference in the form of this version. Earlier versions had
 * `{position, path, log, leaf_index, leaf_entry, hashes}`, where `log` is the name of a log, and no
 * `inclusion_path`; the other members follow from the cited checkpoint and the entry. What is neither form
 * stays as it is.
 */
export function withInclusionPaths(primitives: Primitives, document: JsonValue): JsonValue {
  if (!isJsonObject(document) || !Array.isArray(document.reference_sets)) return document;
  const checkpoints = objectsIn(document.checkpoints);
  const reference_sets = document.reference_sets.map((set) =>
    isJsonObject(set) && Array.isArray(set.sample)
      ? { ...set, sample: set.sample.map((sampled) => inThisForm(primitives, checkpoints, sampled)) }
      : set,
  );
  return { ...document, reference_sets };
}

function objectsIn(value: JsonValue | undefined): JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

function inThisForm(
  primitives: Primitives,
  checkpoints: readonly JsonObject[],
  sampled: JsonValue,
): JsonValue {
  if (!isJsonObject(sampled) || sampled.inclusion_path !== undefined) return sampled;
  const { log: name, leaf_index = null, leaf_entry = null, hashes = null, ...others } = sampled;
  const cited = typeof name === 'string' ? checkpoints.find(({ log }) => log === name) : undefined;
  const isText = typeof leaf_entry === 'string' && leaf_entry.isWellFormed();
  return {
    ...others,
    inclusion_path: {
      // Without a checkpoint of the log it is not proven: the name is the origin of none.
      log: cited?.origin ?? name ?? null,
      leaf_index,
      tree_size: cited?.tree_size ?? 0,
      leaf_entry,
      leaf_hash: isText ? bytesToHex(leafHash(primitives, utf8.encode(leaf_entry))) : null,
      hashes,
    },
  };
}
