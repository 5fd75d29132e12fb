import type { CitedCheckpoint, CompliancePackage, SampledReference } from './format.ts';

/** Returns the checkpoint of the log that a sampled reference is in; undefined if the package cites none. */
export function checkpointOf(
  { checkpoints }: Pick<CompliancePackage, 'checkpoints'>,
  { inclusion_path }: Pick<SampledReference, 'inclusion_path'>,
): CitedCheckpoint | undefined {
  return checkpoints.find(({ origin }) => origin === inclusion_path.log);
}
