import type { Logger } from 'pino';
import type { ModuleTask } from '../../../platform/module.ts';
import type { MetricsRecorder } from '../../../platform/monitoring/recorder.ts';
import type { Resolve } from '../../../platform/network/name-resolver.ts';
import { LOG_NAMES, type LogName } from '../../../proof/log/log-names.ts';
import { lastCosigned } from '../checkpoints/cosignatures.ts';
import { FAILURE_REASONS, type WitnessFailure } from './add-checkpoint.ts';
import { Candidates } from './candidates.ts';
import type { PolicyWitness, WitnessPolicy } from './policy.ts';
import { WitnessClient, type WitnessClientContext } from './witness-client.ts';

/**
 * The interval at which each witness looks for a new choice. Short, so that all witnesses are asked for a
 * checkpoint at nearly the same time. Strangers who have a witness cosign later ones then rarely interfere.
 */
const LOOK_MS = 200;

/** The witnesses of the logs: their tasks and the state of their cosignatures. */
export interface Witnesses {
  policy: WitnessPolicy | null;
  /** One task per server, so that a slow server does not delay the others. */
  tasks: readonly ModuleTask[];
  /** Returns the seconds since a witness cosigned a checkpoint of a log, or since the start if it has not. */
  age(witness: PolicyWitness, name: LogName): number;
  /** Returns the seconds since the newest cosigned checkpoint of a log was issued, or since the start. */
  cosignedAge(name: LogName): number;
  /** Returns whether no checkpoint of a log has waited for its quorum for more than a minute. */
  isQuorumMet(name: LogName): boolean;
}

/** Creates the clients of all witness servers, with the state of cosignatures from the database. */
export async function openWitnesses(
  trust: WitnessClientContext,
  policy: WitnessPolicy | null,
  { resolve, log, failed }: { resolve: Resolve; log: Logger; failed: MetricsRecorder['witnessFailure'] },
): Promise<Witnesses> {
  const { store, clock } = trust;
  const { open, disputes, publisher } = trust.log;
  const candidates = new Candidates(publisher, clock);
  const servers = policy?.servers ?? [];
  const witnesses = servers.flatMap((client) => client.witnesses);
  const started = clock.now();
  const times = new Map<string, number>();
  const witnessAndLog = ({ name: witness }: PolicyWitness, name: LogName): string => `${witness} ${name}`;
  if (policy !== null) {
    const last = await store.read((snapshot) => lastCosigned(snapshot, open));
    for (const witness of witnesses) {
      for (const name of LOG_NAMES) {
        const key = { witness: witness.key.name, keyId: witness.key.keyId };
        times.set(witnessAndLog(witness, name), last(key, name) ?? started);
      }
    }
  }
  // An alert on the increase of a counter misses the first failure, unless the counter exists before it.
  for (const { name } of witnesses) for (const reason of FAILURE_REASONS) failed(name, reason, 0);
  const hooks = {
    log,
    cosigned(witness: PolicyWitness, name: LogName) {
      times.set(witnessAndLog(witness, name), clock.now());
      disputes.delete(witnessAndLog(witness, name));
    },
    failed(witness: PolicyWitness, name: LogName, failure: WitnessFailure) {
      failed(witness.name, failure.reason, 1);
      if (failure.disputes) disputes.set(witnessAndLog(witness, name), disputeOf(witness, name));
    },
  };
  return {
    policy,
    tasks: servers
      .map((address) => new WitnessClient(trust, address, candidates, resolve, hooks))
      .map((client) => ({
        name: `ask ${client.name}`,
        everyMs: LOOK_MS,
        waitsForClock: false,
        run: () => client.requestCosignatures(),
      })),
    age: (witness, name) => (clock.now() - (times.get(witnessAndLog(witness, name)) ?? started)) / 1000,
    cosignedAge(name) {
      const issuedAt = publisher.cosigned.of(name)?.response.issued_at;
      return (clock.now() - (issuedAt === undefined ? started : Date.parse(issuedAt))) / 1000;
    },
    isQuorumMet: (name) => candidates.isQuorumMet(name),
  };
}

function disputeOf({ name: witness }: PolicyWitness, name: LogName): string {
  return `The witness ${witness} knows more of the log of ${name}, or another tree: was this directory copied, or restored to an older state?`;
}
