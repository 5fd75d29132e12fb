import { bundles } from '../benchmarks/bundles.ts';
import { capture } from '../benchmarks/capture.ts';
import { compare } from '../benchmarks/compare.ts';
import { compareHires } from '../benchmarks/compare-hires.ts';
import { comparePayments } from '../benchmarks/compare-payments.ts';
import { complete } from '../benchmarks/complete.ts';
import { credentials } from '../benchmarks/credentials.ts';
import { engagements } from '../benchmarks/engagements.ts';
import { evidence } from '../benchmarks/evidence.ts';
import { explorer } from '../benchmarks/explorer.ts';
import { fairness } from '../benchmarks/fairness.ts';
import { finalize } from '../benchmarks/finalize.ts';
import { fsck } from '../benchmarks/fsck.ts';
import { issue } from '../benchmarks/issue.ts';
import { journalHeads } from '../benchmarks/journal-heads.ts';
import { leaderboard } from '../benchmarks/leaderboard.ts';
import { monitor } from '../benchmarks/monitor.ts';
import { otlp } from '../benchmarks/otlp.ts';
import { packages } from '../benchmarks/packages.ts';
import { payments } from '../benchmarks/payments.ts';
import { registry } from '../benchmarks/registry.ts';
import { scorecard } from '../benchmarks/scorecard.ts';
import { search } from '../benchmarks/search.ts';
import { start } from '../benchmarks/start.ts';
import { statements } from '../benchmarks/statements.ts';
import { streams } from '../benchmarks/streams.ts';
import { testing } from '../benchmarks/testing.ts';
import { transfers } from '../benchmarks/transfers.ts';
import { verify } from '../benchmarks/verify.ts';
import type { Benchmark } from './benchmark.ts';

/** All benchmarks, in the order of running and of the page. */
export const BENCHMARKS: readonly Benchmark[] = [
  compare,
  compareHires,
  comparePayments,
  start,
  testing,
  issue,
  finalize,
  capture,
  fairness,
  explorer,
  monitor,
  verify,
  bundles,
  complete,
  fsck,
  journalHeads,
  evidence,
  leaderboard,
  transfers,
  payments,
  statements,
  engagements,
  streams,
  credentials,
  packages,
  scorecard,
  otlp,
  search,
  registry,
];
