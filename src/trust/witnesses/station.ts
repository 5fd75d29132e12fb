import type { Logger } from 'pino';
import { nativePrimitives } from '../../platform/crypto/crypto.ts';
import type { Resolve } from '../../platform/network/name-resolver.ts';
import { timestamp } from '../../platform/time/clock.ts';
import { encodeBase64 } from '../../proof/encoding/base64.ts';
import { consistencyPath } from '../../proof/log/merkle.ts';
import { LOG_NAMES, type LogName } from '../../proof/log/names.ts';
import type { TrustContext } from '../context.ts';
import type { PublishedCheckpoint } from '../log/checkpoints/checkpoints.ts';
import { type Cosignature, storeCosignaturesIn } from '../log/checkpoints/cosignatures.ts';
import { computeFromNodes } from '../log/tree/tree.ts';
import type { PolicyWitness, StationAddress } from './policy.ts';
import { submit, verifiedLines, WitnessFailure } from './submit.ts';

/** A checkpoint is asked for twice at most within it. */
const TIMEOUT_MS = 5000;
/** After one failure, doubled by each that follows. */
const FIRST_PAUSE_MS = 2000;
const LONGEST_PAUSE_MS = 60_000;

/** How it stands between one log and one station. */
interface Relation {
  /** The size that was cosigned last; 0 while it is not known: the witness says so, and is asked again. */
  size: number;
  /** The last checkpoint that it answered for. */
  checkpointSeq: number | null;
  failures: number;
  /** Milliseconds since 1970. */
  pausedUntil: number;
}

/** What asking works with. */
export type Surroundings = Pick<TrustContext, 'store' | 'clock' | 'log'>;

/** Asks the witnesses behind one address to cosign the newest checkpoints. */
export class Station {
  private readonly relations = new Map<LogName, Relation>();

  constructor(
    private readonly trust: Surroundings,
    private readonly address: StationAddress,
    private readonly resolve: Resolve,
    private readonly hooks: {
      log: Logger;
      kept(witness: PolicyWitness, name: LogName): void;
      failed(witness: PolicyWitness, name: LogName, failure: WitnessFailure): void;
    },
  ) {}

  /** For people. */
  get name(): string {
    return this.address.witnesses.map(({ name }) => name).join(', ');
  }

  /** Asks for the newest checkpoint of every log that is not cosigned. @throws Error when the store does not take what came */
  async ask(): Promise<void> {
    const asked = await Promise.allSettled(LOG_NAMES.map((name) => this.askFor(name)));
    for (const outcome of asked) if (outcome.status === 'rejected') throw outcome.reason;
  }

  private async askFor(name: LogName): Promise<void> {
    const relation = this.relationOf(name);
    const newest = this.trust.log.publisher.latest(name);
    if (newest.checkpointSeq === relation.checkpointSeq || this.isPaused(relation) || this.has(newest))
      return;
    try {
      const cosignatures = await this.cosigned(name, newest, relation);
      await this.keep(name, newest, cosignatures);
      relation.size = newest.response.tree_size;
      relation.checkpointSeq = newest.checkpointSeq;
      if (relation.failures > 0)
        this.hooks.log.info({ witness: this.name, log: name }, 'a witness cosigns again');
      relation.failures = 0;
    } catch (error) {
      this.fail(name, relation, error);
    }
  }

  private async cosigned(
    name: LogName,
    newest: PublishedCheckpoint,
    relation: Relation,
  ): Promise<Cosignature[]> {
    const { url, witnesses } = this.address;
    const { tree_size } = newest.response;
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const { resolve } = this;
    const ask = async (from: number) =>
      submit(url, await this.submission(name, newest, from), { resolve, signal });
    let reply = await ask(Math.min(relation.size, tree_size));
    if ('size' in reply && reply.size <= tree_size) reply = await ask(reply.size);
    if ('lines' in reply) return verifiedLines(reply.lines, newest.ownNote, witnesses);
    // Meanwhile another checkpoint may have been published, and somebody else may have submitted that.
    if (reply.size <= this.trust.log.publisher.latest(name).response.tree_size) {
      throw new WitnessFailure('conflict', `it has cosigned ${reply.size} leaves meanwhile`);
    }
    throw new WitnessFailure(
      'ahead',
      `it has cosigned ${reply.size} leaves, and the log has published ${tree_size}`,
    );
  }

  private submission(
    name: LogName,
    { response, ownNote }: PublishedCheckpoint,
    from: number,
  ): Promise<string> {
    const { store, log } = this.trust;
    return store.read(async (snapshot) => {
      const path = await computeFromNodes(snapshot, log.open[name], (node) =>
        consistencyPath(nativePrimitives, from, response.tree_size, node),
      );
      return [`old ${from}`, ...path.map(encodeBase64), '', ownNote].join('\n');
    });
  }

  private async keep(
    name: LogName,
    { checkpointSeq }: PublishedCheckpoint,
    cosignatures: readonly Cosignature[],
  ): Promise<void> {
    const { store, clock, log } = this.trust;
    await store.writeAsService(async (tx) => {
      const all = await storeCosignaturesIn(tx, checkpointSeq, cosignatures, timestamp(clock));
      tx.afterCommit(() => log.publisher.cosigned(name, checkpointSeq, all));
    });
    for (const witness of this.address.witnesses) {
      if (cosignatures.some((cosignature) => isBy(witness, cosignature))) this.hooks.kept(witness, name);
    }
  }

  /** The log goes on without it: whoever relies on witnesses finds the lines missing, and the metrics tell. */
  private fail(name: LogName, relation: Relation, error: unknown): void {
    const { log, failed } = this.hooks;
    const pause = Math.min(FIRST_PAUSE_MS * 2 ** relation.failures, LONGEST_PAUSE_MS);
    relation.failures++;
    relation.pausedUntil = this.trust.clock.now() + pause;
    if (!(error instanceof WitnessFailure)) throw error;
    const { reason, message } = error;
    // Whatever it said before is asked for anew.
    relation.size = 0;
    for (const witness of this.address.witnesses) failed(witness, name, error);
    const told = { witness: this.name, url: this.address.url, log: name, reason, message };
    if (error.disputes) {
      log.error(told, 'a witness knows another tree of this log: was the log taken back to an older state?');
    } else if (relation.failures === 1) {
      log.warn(told, 'a witness does not cosign');
    }
  }

  private relationOf(name: LogName): Relation {
    const known = this.relations.get(name);
    if (known !== undefined) return known;
    const fresh = { size: 0, checkpointSeq: null, failures: 0, pausedUntil: 0 };
    this.relations.set(name, fresh);
    return fresh;
  }

  /** A clock that was set back makes nobody wait longer than the longest pause. */
  private isPaused({ pausedUntil }: Relation): boolean {
    const left = pausedUntil - this.trust.clock.now();
    return left > 0 && left <= LONGEST_PAUSE_MS;
  }

  private has({ cosignatures }: PublishedCheckpoint): boolean {
    return this.address.witnesses.every((witness) =>
      cosignatures.some((cosignature) => isBy(witness, cosignature)),
    );
  }
}

/** Whether a line is by a witness's key. */
export function isBy(
  { key }: PolicyWitness,
  { witness, keyId }: Pick<Cosignature, 'witness' | 'keyId'>,
): boolean {
  return key.name === witness && key.keyId === keyId;
}
