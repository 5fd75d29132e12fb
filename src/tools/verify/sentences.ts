import { type Cosignatures, describeCosignatures } from '../../proof/log/quorum.ts';

/** Returns the sentence for a valid document whose cosignatures do not meet the policy. @param what is shown, without its full stop */
export function notProven(what: string): string {
  return `not proven: ${what}; the cosignatures of the checkpoint do not meet the policy (quorum).`;
}

/** Returns the line about cosignatures that meet the policy. */
export function describeQuorum(found: Cosignatures): string {
  return `quorum: ${describeCosignatures(found)}`;
}
