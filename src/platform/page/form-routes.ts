import { detailOfPage } from '../http/request/page-route.ts';
import type { ErrorPlace } from './error-page.ts';

/**
 * Returns the `detail` of a route whose responses are pages with forms. Errors that the route does not handle
 * itself are pages too. The documentation of the API does not contain the route.
 */
export function formRouteDetail(place: ErrorPlace) {
  return detailOfPage({
    async errorPage(failed) {
      const { errorPage } = await import('./error-page.ts');
      return errorPage(failed, place);
    },
  });
}
