import type { Registry } from '../registry/open.ts';
import { checkClinician } from './check.ts';
import { clinicianOf } from './present.ts';
import { clinicianSql } from './store.ts';

/** Some 10 MB of clinicians, and as much of pages. */
const CLINICIANS = 15_000;
const PAGES = 600;

/**
 * What was answered of a registry lately: firms ask for the same first pages all day, and putting one together takes most of a
 * search's time. A registry is opened anew whenever its file is another or was changed, and begins with nothing kept.
 */
interface Kept {
  clinicians: Map<number, string>;
  pages: Map<string, string>;
}

const kept = new WeakMap<Registry, Kept>();

function keptOf(registry: Registry): Kept {
  const known = kept.get(registry);
  if (known !== undefined) return known;
  const fresh = { clinicians: new Map<number, string>(), pages: new Map<string, string>() };
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

/** A clinician's answer as JSON text, held against the allowlist when it is made; null when there is none any more. */
export function render(registry: Registry, npi: number): string | null {
  const { clinicians } = keptOf(registry);
  const known = clinicians.get(npi);
  if (known !== undefined) return known;
  const row = clinicianSql(registry).byNpi.get({ npi });
  if (row === undefined) return null;
  const text = JSON.stringify(checkClinician(clinicianOf(row, registry.specialties)));
  if (clinicians.size >= CLINICIANS) clinicians.clear();
  clinicians.set(npi, text);
  return text;
}
