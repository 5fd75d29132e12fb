import { ClusterPath } from '../../datacenter/schema.ts';
import { LogPath } from '../../log/schema.ts';
import { ProposalPath } from '../../protocols/agora/schema.ts';
import { OperatorPath } from '../../receipts/gate/schema.ts';
import { definePage, NONE, type PageDefinition } from './definition.ts';
import { EntryQuery } from './logs/query.ts';
import { SearchQuery } from './search/query.ts';

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
  definePage({
    path: '/logs/:name',
    params: LogPath,
    query: EntryQuery,
    load: async () => (await import('./logs/page.ts')).logPage,
  }),
  definePage({
    path: '/search',
    params: NONE,
    query: SearchQuery,
    load: async () => (await import('./search/page.ts')).searchPage,
  }),
  definePage({
    path: '/operators/:id',
    limit: 'gate',
    params: OperatorPath,
    query: NONE,
    load: async () => (await import('./operators/page.ts')).operatorPage,
  }),
  definePage({
    path: '/clusters/:id',
    params: ClusterPath,
    query: NONE,
    load: async () => (await import('./clusters/page.ts')).clusterPage,
  }),
  definePage({
    path: '/agreements/:proposalId',
    shows: ['/api/v1/agora/proposals/:proposalId'],
    params: ProposalPath,
    query: NONE,
    load: async () => (await import('./agreements/page.ts')).agreementPage,
  }),
];
