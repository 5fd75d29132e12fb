import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCommand, type Suite, type TestResult } from './suite.ts';

const PYTHON = process.env.PYTHON ?? 'python3';

/** The Technology Compatibility Kit of the A2A protocol, for each generation that it was published for. */
export const a2aTck: readonly Suite[] = [
  kit('a2a-tck', '1.0', '410ba92e1b264df895e1fe6eccfe22db7aeaab06'),
  kit('a2a-tck-0.3', '0.3', 'eb1f804c27ea25db8805264d9ed2d7ca077a7776'),
  kit('a2a-tck-0.2', '0.2', 'e8a46742ecce987dbc5d2131b6db1794434e237a'),
];

function kit(name: string, version: string, commit: string): Suite {
  return {
    name,
    about: `the A2A project's own tests of A2A ${version}, over JSON-RPC`,
    steps: [
      `# https://github.com/a2aproject/a2a-tck, tested at ${commit}`,
      '# On Debian 12 its packages are enough; another python3 is named by PYTHON=…',
      'apt install python3-pytest python3-pytest-asyncio python3-httpx python3-requests python3-responses python3-deepdiff \\',
      '  python3-jsonschema python3-yaml python3-dotenv python3-aiohttp python3-openssl',
      `bun scripts/conformance ${name} DIRECTORY`,
    ],
    async run(directory, { url, apiKey, hirer, worker }) {
      const scratch = mkdtempSync(join(tmpdir(), 'countersign-tck-'));
      const report = join(scratch, 'report.ndjson');
      // The kit of 0.2 knows one transport.
      const transports = version === '0.2' ? [] : ['--transports=jsonrpc'];
      try {
        await runCommand(
          [
            ...[PYTHON, '-m', 'pytest', '-p', 'tck_plugin', '-p', 'no:cacheprovider', '-q', '--tb=no'],
            ...['tests/mandatory', 'tests/optional', '--test-scope=all', `--sut-url=${url}`, ...transports],
          ],
          directory,
          {
            PYTHONPATH: import.meta.dir,
            PYTHONDONTWRITEBYTECODE: '1',
            TCK_REPORT: report,
            TCK_VERSION: version,
            TCK_URL: url,
            TCK_ENDPOINT: `${url}/api/v1/a2a/tasks`,
            TCK_WORK: JSON.stringify(work(hirer, worker)),
            A2A_AUTH_TYPE: 'bearer',
            A2A_AUTH_TOKEN: apiKey,
          },
        );
        if (!existsSync(report)) {
          throw new Error(
            `the kit did not start with ${PYTHON}: its output says why. PYTHON=… names another python3.`,
          );
        }
        return readFileSync(report, 'utf8')
          .trimEnd()
          .split('\n')
          .map((line): TestResult => JSON.parse(line));
      } finally {
        rmSync(scratch, { recursive: true, force: true });
      }
    },
  };
}

/** Returns the input of a skill that begins a task and keeps it working. */
function work(hirer: string, worker: string) {
  return { skill: 'hire_agent', hirer_commitment: hirer, worker_commitment: worker, amount: 1 };
}
