import { nativePrimitives } from '../../../platform/crypto/crypto.ts';
import { Failure } from '../../../platform/failure.ts';
import { bytesOf, sizeOf } from '../../../platform/files/read.ts';
import { isUrl } from '../../../platform/network/fetch.ts';
import { Progress } from '../../../platform/terminal/progress.ts';
import { timestampOf } from '../../../platform/time/timestamp.ts';
import { logSource } from '../../../platform/tlog/source.ts';
import {
  type AccountsCheckpoint,
  type AccountsTrust,
  accountsLogOf,
  judgeNewest,
} from '../../../proof/account/account-checkpoint.ts';
import { predecessorProblems } from '../../../proof/account/problems.ts';
import { accountOf } from '../../../proof/log/linked-account.ts';
import { isOriginOf } from '../../../proof/log/log-names.ts';
import { Predecessors, predecessorsOf } from '../../../proof/log/predecessors.ts';
import type { VerifierTrust } from '../../../proof/verifier/trust.ts';
import { judgeByBoth } from '../judge/both-implementations.ts';
import type { CheckedOptions } from '../options/combinations.ts';
import type { AccountInputs } from '../values/inputs.ts';
import { readAccountLogs } from './account/account-log.ts';
import { cosignedPath, sizeIn } from './account/copy.ts';
import { keptCheckpointsFrom } from './account/kept-checkpoints.ts';
import { readPredecessors } from './account/predecessors.ts';
import { ReceiptTableStore } from './account/table-store.ts';
import { linesFrom } from './list.ts';
import { readTrust } from './trust.ts';

type AccountOptions = Extract<CheckedOptions, { subject: 'account' }>;

/**
 * Reads what the log of accounts says of a linked account. The list of receipts is read during judging.
 * @throws Failure if nothing can be said, for a log that cannot be read or trusted
 */
export async function readAccount(
  file: string,
  options: AccountOptions,
  { now, resources }: { now: number; resources: DisposableStack },
): Promise<AccountInputs> {
  const { operator, log: location, predecessors: copies, from, allowsUnlinked } = options;
  const read = await readTrust(options.trust);
  const trust = accountsTrust(read, options, now);
  const source = logSource(location);
  const newest = await readNewest(location, trust, read);
  if (from !== null && from >= newest.at)
    throw new Failure(
      `--from is not before ${timestampOf(newest.at)}, when the quorum cosigned the log`,
      'specify an earlier time',
    );
  const kept = await keptCheckpointsFrom(location, newest, trust);
  const closedLogs = predecessorsOf({ log: newest.log, name: 'accounts' }, read);
  const closed = await readPredecessors(copies, { name: newest.log, closedLogs }, trust);
  const predecessors = new Predecessors(
    closedLogs,
    closed.map((one) => one.closed),
  );
  const logged = resources.use(new ReceiptTableStore());
  const account = accountOf(nativePrimitives, operator);
  const stored = isUrl(location) ? newest.size : await sizeIn(source);
  const progress = new Progress(process.stderr, 'leaves');
  try {
    const { history, problems } = await readAccountLogs(
      {
        closed: closed.map(({ log }) => log),
        newest: { source, size: newest.size, root: newest.root, kept, stored },
      },
      { account, from, predecessors },
      logged,
      (count, share) => progress.at(count, share),
    );
    if (history.leaves === 0)
      throw new Failure(
        `${newest.log} has no leaf of ${operator}: its account was never linked, so nothing is proven`,
        'check --operator and --log',
      );
    requirePeriod(history.judgedSince, newest);
    return {
      subject: 'account',
      list: linesFrom(bytesOf(file), sizeOf(file)),
      ...{ operator, account, keys: read.keys, allowsUnlinked },
      isKeptList: options.trust.keys !== undefined && !isUrl(options.trust.keys),
      hasClosedLogs: closedLogs.length > 0,
      ...{ newest, checkpoints: kept.all.length, history, logged },
      problems: [
        ...problems,
        ...history.timeProblems(),
        ...predecessorProblems(predecessors.unread, newest.log),
      ],
    };
  } finally {
    progress.clear();
  }
}

/** Checks that there is a time for which something is proven. @throws Failure */
function requirePeriod(since: number | null, { at }: AccountsCheckpoint): void {
  if (since === null || since <= at) return;
  throw new Failure(
    `the quorum confirms only from ${timestampOf(since)} on that the account was linked, and the checkpoint is of ${timestampOf(at)}`,
    'try again when the witnesses of --policy have cosigned a newer checkpoint',
  );
}

/**
 * Returns what the log of accounts is judged with.
 * @throws Failure without a quorum, and if nothing names the log
 */
function accountsTrust(
  { logKeys, policy, keyLog }: VerifierTrust,
  { trust: { policy: path, anyLog, logKey } }: AccountOptions,
  now: number,
): AccountsTrust {
  if (policy === undefined || policy.policy.quorum === null)
    throw new Failure(
      `the policy ${path} has no quorum, so anybody could have made the log up`,
      'name the witnesses that must have cosigned it',
      2,
    );
  const log = accountsLogOf(logKeys, keyLog);
  const named = logKeys.flatMap((key) => ('origin' in key.log ? [key.log.origin] : []));
  const namesOthersOnly = named.length > 0 && !named.some((origin) => isOriginOf(origin, 'accounts'));
  // Keys that are named for other logs cannot have signed the log of accounts.
  if (log === null && (!anyLog || namesOthersOnly)) throw notNamed(path, { logKey, named, namesOthersOnly });
  return { log, logKeys: [...logKeys], policy: policy.policy, now };
}

/**
 * Returns the error if nothing says which log of accounts is meant, with what helps here: lines of a policy
 * and --log-key exclude each other, and keys that are named for other logs exclude --any-log.
 */
function notNamed(
  policy: string,
  {
    logKey,
    named,
    namesOthersOnly,
  }: { logKey: readonly string[] | undefined; named: readonly string[]; namesOthersOnly: boolean },
): Failure {
  const source = logKey === undefined ? policy : '--log-key';
  const add = logKey === undefined ? `add its lines to ${policy}` : 'pass it with one more --log-key';
  const save = `save the response of /log/accounts/vkeys and ${add}`;
  const others = 'use a list of keys that has log.origin, or accept any log with --any-log';
  const message = 'log_not_named: nothing says which log of accounts is meant';
  if (namesOthersOnly) return new Failure(`${message}: ${source} only has keys of other logs`, save);
  if (named.length > 0) return new Failure(`${message}: ${source} has keys of several`, others);
  return new Failure(message, `${save}, ${others}`);
}

/** Reads the newest cosigned checkpoint. @throws Failure unless it counts */
async function readNewest(
  location: string,
  trust: AccountsTrust,
  read: VerifierTrust,
): Promise<AccountsCheckpoint> {
  const source = logSource(location);
  const note = await source.read(cosignedPath(location));
  const newest = await judgeByBoth('checkpoint', (primitives) => judgeNewest(primitives, note, trust));
  if (!('problem' in newest)) return newest;
  const { problem, wrongLog } = newest;
  throw new Failure(
    `the checkpoint of ${source.location}/accounts does not count: ${problem}`,
    wrongLog === undefined || trust.log === null
      ? 'get a checkpoint that the witnesses of --policy cosigned just now, and check the keys and the clocks'
      : remedyForWrongLog(wrongLog, trust.log, read),
  );
}

/** Returns what helps if the log that is read is another one of the same keys. @param log that is meant */
function remedyForWrongLog(origin: string, log: string, read: VerifierTrust): string {
  const isClosed = predecessorsOf({ log, name: 'accounts' }, read).some((closed) => closed.origin === origin);
  if (isClosed) return `read ${log}, which continues it, with --log, and this copy with --predecessor`;
  return `read ${log} with --log; if the service now continues ${origin}, save its list of keys again and verify it with the old one (verify NEW.json --keys OLD.json --log URL), or name ${origin} with a log line of --policy`;
}
