import type { Registry } from '../registry/open.ts';
import { arePublicParts, clinicianIn, type FoundRow, recordTextOf } from '../registry/search.ts';
import { isPublicClinician } from './check.ts';
import type { Clinician } from './schema.ts';

/** The number of pages in the cache, about 10 MB. */
const PAGES = 600;
/** The maximum number of skipped rows to log per open file, each once, so that repeated requests do not fill the log. */
const MAX_LOGGED = 10;

/**
 * The cache of an open registry's responses: clients request the same first pages all day. Pages are those of one state of the file; the
 * first page of another state empties the cache.
 */
interface ResponseCache {
  state: number;
  pages: Map<string, string>;
  /** The NPIs of invalid rows that were logged. */
  skipped: Set<number>;
  /** Whether the text of a set of codes is public. */
  codes: Map<number, boolean>;
}

const caches = new WeakMap<Registry, ResponseCache>();

function cacheOf(registry: Registry): ResponseCache {
  const known = caches.get(registry);
  if (known !== undefined) return known;
  const fresh = {
    state: -1,
    pages: new Map<string, string>(),
    skipped: new Set<number>(),
    codes: new Map<number, boolean>(),
  };
  caches.set(registry, fresh);
  return fresh;
}

/**
 * Returns a page's response as JSON text from the cache, or from `make`, in one read transaction. `question`: the cache key, all inputs of
 * the page.
 */
export function cachedPage(registry: Registry, question: string, make: () => string): string {
  return registry.atOnce(() => {
    const cache = cacheOf(registry);
    const { state } = registry.engine;
    if (cache.state !== state) {
      cache.state = state;
      cache.pages.clear();
    }
    const known = cache.pages.get(question);
    if (known !== undefined) return known;
    const page = make();
    if (cache.pages.size >= PAGES) cache.pages.clear();
    cache.pages.set(question, page);
    return page;
  });
}

/** Returns a clinician that passes the allowlist; null when there is none, or its row is invalid, which is logged. */
export function publicClinician(registry: Registry, npi: number): Clinician | null {
  return registry.atOnce(() => {
    const row = clinicianIn(registry, npi);
    return row === null ? null : publicOf(registry, row);
  });
}

/** Returns the public records of rows as JSON texts in their order, without invalid ones, which are logged. */
export function publicTexts(registry: Registry, rows: readonly FoundRow[]): string[] {
  const texts: string[] = [];
  for (const row of rows) {
    if (isPublicRow(registry, row)) texts.push(recordTextOf(registry, row));
    else publicOf(registry, row);
  }
  return texts;
}

/** Checks the parts of a record that are its own by patterns, and each set of codes once by the schema. */
function isPublicRow(registry: Registry, row: FoundRow): boolean {
  if (!arePublicParts(row.npi, row)) return false;
  const { codes } = cacheOf(registry);
  const known = codes.get(row.codes);
  if (known !== undefined) return known;
  const isPublic = isPublicClinician(parsed(recordTextOf(registry, row)));
  codes.set(row.codes, isPublic);
  return isPublic;
}

function publicOf(registry: Registry, row: FoundRow): Clinician | null {
  const clinician = parsed(recordTextOf(registry, row));
  if (isPublicClinician(clinician) && clinician.npi === String(row.npi)) return clinician;
  const { skipped } = cacheOf(registry);
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
