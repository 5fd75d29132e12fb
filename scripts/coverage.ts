import { readFileSync } from 'node:fs';
import { Glob } from 'bun';
import { ROOT } from './sources.ts';

/** Files that test/e2e runs as separate processes or in a browser, for which coverage is not measured. */
const PROCESSES = [
  'src/main.ts',
  'src/commands/',
  'src/staffing/commands/',
  'src/trust/commands/',
  'src/platform/audit/directory.ts',
  'src/platform/audit/worker.ts',
  'src/platform/audit/output.ts',
  'src/platform/audit/repair.ts',
  'src/platform/demo/directory.ts',
  'src/platform/operation-group.ts',
  'src/platform/test-service/open.ts',
  'src/platform/triggers/running-service.ts',
  'src/trust/triggers/payments.ts',
  'src/platform/store/migrations/built-new-database.ts',
  'src/platform/config/command-line.ts',
  'src/staffing/clinicians/search-worker.ts',
  'src/staffing/nppes/parse-worker.ts',
  'src/staffing/imports/worker.ts',
  'src/staffing/registry/sample/worker.ts',
  'src/staffing/registry/sample/write.ts',
  'src/staffing/seed/filling.ts',
  'src/staffing/service/open-registry.ts',
  'src/staffing/definition.ts',
  'src/staffing/service/restore-checks.ts',
  'src/platform/store/wal/checkpointer.ts',
  'src/platform/store/backup/copier.ts',
  'src/platform/files/read.ts',
  'src/platform/monitoring/log.ts',
  'src/platform/terminal/output.ts',
  'src/platform/terminal/passphrase.ts',
  'src/trust/audit/directory.ts',
  'src/trust/audit/worker.ts',
  'src/trust/audit/parts.ts',
  'src/trust/definition.ts',
  'src/trust/compliance/assessors/counted-assessments.ts',
  'src/trust/compliance/builders.ts',
  'src/trust/datacenter/builders.ts',
  'src/trust/datacenter/packages/tally.ts',
  'src/trust/service/packages-worker.ts',
  'src/trust/compliance/packages/worker.ts',
  'src/trust/ledger/journal-ends.ts',
  'src/trust/ledger/month-sums.ts',
  'src/trust/ledger/statements/worker.ts',
  'src/trust/receipts/heads/head-tree.ts',
  'src/trust/receipts/heads/worker.ts',
  'src/trust/receipts/export/file.ts',
  'src/sdk/typescript/core.ts',
  'src/sdk/typescript/testing.ts',
  'src/trust/seed/filling.ts',
  'src/tools/agent/commands.ts',
  'src/tools/agent/key-file.ts',
  'src/tools/capture/hook/',
  'src/tools/capture/mcp/close-file.ts',
  'src/tools/capture/mcp/commands.ts',
  'src/tools/capture/mcp/sink.ts',
  'src/tools/capture/mcp/wrap.ts',
  'src/tools/capture/options.ts',
  'src/tools/capture/run/',
  'src/tools/capture/sending/leftovers.ts',
  'src/tools/capture/sending/steps.ts',
  'src/tools/capture/services.ts',
  'src/tools/capture/session/pauses.ts',
  'src/tools/capture/spool/directory.ts',
  'src/tools/capture/spool/lock.ts',
  'src/tools/capture/status/',
  'src/tools/credential/commands.ts',
  'src/tools/datacenter/commands.ts',
  'src/tools/mcp-install/commands.ts',
  'src/tools/mcp-server/commands.ts',
  'src/tools/mcp-server/serve.ts',
  'src/tools/monitor/commands.ts',
  'src/tools/monitor/remote-fsck.ts',
  'src/tools/monitor/notes.ts',
  'src/tools/monitor/options.ts',
  'src/tools/monitor/run-rounds.ts',
  'src/tools/service-options.ts',
  'src/platform/verify-page/browser/',
  'src/platform/verify-page/bundle.ts',
  'src/platform/verify-page/session/worker.ts',
  'src/tools/verify/commands.ts',
  'src/tools/verify/page.ts',
  'src/tools/verify/judge/both-implementations.ts',
  'src/tools/verify/judge/judge.ts',
  'src/tools/verify/judge/list.ts',
  'src/tools/verify/judge/worker.ts',
  'src/tools/verify/read/copy.ts',
  'src/tools/verify/read/inputs.ts',
  'src/tools/verify/read/key-log.ts',
  'src/tools/verify/read/keys.ts',
  'src/tools/verify/read/receipt.ts',
  'src/tools/verify/read/source.ts',
];

/**
 * Returns the files of src with too little coverage. Required: all lines in src/proof, nine tenths elsewhere.
 * @param lcov the reports of one or several runs, one after the other: a line counts if one of them reached
 * it
 */
export function uncovered(lcov: string): string[] {
  const lines = new Map<string, Map<string, boolean>>();
  for (const record of lcov.split('end_of_record')) {
    const file = /^SF:(.*)$/m.exec(record)?.[1];
    if (file === undefined) continue;
    const known = lines.get(file) ?? new Map<string, boolean>();
    lines.set(file, known);
    for (const [, line = '', count] of record.matchAll(/^DA:(\d+),(\d+)/gm)) {
      known.set(line, known.get(line) === true || count !== '0');
    }
  }
  const files = [...new Glob('src/**/*.ts').scanSync({ cwd: ROOT })].sort();
  return files
    .filter((file) => !file.endsWith('.d.ts') && !PROCESSES.some((prefix) => file.startsWith(prefix)))
    .flatMap((file) => {
      const reached = [...(lines.get(file)?.values() ?? [])];
      const [found, hit] = [reached.length, reached.filter(Boolean).length];
      const needed = file.startsWith('src/proof/') ? 1 : 0.9;
      // A file with only types has no lines to cover, and the runtime never loads it.
      if (found === 0 && !hasCode(file)) return [];
      return found > 0 && hit / found >= needed ? [] : [`${file}: ${hit} of ${found} lines reached`];
    });
}

function hasCode(file: string): boolean {
  const code = new Bun.Transpiler({ loader: 'ts' }).transformSync(readFileSync(`${ROOT}/${file}`, 'utf8'));
  return code.trim() !== '';
}
