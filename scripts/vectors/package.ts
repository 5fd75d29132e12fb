import type { JsonObject } from '../../src/proof/encoding/json.ts';
import { PACKAGE_KINDS } from '../../src/proof/package/format.ts';
import {
  GENERATED_AT,
  packageKeys,
  sampledReceipts,
  signedPackage,
  sponsorPackage,
  unsignedPackage,
} from '../../test/support/compliance-package.ts';
import { patchOf } from '../../test/support/json-patch.ts';
import { ruledPackage } from '../../test/support/ruled-package.ts';
import { EARLIER_FILE, earlierCases, earlierText, unsignedEarlier } from './earlier-form.ts';
import { earlierRulesCases, earlierRulesTexts } from './earlier-rules.ts';
import { EARLIER_SAMPLE_FILE, earlierSampleCases, earlierSampleText } from './earlier-sample.ts';
import { PACKAGE_CASES } from './package-cases.ts';

const fileOf = (kind: string): string => `${kind}.json`;
const genuine: Readonly<Record<string, JsonObject>> = {
  ...Object.fromEntries(PACKAGE_KINDS.map((kind) => [kind, signedPackage(unsignedPackage(kind))])),
  sponsor: sponsorPackage(),
  soc2: signedPackage(ruledPackage()),
};

const LIST = { page: 'packages.md', says: 'Nothing signs the list `sampled_receipts`' };
const lastReceipt = sampledReceipts().length - 1;
/** The parts of the package for the sponsor that nothing signs. */
const UNSIGNED = [
  ...['removed', 'lengthened', 'changed'].map((how) => ({ path: `sampled_receipts ${how}`, ...LIST })),
  ...[0, lastReceipt].flatMap((index) => [
    { path: `sampled_receipts[${index}] removed`, ...LIST },
    {
      path: `sampled_receipts[${index}].kid removed`,
      ...{ page: 'receipts.md', says: 'Without a `kid`, any of these keys counts.' },
    },
  ]),
].map((part) => ({ file: fileOf('sponsor'), ...part }));
const EARLIER = unsignedEarlier('packages.md');

/**
 * Returns the text of each file of test/vectors/package, by its name. They follow from fixed keys, so they
 * are the same every time.
 */
export function packageVectors(): ReadonlyMap<string, string> {
  const cases = PACKAGE_CASES.map(({ name, kind, document, keys, verdict, problem, checks }) => ({
    name,
    file: fileOf(kind),
    patch: patchOf(genuine[kind] ?? null, document),
    keys_patch: patchOf(packageKeys, keys),
    at: GENERATED_AT,
    verdict,
    problem,
    ...(checks && { checks }),
  }));
  const rows = [
    ...cases,
    ...earlierCases('package', GENERATED_AT),
    ...earlierSampleCases(GENERATED_AT),
    ...earlierRulesCases(GENERATED_AT),
  ];
  return new Map([
    ['keys.json', `${JSON.stringify(packageKeys, null, 2)}\n`],
    ...Object.entries(genuine).map(
      ([kind, document]) => [fileOf(kind), `${JSON.stringify(document, null, 2)}\n`] as const,
    ),
    [EARLIER_FILE, earlierText('package')],
    [EARLIER_SAMPLE_FILE, earlierSampleText()],
    ...earlierRulesTexts(),
    ['unsigned.json', `${JSON.stringify([...UNSIGNED, EARLIER], null, 2)}\n`],
    ['cases.json', `[\n${rows.map((one) => JSON.stringify(one)).join(',\n')}\n]\n`],
  ]);
}
