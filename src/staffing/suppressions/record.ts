import { Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import type { MasterKey } from '../../platform/crypto/master-key.ts';
import { Failure } from '../../platform/failure.ts';
import { nullable } from '../../platform/http/schema.ts';
import type { Entry } from '../registry/entry.ts';
import type { SuppressionRow } from './store.ts';

const text = nullable(Type.String());

/** A clinician as a registry file has one: the columns in their order, and the keys that the clinician is found by. */
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

/** Seals what a registry file had of a clinician: who is not to be found is not to be read in a backup either. */
export function sealRecord(masterKey: MasterKey, entry: Entry): string {
  return masterKey.seal(placeOf(entry.columns[0]), JSON.stringify(entry));
}

/** Opens what `sealRecord` made; null where nothing was kept, and where its master key is lost. */
export function openRecord(masterKey: MasterKey, { npi, record }: SuppressionRow): Entry | null {
  if (record === null) return null;
  try {
    const entry: unknown = JSON.parse(masterKey.open(placeOf(npi), record));
    return Value.Check(StoredEntry, entry) ? entry : null;
  } catch (error) {
    if (error instanceof Failure) return null;
    throw error;
  }
}

/** Where a record stands in the database; elsewhere it cannot be opened. */
function placeOf(npi: number): string {
  return `suppression ${npi} record`;
}
