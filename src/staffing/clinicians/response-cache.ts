import type { Registry } from '../registry/open.ts';
import { type ClinicianRow, cliniciansOf } from '../registry/search.ts';
import { isPublicClinician } from './check.ts';
import { clinicianOf } from './present.ts';
import type { Clinician } from './schema.ts';

/** Some 10 MB of clinicians, and as much of pages. */
const CLINICIANS = 15_000;
const PAGES = 600;
/** So many rows of an open file are logged, each once: who asks for a page over and over does not fill the log. */
const MOST_SAID = 10;

/**
 * What was answered of a registry lately: firms ask for the same first pages all day, and putting one together takes most of a
 * search's time. A registry is opened anew whenever its file is another or was changed, and begins with nothing kept.
 */
interface Kept {
  clinicians: Map<number, string>;
  pages: Map<string, string>;
  /** Clinicians whose rows are no public records, as far as they were said. */
  skipped: Set<number>;
}

const kept = new WeakMap<Registry, Kept>();

function keptOf(registry: Registry): Kept {
  const known = kept.get(registry);
  if (known !== undefined) return known;
  const fresh = {
    clinicians: new Map<number, string>(),
    pages: new Map<string, string>(),
    skipped: new Set<number>(),
  };
  kept.set(registry, fresh);
  return fresh;
}

/** A page's answer as JSON text, made by `make` unless it was asked for lately. `question` is all that it depends on. */
export async function cachedPage(
  registry: Registry,
  question: string,
  make: () => Promise<string>,
): Promise<string> {
  const { pages } = keptOf(registry);
  const known = pages.get(question);
  if (known !== undefined) return known;
  const page = await make();
  if (pages.size >= PAGES) pages.clear();
  pages.set(question, page);
  return page;
}

/** A clinician, held against the allowlist; null where there is none, and where the row is no public record, which is logged. */
export async function publicClinician(registry: Registry, npi: number): Promise<Clinician | null> {
  const [row] = await cliniciansOf(registry, [npi]);
  return row === undefined ? null : publicOf(registry, row);
}

function publicOf(registry: Registry, row: ClinicianRow): Clinician | null {
  const clinician = clinicianOf(row, registry.specialties);
  if (isPublicClinician(clinician)) return clinician;
  const { skipped } = keptOf(registry);
  if (skipped.size < MOST_SAID && !skipped.has(row.npi)) {
    skipped.add(row.npi);
    registry.rowSkipped(row.npi, skipped.size === MOST_SAID);
  }
  return null;
}

/** The answers of clinicians as JSON texts, in their order, without those who are not given, as `publicClinician` says. */
export async function renderAll(
  registry: Registry,
  found: readonly { readonly npi: number }[],
): Promise<string[]> {
  const { clinicians } = keptOf(registry);
  // Taken before anything is awaited: another search may make room meanwhile.
  const texts = found.map(({ npi }) => clinicians.get(npi));
  const missing: number[] = [];
  for (const [index, { npi }] of found.entries()) if (texts[index] === undefined) missing.push(npi);
  const rows = missing.length === 0 ? [] : await cliniciansOf(registry, missing);
  // They come in the order of those that are missing, without those that are not there.
  let next = 0;
  for (const [index, { npi }] of found.entries()) {
    const row = rows[next];
    if (texts[index] !== undefined || row?.npi !== npi) continue;
    next++;
    const clinician = publicOf(registry, row);
    if (clinician === null) continue;
    const text = JSON.stringify(clinician);
    if (clinicians.size >= CLINICIANS) clinicians.clear();
    clinicians.set(npi, text);
    texts[index] = text;
  }
  return texts.filter((text) => text !== undefined);
}
