import type { Html } from '../../platform/page/html.ts';

/** A page as the answer to a request. */
export interface PageAnswer {
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

export type Answer = PageAnswer | Redirect;

/** What the start page says besides: why it is shown, and where the visitor wanted to go. */
export interface StartReason {
  problem?: string;
  next?: string;
}
