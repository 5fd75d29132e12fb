import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCommand, type Suite, type TestResult } from './suite.ts';

const PYTHON = process.env.PYTHON ?? 'python3';

/** The Technology Compatibility Kit of the A2A protocol. */
export const a2aTck: Suite = {
  name: 'a2a-tck',
  about: "the A2A project's own tests, over JSON-RPC",
  steps: [
    '# https://github.com/a2aproject/a2a-tck, tested at 410ba92e1b264df895e1fe6eccfe22db7aeaab06',
    '# On Debian 12 its packages are enough; another python3 is named by PYTHON=…',
    'apt install python3-pytest python3-pytest-asyncio python3-httpx python3-requests python3-responses python3-deepdiff \\',
    '  python3-jsonschema python3-yaml python3-dotenv python3-aiohttp python3-openssl',
    'bun scripts/conformance a2a-tck DIRECTORY',
  ],
  async run(directory, { url, apiKey, hirer, worker }) {
    const scratch = mkdtempSync(join(tmpdir(), 'countersign-tck-'));
    const report = join(scratch, 'report.ndjson');
    try {
      await runCommand(
        [
          ...[PYTHON, '-m', 'pytest', '-p', 'tck_plugin', '-p', 'no:cacheprovider', '-q', '--tb=no'],
          ...['tests/mandatory', 'tests/optional', '--test-scope=all', '--transports=jsonrpc'],
          `--sut-url=${url}`,
        ],
        directory,
        {
          PYTHONPATH: import.meta.dir,
          PYTHONDONTWRITEBYTECODE: '1',
          TCK_REPORT: report,
          TCK_ENDPOINT: `${url}/api/v1/a2a/tasks`,
          TCK_WORK: JSON.stringify(work(hirer, worker)),
          A2A_AUTH_TYPE: 'bearer',
          A2A_AUTH_TOKEN: apiKey,
        },
      );
      return readFileSync(report, 'utf8')
        .trimEnd()
        .split('\n')
        .map((line): TestResult => JSON.parse(line));
    } finally {
      rmSync(scratch, { recursive: true, force: true });
    }
  },
};

/** Returns the input of a skill that begins a task and keeps it working. */
function work(hirer: string, worker: string) {
  return { skill: 'hire_agent', hirer_commitment: hirer, worker_commitment: worker, amount: 1 };
}
