import type { JournalPageContext } from './agents/journal.ts';
import type { AgentPageContext } from './agents/page.ts';
import type { AgreementContext } from './agreements/page.ts';
import type { ClusterContext } from './clusters/page.ts';
import type { EngagementContext } from './engagements/page.ts';
import type { LeaderboardPageContext } from './leaderboard/page.ts';
import type { ListContext } from './logs/list.ts';
import type { OperatorContext } from './operators/page.ts';
import type { ReceiptPageContext } from './receipts/page.ts';
import type { SearchContext } from './search/find.ts';
import type { StartContext } from './start/figures.ts';

/** The parts of the service that the pages use, each page its own. */
export type ExplorerContext = AgreementContext &
  AgentPageContext &
  ClusterContext &
  EngagementContext &
  JournalPageContext &
  LeaderboardPageContext &
  ListContext &
  OperatorContext &
  ReceiptPageContext &
  SearchContext &
  StartContext;
