import { Type } from '@sinclair/typebox';
import { ClusterPath } from '../../datacenter/schema.ts';
import { ProfilePath } from '../../evidence/profiles/schema.ts';
import { LeaderboardQuery } from '../../evidence/reputation/schema.ts';
import { AcpDeliveredPath } from '../../hires/engagements/requests.ts';
import { JournalQuery } from '../../ledger/journals/schema.ts';
import { LogPath } from '../../log/schema.ts';
import { ProposalPath } from '../../protocols/agora/schema.ts';
import { OperatorPath } from '../../receipts/gate/schema.ts';
import { ReceiptPath } from '../../receipts/schema.ts';
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
    path: '/receipts/:id',
    shows: ['/api/v1/receipts/:id', '/api/v1/receipts/:id/public-manifest'],
    params: ReceiptPath,
    query: NONE,
    load: async () => (await import('./receipts/page.ts')).receiptPage,
  }),
  definePage({
    path: '/agents/:hash',
    shows: ['/api/v1/profiles/:hash'],
    params: ProfilePath,
    query: NONE,
    load: async () => (await import('./agents/page.ts')).agentPage,
  }),
  definePage({
    path: '/agents/:hash/journal',
    params: ProfilePath,
    query: Type.Pick(JournalQuery, ['cursor']),
    load: async () => (await import('./agents/journal.ts')).journalPage,
  }),
  definePage({
    path: '/leaderboard',
    navigation: 'Agents',
    shows: ['/api/v1/leaderboard'],
    params: NONE,
    query: Type.Pick(LeaderboardQuery, ['cursor', 'sort']),
    load: async () => (await import('./leaderboard/page.ts')).leaderboardPage,
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
  definePage({
    path: '/engagements/:taskId',
    shows: ['/api/v1/acp/task/:taskId'],
    params: AcpDeliveredPath,
    query: NONE,
    load: async () => (await import('./engagements/page.ts')).engagementPage,
  }),
];
