import { isJsonObject, type JsonObject, type JsonValue } from '../encoding/json.ts';

/**
 * A count of a credential, and the tree that has a leaf for each of what it counts. One item of evidence can
 * have many artifacts.
 */
const COUNTS = [
  { count: ['totals', 'evidence_count'], log: 'evidence' },
  { count: ['receipts_count'], log: 'receipts' },
] as const;

/**
 * Returns why the counts of a credential contradict the checkpoints that it cites: they are more than a tree
 * has leaves. Null if they do not; a count or a checkpoint that is missing is not compared.
 */
export function figuresProblem(document: JsonObject): string | null {
  const { credentialSubject: subject = null } = document;
  for (const { count, log } of COUNTS) {
    const value = numberAt(subject, count);
    const size = numberAt(subject, ['checkpoint', log, 'tree_size']);
    if (value !== null && size !== null && value > size)
      return `credentialSubject.${count.join('.')} is ${value}, but the tree of ${log} that it cites has ${size} entries`;
  }
  return null;
}

function numberAt(value: JsonValue, path: readonly string[]): number | null {
  let found: JsonValue | undefined = value;
  for (const name of path) {
    if (found === undefined || !isJsonObject(found) || !Object.hasOwn(found, name)) return null;
    found = found[name];
  }
  return typeof found === 'number' ? found : null;
}
