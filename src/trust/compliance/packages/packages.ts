import type { Ids } from '../../../platform/ids.ts';
import { lazy } from '../../../platform/lazy.ts';
import type { Store } from '../../../platform/store/store.ts';
import type { Clock } from '../../../platform/time/clock.ts';
import { timestamp } from '../../../platform/time/clock.ts';
import type { ClockWatch } from '../../../platform/time/clock-watch.ts';
import { LOG_NAMES, type LogName, mapLogs } from '../../../proof/log/log-names.ts';
import { commonErrors } from '../../http/errors.ts';
import type { PublishedCheckpoint } from '../../log/checkpoints/checkpoints.ts';
import { issueTime, refuseWrongClock } from '../../log/clock/dates.ts';
import type { Signer } from '../../log/keys/signing/signer.ts';
import { backdateCredentialsKey, refuseReadOnly } from '../../log/keys/signing/statements.ts';
import type { TrustLog } from '../../log/lifecycle/open.ts';
import type { BuildOrder, BuiltPackage } from './build-order.ts';
import { BuildQueue } from './build-queue.ts';
import { type CachedPackage, PackageCache } from './cache.ts';
import { CitableCheckpoints, REUSE_MS } from './citable-checkpoints.ts';
import type { PackageRequest, PackageSource, PackageText, SubjectState, TreeSizes } from './request.ts';
import { insertCitations } from './store.ts';

export type PackagesContext = {
  store: Store;
  clock: Clock;
  clockWatch: ClockWatch;
  ids: Ids;
  signer: Signer;
  log: TrustLog;
  readOnly: boolean;
  /** The commitments of the listed assessors. */
  policy: { assessors: readonly string[] };
};

/** How long an unchanged package is sent. As old as a checkpoint gets. */
const MAX_AGE_MS = 600_000;
/** How often a package is built while the state of its subject keeps changing. */
const ATTEMPTS = 2;
/** The cited checkpoints that are known to be recorded. */
const MAX_KNOWN = 4096;

const utf8 = new TextEncoder();

/** Makes the packages of all capabilities: builds them in Workers, signs and caches them. */
export class Packages implements PackageSource {
  private readonly queue: BuildQueue;
  /** Created when needed: a command may lack the log. */
  private readonly checkpoints: () => CitableCheckpoints;
  private readonly cache = new PackageCache();
  private readonly running = new Map<string, Promise<CachedPackage | null>>();
  private readonly recorded = new Set<number>();

  /**
   * @param file the database
   * @param issuer returns the DID of the service
   */
  constructor(
    private readonly context: PackagesContext,
    file: string,
    private readonly issuer: () => string,
  ) {
    this.queue = new BuildQueue(file);
    this.checkpoints = lazy(() => new CitableCheckpoints(context.log.publisher, context.clock));
  }

  /** See `PackageSource.get`. */
  async get(request: PackageRequest): Promise<PackageText | null> {
    refuseReadOnly(this.context);
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const subject = await this.subjectOf(request);
      const key = keyOf(request);
      const cached = this.cache.get(key);
      if (cached !== null && this.isCurrent(cached, subject)) return cached;
      const built = await this.built(key, request, subject);
      const after = await this.subjectOf(request);
      await request.authorize?.();
      if (after.state === subject.state && (built === null || built.state === subject.state)) return built;
    }
    throw commonErrors.overloaded({
      message: 'The subject of the package changed while the package was built. Repeat the request.',
      headers: { 'retry-after': '1' },
    });
  }

  /** Ends the Workers. */
  close(): void {
    this.queue.close();
  }

  private subjectOf(request: PackageRequest): Promise<SubjectState> {
    const sizes = this.checkpoints().newestSizes();
    const { store, policy } = this.context;
    return store.read((snapshot) => request.subjectIn(snapshot, sizes, policy.assessors));
  }

  private isCurrent(cached: CachedPackage, { state, version }: SubjectState): boolean {
    const { clock, signer } = this.context;
    const age = clock.now() - cached.builtAt;
    if (cached.state !== state || cached.version !== version || age < 0 || age >= MAX_AGE_MS) return false;
    if (cached.keySeq !== signer.activeKey('credentials').keySeq) return false;
    return age < REUSE_MS || isSame(cached.sizes, this.checkpoints().newestSizes());
  }

  /** Builds a package, or waits for the same one that is being built. */
  private async built(
    key: string,
    request: PackageRequest,
    subject: SubjectState,
  ): Promise<CachedPackage | null> {
    // A build that began with another version of the subject may lack its newest entry.
    const build = JSON.stringify([key, subject.state, subject.version]);
    const earlier = this.running.get(build);
    if (earlier !== undefined) return earlier;
    await request.countBuild();
    const started = this.running.get(build) ?? this.signed(request, subject);
    this.running.set(build, started);
    try {
      const text = await started;
      if (text !== null) this.cache.set(key, text);
      return text;
    } finally {
      if (this.running.get(build) === started) this.running.delete(build);
    }
  }

  private async signed(request: PackageRequest, subject: SubjectState): Promise<CachedPackage | null> {
    const { clock, signer } = this.context;
    // While the clock is wrong no checkpoint is signed, so waiting for one would fail.
    refuseWrongClock(this.context);
    const cited = await this.checkpoints().choose(subject);
    // Before the Worker opens its snapshot, so that the package covers everything stored until its time.
    const builtAt = issueTime(this.context);
    const { keySeq } = signer.activeKey('credentials');
    const order = this.orderOf(request, cited, builtAt);
    const built = await this.context.log.damage.tracked(this.queue.build(order));
    if (built === null) return null;
    await this.record(built.cited.map((name) => cited[name].checkpointSeq));
    // The key's valid_from is compared with the clock.
    refuseWrongClock(this.context);
    const signature = signer.sign('credentials', utf8.encode(built.digest));
    if (signature.keySeq !== keySeq) throw keyReplaced();
    await backdateCredentialsKey(this.context, timestamp(clock));
    return {
      json: textOf(built, signature),
      etag: `"${built.digest}"`,
      builtAt,
      state: subject.state,
      version: subject.version,
      sizes: sizesOf(cited),
      keySeq,
    };
  }

  private orderOf(
    { kind, subject, framework, period: { from, to }, view }: PackageRequest,
    cited: Record<LogName, PublishedCheckpoint>,
    builtAt: number,
  ): BuildOrder {
    const { ids, log, policy } = this.context;
    return {
      kind,
      subject,
      framework,
      period: { from, to },
      view,
      treeSizes: sizesOf(cited),
      assessors: policy.assessors,
      packageId: ids.newId('pkg_'),
      issuer: this.issuer(),
      // Never before what it cites, if the clock was set back.
      generatedAt: timestamp({
        now: () => Math.max(builtAt, ...LOG_NAMES.map((name) => Date.parse(cited[name].response.issued_at))),
      }),
      logs: mapLogs((name) => {
        const { tree_size: treeSize, root_hash: rootHash, note } = cited[name].response;
        return { log: log.open[name], treeSize, rootHash, note };
      }),
    };
  }

  /** Records durably that checkpoints are cited, before anybody has a package that cites them. */
  private async record(checkpointSeqs: readonly number[]): Promise<void> {
    const unknown = checkpointSeqs.filter((checkpointSeq) => !this.recorded.has(checkpointSeq));
    if (unknown.length === 0) return;
    await this.context.store.writeAsService((tx) => insertCitations(tx, unknown));
    if (this.recorded.size >= MAX_KNOWN) this.recorded.clear();
    for (const checkpointSeq of unknown) this.recorded.add(checkpointSeq);
  }
}

function keyOf({ kind, subject, framework, period, view }: PackageRequest): string {
  return JSON.stringify([kind, subject, framework, period.key, view]);
}

function sizesOf(cited: Record<LogName, PublishedCheckpoint>): TreeSizes {
  return mapLogs((name) => cited[name].response.tree_size);
}

function isSame(one: TreeSizes, other: TreeSizes): boolean {
  return Object.values(mapLogs((name) => one[name] === other[name])).every(Boolean);
}

function textOf(
  { parts: [beforeKid, beforeSignature, end] }: BuiltPackage,
  { kid, signature }: { kid: string; signature: string },
): string {
  return `${beforeKid}"${kid}"${beforeSignature}"${signature}"${end}`;
}

function keyReplaced() {
  return commonErrors.overloaded({
    message: 'The signing key was replaced while the package was built. Repeat the request.',
    headers: { 'retry-after': '1' },
  });
}
