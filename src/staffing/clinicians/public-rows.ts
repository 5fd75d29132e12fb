import type { Registry } from '../registry/open.ts';
import { arePublicParts, type FoundRow, recordTextOf } from '../registry/search.ts';
import type { Clinician } from './public-clinician.ts';
import { isPublicClinician } from './public-clinician.ts';

/**
 * The maximum number of skipped rows to log per open file, each once, so that repeated requests do not fill
 * the log.
 */
const MAX_LOGGED = 10;

/** What is known of the rows of an open registry. */
interface KnownRows {
  /** The NPIs of invalid rows that were logged. */
  skipped: Set<number>;
  /** Whether the text of a set of codes is public. */
  codes: Map<number, boolean>;
}

const known = new WeakMap<Registry, KnownRows>();

function knownRowsOf(registry: Registry): KnownRows {
  let rows = known.get(registry);
  if (rows === undefined) {
    rows = { skipped: new Set(), codes: new Map() };
    known.set(registry, rows);
  }
  return rows;
}

/**
 * Returns a clinician that passes the allowlist; null when there is none, or its row is invalid, which is
 * logged.
 */
export function publicClinician(registry: Registry, npi: number): Clinician | null {
  const row = registry.engine.clinician(npi);
  return row === null ? null : publicOf(registry, row);
}

/**
 * Returns the JSON text of a clinician's public record; null when there is none, or its row is invalid, which
 * is logged.
 */
export function publicText(registry: Registry, npi: number): string | null {
  const row = registry.engine.clinician(npi);
  return row === null ? null : (publicTexts(registry, [row])[0] ?? null);
}

/**
 * Returns the public records of rows as JSON texts in their order, without invalid ones, which are logged.
 */
export function publicTexts(registry: Registry, rows: readonly FoundRow[]): string[] {
  const rowsKnown = knownRowsOf(registry);
  const texts: string[] = [];
  for (const row of rows) {
    if (isPublicRow(registry, rowsKnown, row)) texts.push(recordTextOf(registry, row));
    else publicOf(registry, row);
  }
  return texts;
}

/** Checks the parts of a record that are its own by patterns, and each set of codes once by the schema. */
function isPublicRow(registry: Registry, { codes }: KnownRows, row: FoundRow): boolean {
  if (!arePublicParts(row.npi, row)) return false;
  const knownCodes = codes.get(row.codes);
  if (knownCodes !== undefined) return knownCodes;
  const isPublic = isPublicClinician(parsed(recordTextOf(registry, row)));
  codes.set(row.codes, isPublic);
  return isPublic;
}

function publicOf(registry: Registry, row: FoundRow): Clinician | null {
  const clinician = parsed(recordTextOf(registry, row));
  if (isPublicClinician(clinician) && clinician.npi === String(row.npi)) return clinician;
  const { skipped } = knownRowsOf(registry);
  if (skipped.size < MAX_LOGGED && !skipped.has(row.npi)) {
    skipped.add(row.npi);
    registry.rowSkipped(row.npi, skipped.size === MAX_LOGGED);
  }
  return null;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
