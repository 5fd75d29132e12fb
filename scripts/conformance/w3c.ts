import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCommand, type Suite, type TestResult } from './suite.ts';
import { engineImplementation, type Implementation, serveVcApi, serviceImplementation } from './vc-api.ts';

const PREPARATION = [
  '# The dependencies that begin with `github:` in package.json are repositories. Where npm cannot reach GitHub, replace them by checkouts',
  '# (file:…): w3c/vc-test-suite-implementations at a15c6cf73e588f93a5b532a02c051ad7b59777ab,',
  '# w3c-ccg/data-integrity-test-suite-assertion at 8d84d182f022f02049135f7d1ad3d5d0181e5560.',
  'npm install --omit=dev --install-links',
];

/** The W3C suite of the Verifiable Credentials Data Model 2.0. */
export const dataModel: Suite = {
  name: 'vc-data-model-2.0',
  about: 'W3C Verifiable Credentials Data Model 2.0, by an adapter of the VC API',
  steps: [
    '# https://github.com/w3c/vc-data-model-2.0-test-suite, tested at 6e075243825f50c79017de4a27089d329c093d0f',
    ...PREPARATION,
    'bun scripts/conformance vc-data-model-2.0 DIRECTORY',
  ],
  async run(directory, service) {
    return runMocha(directory, 'vc2.0', [await serviceImplementation(service)]);
  },
};

/**
 * The W3C suite of the EdDSA cryptosuites, run twice: with the service, which issues its own credentials, and
 * with its cryptosuite, which also signs and verifies the documents of the suite.
 */
export const eddsa: Suite = {
  name: 'vc-di-eddsa',
  about: 'W3C Data Integrity EdDSA Cryptosuites (eddsa-jcs-2022), by an adapter of the VC API',
  steps: [
    '# https://github.com/w3c/vc-di-eddsa-test-suite, tested at a62061b23892deb44dbad67a0315d403fdf09440',
    ...PREPARATION,
    'bun scripts/conformance vc-di-eddsa DIRECTORY',
  ],
  async run(directory, service) {
    const ofService = await serviceImplementation(service);
    return [
      ...(await runMocha(directory, 'eddsa-jcs-2022', [ofService])),
      ...(await runMocha(directory, 'eddsa-jcs-2022', [engineImplementation()])),
    ];
  },
};

/** The parts of mocha's JSON report that are used. */
interface MochaReport {
  passes: MochaTest[];
  failures: MochaTest[];
  pending: MochaTest[];
}

interface MochaTest {
  fullTitle: string;
  err?: { message?: string };
}

/** Runs the tests of a W3C suite on these implementations, and on none of those that it knows itself. */
async function runMocha(
  directory: string,
  tag: string,
  implementations: readonly Implementation[],
): Promise<TestResult[]> {
  const scratch = mkdtempSync(join(tmpdir(), 'countersign-mocha-'));
  const report = join(scratch, 'report.json');
  const api = serveVcApi(implementations);
  const manifests = implementations.map((implementation) =>
    manifestOf(implementation, api.urlOf(implementation), tag),
  );
  const settings = { enableInteropTests: false, testAllImplementations: false };
  writeFileSync(
    join(directory, 'localConfig.cjs'),
    `module.exports = ${JSON.stringify({ settings, implementations: manifests }, null, 2)};\n`,
  );
  try {
    await runCommand(
      [
        ...['node', 'node_modules/mocha/bin/mocha.js', 'tests/', '--timeout', '15000', '--preserve-symlinks'],
        ...['--reporter', 'json', '--reporter-option', `output=${report}`],
      ],
      directory,
      {},
    );
    const { passes, failures, pending }: MochaReport = JSON.parse(readFileSync(report, 'utf8'));
    return [
      ...passes.map((test) => resultOf(test, 'passed')),
      ...failures.map((test) => resultOf(test, 'failed')),
      ...pending.map((test) => resultOf(test, 'skipped')),
    ];
  } finally {
    api.stop();
    rmSync(scratch, { recursive: true, force: true });
  }
}

function manifestOf({ name, issuer }: Implementation, url: string, tag: string) {
  const endpoint = (path: string) => [
    { id: issuer, endpoint: `${url}/${path}`, supports: { vc: ['2.0'] }, tags: [tag] },
  ];
  return {
    name,
    implementation: name,
    issuers: endpoint('credentials/issue'),
    verifiers: endpoint('credentials/verify'),
    vpVerifiers: endpoint('presentations/verify'),
  };
}

function resultOf({ fullTitle, err }: MochaTest, outcome: TestResult['outcome']): TestResult {
  return { name: fullTitle, outcome, reason: err?.message ?? '' };
}
