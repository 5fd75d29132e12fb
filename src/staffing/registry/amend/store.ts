import {
  clinician,
  codes,
  entry,
  fence,
  list,
  posting,
  segment,
} from '../../../../db/staffing/registry/tables.ts';
import { orNull, sqlOf } from '../../../platform/store/sql.ts';

const sql = sqlOf({ clinician, codes, entry, fence, list, posting, segment });

/** Returns the even segments, the newest first. */
export const evenSegments = sql.values(segment.segment, {
  scans: 'two rows for the base and for each of a few pairs',
})`WHERE segment % 2 = 0 ORDER BY segment DESC`;
/** Returns the number of entries of a segment; null for none. */
export const entriesIn = sql.value(segment.entries)`WHERE segment = ${'segment'}`;

export const versionAt = sql.row(clinician)`WHERE place = ${'place'}`;
export const entryAt = sql.row(entry)`WHERE place = ${'place'}`;
export const positionAt = sql.joined({ nameKey: entry.nameKey, firstKey: entry.firstKey, npi: entry.npi })
  .row`FROM entry WHERE place = ${'place'}`;
export const codesAt = sql.row(codes)`WHERE codes = ${'codes'}`;

/**
 * Returns entries under whole surnames with the other names of their clinicians, in order.
 * @param first the place of the NPI 0 @param start the place of the first entry of the segment
 */
export const entriesBetween = sql.joined({
  place: entry.place,
  nameKey: entry.nameKey,
  firstKey: entry.firstKey,
  npi: entry.npi,
  codes: entry.codes,
  head: entry.head,
  tail: entry.tail,
  others: clinician.others,
}).rows`
  FROM entry CROSS JOIN clinician
    ON clinician.place = ${'first:entry.place'} + npi AND ordinal = entry.place - ${'start:entry.place'}
  WHERE entry.place >= ${'from:entry.place'} AND entry.place < ${'end:entry.place'}
  ORDER BY entry.place LIMIT ${'limit'}`;
/** Returns the digests of clinicians, in order. */
export const digestsBetween = sql.joined({ place: clinician.place, digest: clinician.digest }).rows`
  FROM clinician WHERE place >= ${'from:place'} AND place < ${'end:place'} ORDER BY place LIMIT ${'limit'}`;

/** Gives entries another position, and nothing that names a clinician. */
export const eraseEntries = sql.run`
  UPDATE entry
  SET name_key = ${'nameKey'}, first_key = ${'firstKey'}, npi = ${'npi'}, codes = 0, head = '', tail = ''
  WHERE place >= ${'from:place'} AND place < ${'end:place'}`;
export const deleteFence = sql.run`
  DELETE FROM fence
  WHERE segment = ${'segment'} AND name_key = ${'nameKey'} AND first_key = ${'firstKey'} AND npi = ${'npi'}`;
export const deleteClinician = sql.run`DELETE FROM clinician WHERE place = ${'place'}`;

export const partAt = sql.value(posting.data)`WHERE place = ${'place'}`;
export const putPart = sql.run`
  INSERT OR REPLACE INTO posting (place, data) VALUES (${'place'}, ${'data'})`;

const OF_PLACES = sql.part`WHERE place >= ${'from:place'} AND place < ${'end:place'}`;
/** Delete the rows of segments by the places of these, from `from` to before `end`. */
export const deletePlaces = [
  sql.run`DELETE FROM entry ${OF_PLACES}`,
  sql.run`DELETE FROM clinician ${OF_PLACES}`,
  sql.run`DELETE FROM posting ${OF_PLACES}`,
];
const OF_PAIR = sql.part`WHERE segment IN (${'even:segment'}, ${'odd:segment'})`;
/** Delete the rows of a pair of segments by their numbers. */
export const deletePairs = [sql.run`DELETE FROM fence ${OF_PAIR}`, sql.run`DELETE FROM segment ${OF_PAIR}`];

export const listWith = sql.value(list.list)`WHERE label = ${'label'}`;
export const lastList = sql.value(orNull(sql.number`max(list)`))`FROM list`;
export const codesWith = sql.value(codes.codes)`WHERE joined = ${'joined'}`;
export const lastCodes = sql.value(orNull(sql.number`max(codes)`))`FROM codes`;
