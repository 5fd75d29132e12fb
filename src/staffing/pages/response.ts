import type { Html } from '../../platform/page/html.ts';

/** A page as the response to a request. */
export interface PageResponse {
  title: string;
  body: Html;
  /** Whether the visitor has a session, which the header shows. */
  isSignedIn: boolean;
  /** Default 200. */
  status?: number;
  headers?: Readonly<Record<string, string>>;
  /** The key of a new session by its SHA-256; null ends the session. */
  session?: string | null;
}

/** A path of this service that the browser loads with GET (303). */
export interface Redirect {
  location: string;
  session?: string | null;
}

export type PageOrRedirect = PageResponse | Redirect;

/** What the start page also says: why it is shown, and where the visitor wanted to go. */
export interface StartReason {
  problem?: string;
  next?: string;
}
