import { ownCopyOf } from '../../../platform/memory/own-copy.ts';
import type { ClinicianRecord } from '../../registry/record.ts';
import type { BadRow, NppesRow } from '../rows.ts';

/** How many values follow the kind of a row. */
const VALUES = { clinician: 14, removed: 2, leftOut: 1, bad: 4 } as const;
/** Between former names. */
const UNIT = '\u001f';
/** About 5,000 combinations of codes are those of nearly all clinicians. */
const MOST_CACHED = 20_000;

/**
 * Returns rows as one text, which a Worker sends in a fraction of the time that the objects take: values with
 * tabs between them. No value contains a tab, because the reader of rows turns it into a space; an empty
 * value is null.
 */
export function textOf(rows: readonly NppesRow[]): string {
  let text = '';
  for (const row of rows) text += valuesOf(row);
  return text;
}

function valuesOf(row: NppesRow): string {
  if (row.kind === 'clinician') return clinicianValues(row.record, row.reactivatedOn);
  if (row.kind === 'left_out') return `${row.reason}\t${row.npi}\t`;
  if (row.kind === 'removed') return `removed\t${row.npi}\t${row.deactivatedOn}\t`;
  return `bad\t${row.npi ?? ''}\t${row.line}\t${row.field ?? ''}\t${row.reason}\t`;
}

function clinicianValues(record: ClinicianRecord, reactivatedOn = ''): string {
  const { npi, lastName, formerNames, firstName, middleName, suffix, credential, codes } = record;
  const { city, state, postalCode, enumeratedOn, lastUpdatedOn } = record;
  return (
    `clinician\t${npi}\t${lastName}\t${formerNames.join(UNIT)}\t${firstName ?? ''}\t${middleName ?? ''}\t${suffix ?? ''}` +
    `\t${credential ?? ''}\t${codes.join(' ')}\t${city ?? ''}\t${state ?? ''}\t${postalCode ?? ''}` +
    `\t${enumeratedOn ?? ''}\t${lastUpdatedOn ?? ''}\t${reactivatedOn}\t`
  );
}

/** Makes rows of texts of `textOf`. */
export class RowTexts {
  private readonly codes = new Map<string, readonly string[]>();

  rowsOf(text: string): NppesRow[] {
    const values = text.split('\t');
    const rows: NppesRow[] = [];
    const last = values.length - 1;
    for (let at = 0; at < last; ) {
      const kind = values[at++];
      if (kind === 'clinician') {
        const record = this.recordAt(values, at);
        const reactivatedOn = values[at + 13] ?? '';
        rows.push(reactivatedOn === '' ? { kind, record } : { kind, record, reactivatedOn });
        at += VALUES.clinician;
      } else if (kind === 'removed') {
        rows.push({ kind, npi: Number(values[at]), deactivatedOn: values[at + 1] ?? '' });
        at += VALUES.removed;
      } else if (kind === 'organization' || kind === 'grouping') {
        rows.push({ kind: 'left_out', npi: Number(values[at]), reason: kind });
        at += VALUES.leftOut;
      } else {
        rows.push(badAt(values, at));
        at += VALUES.bad;
      }
    }
    return rows;
  }

  private recordAt(values: readonly string[], at: number): ClinicianRecord {
    const formerNames = values[at + 2] ?? '';
    return {
      npi: Number(values[at]),
      lastName: values[at + 1] ?? '',
      formerNames: formerNames === '' ? [] : formerNames.split(UNIT),
      firstName: values[at + 3] || null,
      middleName: values[at + 4] || null,
      suffix: values[at + 5] || null,
      credential: values[at + 6] || null,
      codes: this.codesOf(values[at + 7] ?? ''),
      city: values[at + 8] || null,
      state: values[at + 9] || null,
      postalCode: values[at + 10] || null,
      enumeratedOn: values[at + 11] || null,
      lastUpdatedOn: values[at + 12] || null,
    };
  }

  private codesOf(joined: string): readonly string[] {
    const known = this.codes.get(joined);
    if (known !== undefined) return known;
    const copy = ownCopyOf(joined);
    const codes = copy === '' ? [] : copy.split(' ');
    if (this.codes.size < MOST_CACHED) this.codes.set(copy, codes);
    return codes;
  }
}

function badAt(values: readonly string[], at: number): BadRow {
  return {
    kind: 'bad',
    npi: values[at] === '' ? null : Number(values[at]),
    line: Number(values[at + 1]),
    field: values[at + 2] || null,
    reason: values[at + 3] ?? '',
  };
}
