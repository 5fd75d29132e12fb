import type { Cursors } from '../../platform/http/pagination/cursor.ts';
import type { RegistryHandle } from '../registry/handle.ts';
import type { SearchThreads } from './search-threads.ts';

/** The context of the search functions. */
export interface Clinicians {
  registry: RegistryHandle;
  cursors: Cursors;
  /** Threads that render pages; none by default. */
  searchThreads?: SearchThreads;
}
