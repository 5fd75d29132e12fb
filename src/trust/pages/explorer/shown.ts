import type { Html } from '../../../platform/page/html.ts';

/** The content of a page. */
export interface Shown {
  /** The title of the window, without the name of the product. */
  title: string;
  /** The content, with one h1. */
  body: Html;
  /** The text of the search box, shortened; empty by default. */
  searched?: string;
}

/** Another page of this service, to which the browser goes with GET (303). */
export interface Elsewhere {
  /** A path with its query. */
  location: string;
}
