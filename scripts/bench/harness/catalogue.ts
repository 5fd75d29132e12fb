import { a2a } from '../a2a.ts';
import { avatar } from '../avatar.ts';
import { backup } from '../backup.ts';
import { balances } from '../balances.ts';
import { beside } from '../beside.ts';
import { billing } from '../billing.ts';
import { checks } from '../checks.ts';
import { compare } from '../compare.ts';
import { complete } from '../complete.ts';
import { credentials } from '../credentials.ts';
import { datacenter } from '../datacenter.ts';
import { evidence } from '../evidence.ts';
import { fsck } from '../fsck.ts';
import { issue } from '../issue.ts';
import { killNine } from '../kill-nine.ts';
import { large } from '../large.ts';
import { leaderboard } from '../leaderboard.ts';
import { ledger } from '../ledger.ts';
import { linked } from '../linked.ts';
import { log } from '../log.ts';
import { packages } from '../packages.ts';
import { payments } from '../payments.ts';
import { payouts } from '../payouts.ts';
import { proofs } from '../proofs.ts';
import { publication } from '../publication.ts';
import { reads } from '../reads.ts';
import { registry } from '../registry.ts';
import { retention } from '../retention.ts';
import { search } from '../search.ts';
import { staffing } from '../staffing.ts';
import { start } from '../start.ts';
import { transfers } from '../transfers.ts';
import { verify } from '../verify.ts';
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
