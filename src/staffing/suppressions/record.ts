import { Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import type { MasterKey } from '../../platform/crypto/master-key.ts';
import { Failure } from '../../platform/failure.ts';
import { nullable } from '../../platform/http/schema.ts';
import type { Entry } from '../registry/entry.ts';
import type { SuppressionRow } from './store.ts';

const text = nullable(Type.String());

/** A clinician in a registry file: the columns in their order, and the search keys. */
const StoredEntry = Type.Object({
  columns: Type.Tuple([
    Type.Integer(),
    Type.String(),
    text,
    text,
    text,
    text,
    Type.String(),
    text,
    text,
    text,
    text,
    text,
  ]),
  codes: Type.String(),
  state: text,
  names: Type.Array(
    Type.Object({
      key: Type.String(),
      kind: Type.Union([Type.Literal(0), Type.Literal(1), Type.Literal(2)]),
    }),
  ),
  firstKey: Type.String(),
});

/**
 * Encrypts a clinician's registry entry, so that a suppressed clinician's data is not readable in a backup.
 */
export function encryptRecord(masterKey: MasterKey, entry: Entry): string {
  return masterKey.encrypt(contextOf(entry.columns[0]), JSON.stringify(entry));
}

/** Decrypts an entry from `encryptRecord`; null when there is none, or its master key is lost. */
export function decryptRecord(masterKey: MasterKey, { npi, record }: SuppressionRow): Entry | null {
  if (record === null) return null;
  try {
    const entry: unknown = JSON.parse(masterKey.decrypt(contextOf(npi), record));
    return Value.Check(StoredEntry, entry) ? entry : null;
  } catch (error) {
    if (error instanceof Failure) return null;
    throw error;
  }
}

/** Returns the context of a record's encryption, which binds it to its row. */
function contextOf(npi: number): string {
  return `suppression ${npi} record`;
}
