import type { Registry } from '../registry/open.ts';
import { type ClinicianRow, cliniciansOf } from '../registry/search.ts';
import { isPublicClinician } from './check.ts';
import { clinicianOf } from './present.ts';
import type { Clinician } from './schema.ts';

/** The cache sizes: about 10 MB of clinicians and 10 MB of pages. */
const CLINICIANS = 15_000;
const PAGES = 600;
/** The maximum number of skipped rows to log per open file, each once, so that repeated requests do not fill the log. */
const MAX_LOGGED = 10;

/**
 * The cache of an open registry's responses. Clients request the same first pages all day, and rendering a page takes most of a
 * search's time. A registry is reopened, with an empty cache, whenever its file is replaced or changed.
 */
interface ResponseCache {
  clinicians: Map<number, string>;
  pages: Map<string, string>;
  /** The NPIs of invalid rows that were logged. */
  skipped: Set<number>;
}

const caches = new WeakMap<Registry, ResponseCache>();

function cacheOf(registry: Registry): ResponseCache {
  const known = caches.get(registry);
  if (known !== undefined) return known;
  const fresh = {
    clinicians: new Map<number, string>(),
    pages: new Map<string, string>(),
    skipped: new Set<number>(),
  };
  caches.set(registry, fresh);
  return fresh;
}

/** Returns a page's response as JSON text from the cache, or from `make`. `question`: the cache key, all inputs of the page. */
export async function cachedPage(
  registry: Registry,
  question: string,
  make: () => Promise<string>,
): Promise<string> {
  const { pages } = cacheOf(registry);
  const known = pages.get(question);
  if (known !== undefined) return known;
  const page = await make();
  if (pages.size >= PAGES) pages.clear();
  pages.set(question, page);
  return page;
}

/** Returns a clinician that passes the allowlist; null when there is none, or its row is invalid, which is logged. */
export async function publicClinician(registry: Registry, npi: number): Promise<Clinician | null> {
  const [row] = await cliniciansOf(registry, [npi]);
  return row === undefined ? null : publicOf(registry, row);
}

function publicOf(registry: Registry, row: ClinicianRow): Clinician | null {
  const clinician = clinicianOf(row, registry.specialties);
  if (isPublicClinician(clinician)) return clinician;
  const { skipped } = cacheOf(registry);
  if (skipped.size < MAX_LOGGED && !skipped.has(row.npi)) {
    skipped.add(row.npi);
    registry.rowSkipped(row.npi, skipped.size === MAX_LOGGED);
  }
  return null;
}

/** Returns clinicians as JSON texts in their order, without missing and invalid ones; see `publicClinician`. */
export async function renderAll(
  registry: Registry,
  found: readonly { readonly npi: number }[],
): Promise<string[]> {
  const { clinicians } = cacheOf(registry);
  // Reads the cache before awaiting, because another search may evict entries meanwhile.
  const texts = found.map(({ npi }) => clinicians.get(npi));
  const missing: number[] = [];
  for (const [index, { npi }] of found.entries()) if (texts[index] === undefined) missing.push(npi);
  const rows = missing.length === 0 ? [] : await cliniciansOf(registry, missing);
  // The rows have the order of `missing`, but absent clinicians have no row.
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
