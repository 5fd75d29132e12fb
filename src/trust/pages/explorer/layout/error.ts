import type { ErrorOfPage } from '../../../../platform/http/request/page-route.ts';
import { errorContent } from '../../../../platform/page/error-page.ts';
import type { Shown } from '../shown.ts';

/** The messages of the API speak of keys and paths. */
const MESSAGES: Readonly<Record<number, string>> = {
  401: 'Only operators of this service see these pages.',
  404: 'Nothing public has this address. It may never have existed, or not be public.',
};

/** Returns the page of an error. What is unknown and what is hidden have the same one. */
export function errorPageOf(failed: ErrorOfPage): Shown {
  const message = MESSAGES[failed.status] ?? failed.message;
  const place =
    failed.status === 401
      ? { home: `/account?next=${encodeURIComponent(failed.address)}`, homeName: 'Log in' }
      : { home: '/', homeName: 'Start page' };
  return errorContent({ ...failed, message }, place);
}
