import { a2a } from '../benchmarks/a2a.ts';
import { avatar } from '../benchmarks/avatar.ts';
import { backup } from '../benchmarks/backup.ts';
import { balances } from '../benchmarks/balances.ts';
import { beside } from '../benchmarks/beside.ts';
import { billing } from '../benchmarks/billing.ts';
import { checks } from '../benchmarks/checks.ts';
import { compare } from '../benchmarks/compare.ts';
import { complete } from '../benchmarks/complete.ts';
import { credentials } from '../benchmarks/credentials.ts';
import { datacenter } from '../benchmarks/datacenter.ts';
import { evidence } from '../benchmarks/evidence.ts';
import { fsck } from '../benchmarks/fsck.ts';
import { issue } from '../benchmarks/issue.ts';
import { killNine } from '../benchmarks/kill-nine.ts';
import { large } from '../benchmarks/large.ts';
import { leaderboard } from '../benchmarks/leaderboard.ts';
import { ledger } from '../benchmarks/ledger.ts';
import { linked } from '../benchmarks/linked.ts';
import { log } from '../benchmarks/log.ts';
import { packages } from '../benchmarks/packages.ts';
import { payments } from '../benchmarks/payments.ts';
import { payouts } from '../benchmarks/payouts.ts';
import { proofs } from '../benchmarks/proofs.ts';
import { publication } from '../benchmarks/publication.ts';
import { reads } from '../benchmarks/reads.ts';
import { registry } from '../benchmarks/registry.ts';
import { retention } from '../benchmarks/retention.ts';
import { search } from '../benchmarks/search.ts';
import { staffing } from '../benchmarks/staffing.ts';
import { start } from '../benchmarks/start.ts';
import { transfers } from '../benchmarks/transfers.ts';
import { verify } from '../benchmarks/verify.ts';
import type { Benchmark } from './benchmark.ts';

/** All benchmarks, in the order of running and of the page. */
export const BENCHMARKS: readonly Benchmark[] = [
  compare,
  start,
  issue,
  linked,
  checks,
  large,
  backup,
  beside,
  log,
  publication,
  retention,
  proofs,
  verify,
  complete,
  fsck,
  evidence,
  leaderboard,
  avatar,
  transfers,
  payments,
  billing,
  payouts,
  balances,
  ledger,
  credentials,
  a2a,
  packages,
  datacenter,
  staffing,
  search,
  registry,
  reads,
  killNine,
];
