import type { PublishedCheckpoint } from '../../../log/checkpoints/checkpoints.ts';

/** Returns the names of the witnesses that cosigned a checkpoint, each once, sorted. */
export function witnessesOf({ cosignatures }: Pick<PublishedCheckpoint, 'cosignatures'>): string[] {
  return [...new Set(cosignatures.map(({ witness }) => witness))].sort();
}
