/**
 * The Workers of the executable, by their paths from the project's root. The build adds each path as an entry
 * point, and the executable contains it under that path.
 */
export const WORKERS = {
  checkpointer: 'src/platform/store/wal/checkpointer.ts',
  copier: 'src/platform/store/backup/copier.ts',
  verifier: 'src/tools/verify/judge/worker.ts',
  auditor: 'src/trust/audit/worker.ts',
  searcher: 'src/staffing/clinicians/search-worker.ts',
  packager: 'src/trust/service/packages-worker.ts',
  journalHeads: 'src/trust/receipts/heads/worker.ts',
  bookkeeper: 'src/trust/ledger/statements/worker.ts',
  sampler: 'src/staffing/registry/sample/worker.ts',
  importer: 'src/staffing/imports/worker.ts',
  nppesParser: 'src/staffing/nppes/parse-worker.ts',
} as const;

/**
 * Starts a Worker from the executable, or from its source when the program runs from source. @param smol true
 * for one that collects its garbage sooner, to take less memory
 */
export function startWorker(name: keyof typeof WORKERS, smol = false): Worker {
  const path = WORKERS[name];
  return new Worker(
    Bun.embeddedFiles.length > 0 ? `./${path}` : new URL(`../../../${path}`, import.meta.url).href,
    { smol },
  );
}
