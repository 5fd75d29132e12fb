import type { Registry } from '../registry/open.ts';
import type { PagePosition, Question } from '../registry/search.ts';
import { type NormalizedFilters, questionIn } from './filters.ts';
import { publicTexts } from './public-rows.ts';
import { suggestionsFor } from './suggestions.ts';

/** A page ends early after this many invalid rows, to limit the cost of a request on a damaged file. */
const MAX_SKIPPED = 200;

/** What a page is asked for. */
export interface PageRequest {
  filters: NormalizedFilters;
  /** The position after which the page begins; null for the first page. */
  after: PagePosition | null;
  limit: number;
  withTotal: boolean;
}

/**
 * A page: its JSON text without the end, and the position after which the next page begins; null for the last
 * page.
 */
export interface RenderedPage {
  text: string;
  next: PagePosition | null;
}

/** Renders a page. @throws ApiError UNKNOWN_SPECIALTY */
export function renderPage(open: Registry, { filters, after, limit, withTotal }: PageRequest): RenderedPage {
  const { question, specialty } = questionIn(open, filters);
  const { data, next } = rowsOf(open, question, after, limit);
  let text = `{"data":[${data.join(',')}]`;
  if (specialty !== null) text += `,"understood_as":${specialty.understoodAs}`;
  if (data.length === 0 && after === null) {
    const suggestions = suggestionsFor(open, filters);
    if (suggestions.length > 0) text += `,"suggestions":${JSON.stringify(suggestions)}`;
  }
  const total = withTotal ? open.engine.count(question) : null;
  if (total !== null) text += `,"total":${total},"total_exact":true`;
  return { text, next };
}

/** Returns the JSON text of a page with its end. @param cursor of the next page; null for the last one */
export function completed({ text }: RenderedPage, cursor: string | null): string {
  return cursor === null
    ? `${text},"has_more":false,"next_cursor":null}`
    : `${text},"has_more":true,"next_cursor":"${cursor}"}`;
}

/**
 * Returns the clinicians of a page as JSON, and the position after which the next page begins; null for the
 * last page. Invalid rows are skipped, and the page is filled with the following rows.
 */
export function rowsOf(
  open: Registry,
  question: Question,
  after: PagePosition | null,
  limit: number,
): { data: string[]; next: PagePosition | null } {
  const data: string[] = [];
  let position = after;
  for (let skipped = 0; skipped <= MAX_SKIPPED; ) {
    const { rows, last, hasMore } = open.engine.page(question, position, limit - data.length);
    const texts = publicTexts(open, rows);
    data.push(...texts);
    skipped += rows.length - texts.length;
    position = last;
    if (!hasMore) return { data, next: null };
    if (texts.length === rows.length) break;
  }
  return { data, next: position };
}
