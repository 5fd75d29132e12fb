import { integer } from '../../platform/config/setting.ts';

const MOST_THREADS = 64;

/** The settings of searches. */
export const cliniciansSettings = {
  searchThreads: integer<null>('search_threads', 0, MOST_THREADS, {
    description:
      'threads that run searches while the main thread is busy; each takes up to 150 MB while it is used',
    fallback: null,
    fallbackText: 'one less than the processors, 4 at most',
  }),
};

const DEFAULT_THREADS = 4;

/** Returns the number of threads. @param setting the configured number; null for the default */
export function searchThreadsOf(setting: number | null, processors = navigator.hardwareConcurrency): number {
  return setting ?? Math.min(DEFAULT_THREADS, Math.max(0, processors - 1));
}
