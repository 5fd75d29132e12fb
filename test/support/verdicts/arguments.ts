import type { VerdictVector } from './vectors.ts';

/** Returns the arguments of `countersign verify` and of src/tools/python/verify.py for a vector, without a time. */
export function argumentsOf({ document, options }: VerdictVector): string[] {
  const {
    keys,
    proof,
    status,
    log,
    entry,
    policy,
    logKey = [],
    operator,
    domain,
    revocations,
    head,
  } = options;
  const from = options.from === undefined ? undefined : new Date(options.from).toISOString();
  const texts = { keys, proof, status, log, entry, policy, operator, domain, revocations, head };
  const values = Object.entries({ ...texts, from });
  const flags = Object.entries({
    'any-log': options.anyLog,
    fresh: options.fresh,
    ndjson: options.ndjson,
    linked: options.linked,
    complete: options.complete,
    'allow-unlinked': options.allowUnlinked,
  });
  return [
    document,
    ...values.flatMap(([name, value]) => (value === undefined ? [] : [`--${name}`, value])),
    ...logKey.flatMap((key) => ['--log-key', key]),
    ...(options.predecessor ?? []).flatMap((copy) => ['--predecessor', copy]),
    ...flags.flatMap(([name, isGiven]) => (isGiven === true ? [`--${name}`] : [])),
  ];
}
