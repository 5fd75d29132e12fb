import { digestedText, digestOf } from '../build/people.ts';
import { recordTexts } from '../build/render.ts';
import { type Entry, entryOf } from '../entry.ts';
import { type ClinicianRecord, isAccepted, type RefusedRecords } from '../record.ts';
import type { Put } from './amendment-steps.ts';

/** Returns the part of the public record that follows from a set of codes, separated by spaces. */
export type CodesTextOf = (joined: string) => string;

/**
 * Returns what is to be written of records, by NPI; the last record with an NPI counts. @param refused counts
 * those with an invalid field
 */
export function putsOf(
  records: Iterable<ClinicianRecord>,
  codesTextOf: CodesTextOf,
  refused: RefusedRecords,
): Map<number, Put> {
  const puts = new Map<number, Put>();
  for (const record of records) {
    if (isAccepted(record, refused)) puts.set(record.npi, putOf(entryOf(record), codesTextOf));
  }
  return puts;
}

export function putOf(entry: Entry, codesTextOf: CodesTextOf): Put {
  const { head, tail } = recordTexts(entry.columns);
  const clinician = { entry, head, codesText: codesTextOf(entry.codes), tail };
  return { clinician, digest: digestOf(digestedText(`${head}${clinician.codesText}${tail}`, entry.names)) };
}
