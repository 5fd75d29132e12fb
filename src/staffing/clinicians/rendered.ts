import type { Registry } from '../registry/open.ts';
import { isPublicClinician } from './check.ts';
import { clinicianOf } from './present.ts';
import type { Clinician } from './schema.ts';
import { clinicianSql } from './store.ts';

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
  leftOut: Set<number>;
}

const kept = new WeakMap<Registry, Kept>();

function keptOf(registry: Registry): Kept {
  const known = kept.get(registry);
  if (known !== undefined) return known;
  const fresh = {
    clinicians: new Map<number, string>(),
    pages: new Map<string, string>(),
    leftOut: new Set<number>(),
  };
  kept.set(registry, fresh);
  return fresh;
}

/** A page's answer as JSON text, made by `make` unless it was asked for lately. `question` is all that it depends on. */
export function keptPage(registry: Registry, question: string, make: () => string): string {
  const { pages } = keptOf(registry);
  const known = pages.get(question);
  if (known !== undefined) return known;
  const page = make();
  if (pages.size >= PAGES) pages.clear();
  pages.set(question, page);
  return page;
}

/** A clinician, held against the allowlist; null where there is none, and where the row is no public record, which is logged. */
export function publicClinician(registry: Registry, npi: number): Clinician | null {
  const row = clinicianSql(registry).byNpi.get({ npi });
  if (row === undefined) return null;
  const clinician = clinicianOf(row, registry.specialties);
  if (isPublicClinician(clinician)) return clinician;
  const { leftOut } = keptOf(registry);
  if (leftOut.size < MOST_SAID && !leftOut.has(npi)) {
    leftOut.add(npi);
    registry.leftOut(npi, leftOut.size === MOST_SAID);
  }
  return null;
}

/** A clinician's answer as JSON text; null for one who is not given, as `publicClinician` says. */
export function render(registry: Registry, npi: number): string | null {
  const { clinicians } = keptOf(registry);
  const known = clinicians.get(npi);
  if (known !== undefined) return known;
  const clinician = publicClinician(registry, npi);
  if (clinician === null) return null;
  const text = JSON.stringify(clinician);
  if (clinicians.size >= CLINICIANS) clinicians.clear();
  clinicians.set(npi, text);
  return text;
}
