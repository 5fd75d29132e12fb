import { definePage, NONE, type PageDefinition } from './definition.ts';

/** The pages, in the order of the navigation. A page is one line here and one file. */
export const PAGES: readonly PageDefinition[] = [
  definePage({
    path: '/',
    navigation: 'Start',
    programs: '/swagger',
    params: NONE,
    query: NONE,
    load: async () => (await import('./start/page.ts')).startPage,
  }),
  definePage({
    path: '/logs',
    navigation: 'Logs',
    params: NONE,
    query: NONE,
    load: async () => (await import('./logs/list.ts')).logsPage,
  }),
];
