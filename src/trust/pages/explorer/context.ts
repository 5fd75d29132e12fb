import type { AgreementContext } from './agreements/page.ts';
import type { ClusterContext } from './clusters/page.ts';
import type { ListContext } from './logs/list.ts';
import type { OperatorContext } from './operators/page.ts';
import type { SearchContext } from './search/find.ts';
import type { StartContext } from './start/figures.ts';

/** The parts of the service that the pages use, each page its own. */
export type ExplorerContext = AgreementContext &
  ClusterContext &
  ListContext &
  OperatorContext &
  SearchContext &
  StartContext;
