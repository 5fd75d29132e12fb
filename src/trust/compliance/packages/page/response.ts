import { inForms } from '../../../../platform/http/schema.ts';
import { PageText, wantedForm } from '../../../../platform/page/negotiation.ts';
import type { PackageText } from '../request.ts';
import { PackageJson } from '../schema.ts';
import type { PageContext } from './page.ts';

/** The response with a package: as JSON, or as a page. */
export const PackageResponse = inForms(
  [PackageJson, PageText],
  'The signed package as JSON; or as a page for people, which contains the JSON as a download.',
);

/**
 * Returns the body of the response with a package, in the form that the Accept header prefers; null if the
 * client has it already. Sets the headers.
 * @param isPrivate whether shared caches must not store it
 */
export async function packageBody(
  request: Request,
  headers: Record<string, string | number>,
  { json, etag }: PackageText,
  context: PageContext,
  isPrivate = false,
): Promise<string | null> {
  const form = wantedForm(request, headers, etag, isPrivate);
  if (form !== 'page') return form === null ? null : json;
  // Loaded with the first page, since most clients are programs.
  const { packagePage } = await import('./page.ts');
  const { documentOf } = await import('./document.ts');
  const page = packagePage(json, documentOf(json), context);
  Object.assign(headers, page.headers);
  return page.text;
}
