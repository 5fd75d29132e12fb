/**
 * Every Worker of the executable by its path from the project's root. The build takes each as one more entry point,
 * under which it then stands inside the executable.
 */
export const WORKERS = {
  checkpointer: 'src/platform/store/wal/checkpointer.ts',
  copier: 'src/platform/store/backup/copier.ts',
  verifier: 'src/tools/verify/bulk/worker.ts',
  auditor: 'src/trust/audit/worker.ts',
} as const;

/** Starts a Worker: the one that is built in, or from its source where nothing is built. */
export function startWorker(name: keyof typeof WORKERS): Worker {
  const path = WORKERS[name];
  return new Worker(
    Bun.embeddedFiles.length > 0 ? `./${path}` : new URL(`../../../${path}`, import.meta.url).href,
  );
}
