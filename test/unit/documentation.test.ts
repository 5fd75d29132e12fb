import { expect, test } from 'bun:test';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { agoraBlocks } from '../../scripts/vectors/agora-proposal.ts';
import { credentialBlocks } from '../../scripts/vectors/credential.ts';
import { Services } from '../../src/commands/services.ts';
import { fullDescription } from '../../src/platform/config/command-line.ts';
import { CONTEXT_VARIABLE, resolveSettings } from '../../src/platform/config/resolve.ts';
import { nativePrimitives } from '../../src/platform/crypto/crypto.ts';
import { eventsOf } from '../../src/platform/module.ts';
import { readTrustedKeys } from '../../src/proof/keys/trusted-keys.ts';
import { logKeyOf, readLogKeys } from '../../src/proof/log/log-keys.ts';
import { readLogProof } from '../../src/proof/log/log-proof.ts';
import { parseVerifierKey } from '../../src/proof/log/note.ts';
import { isAsAsked, judge } from '../../src/proof/receipt/verdict.ts';
import { staffingModules } from '../../src/staffing/service/modules.ts';
import { staffingSettingsOf } from '../../src/staffing/service/settings.ts';
import recordedReceipts from '../../src/trust/receipts/examples.json';
import { trustModules } from '../../src/trust/service/modules.ts';
import { trustSettingsOf } from '../../src/trust/service/settings.ts';
import { witnessModules } from '../../src/witness/modules.ts';
import { verifyCoseReceipt } from '../support/cose-receipt.ts';
import { evidenceBlocks } from '../support/evidence-items.ts';
import { consistencyBlock, keyLogBlocks } from '../support/key-log-page.ts';
import { openTrustApp } from '../support/trust-app.ts';
import { webhookBlocks } from '../support/webhook-page.ts';
import { witnessBlocks } from '../support/witness-page.ts';
import { example, KEYS } from '../support/worked-example.ts';
import { blocks } from '../support/worked-page.ts';

const services = new Services({ trust: trustModules, staffing: staffingModules, witness: witnessModules });

const ROOT = join(import.meta.dir, '../..');
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const pagesIn = (directory: string): string[] =>
  readdirSync(join(ROOT, directory), { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => `${directory}/${name}`);
const PAGES = ['README.md', 'CONTRIBUTING.md', ...pagesIn('docs'), ...pagesIn('docs/verification')];

test('docs/configuration.md has every setting, with its default, in the table of its service', () => {
  const page = read('docs/configuration.md');
  const section = (heading: string, next: string): string =>
    page.slice(page.indexOf(`\n${heading}\n`), page.indexOf(`\n${next}\n`));
  const rowsOf = (text: string): string[][] =>
    [...text.matchAll(/^\| `([\w.]+)` \| ([^|]*) \| ([^|]*) \|$/gm)].map(([, ...cells]) => cells);
  const settings = [...services.allSettings(), ...services.witnessOwnSettings()].map((setting) => [
    setting.key,
    setting.fallbackText,
    fullDescription(setting),
  ]);
  expect(rowsOf(page).toSorted()).toEqual(settings.toSorted());

  const trust = new Set(trustSettingsOf(trustModules).map(({ key }) => key));
  const staffing = new Set(staffingSettingsOf(staffingModules).map(({ key }) => key));
  const keysOf = (isIn: (key: string) => boolean): string[] =>
    services.allSettings().flatMap(({ key }) => (isIn(key) ? [key] : []));
  const tables: [string, string, string[]][] = [
    ['### Both services', '### The trust service', keysOf((key) => trust.has(key) && staffing.has(key))],
    ['### The trust service', '### The staffing service', keysOf((key) => !staffing.has(key))],
    ['### The staffing service', '### Limits by client address', keysOf((key) => !trust.has(key))],
  ];
  for (const [heading, next, keys] of tables) {
    expect([heading, rowsOf(section(heading, next)).map(([key]) => key)]).toEqual([heading, keys.toSorted()]);
  }
});

test('docs/webhooks.md has every event of the trust service, with what it says', () => {
  const rows = [...read('docs/webhooks.md').matchAll(/^\| `(\w+\.\w+)` \| [^|]+ \| ([^|]*) \|$/gm)];
  const shown = rows.map(([, name = '', members = '']) => [name, members.replaceAll('`', '').split(', ')]);
  const told = Object.entries(eventsOf(trustModules)).map(([name, { properties }]) => [
    name,
    Object.keys(properties),
  ]);
  expect(shown.toSorted()).toEqual(told.toSorted());
});

test('the receipt at the top of the README is the recorded example', () => {
  const [, shown = ''] = /```\n(\{\n[\s\S]*?\n\})\n```/.exec(read('README.md')) ?? [];
  const members = [...shown.matchAll(/^ {2}"(\w+)": "([^"…]+)(…?)",?$/gm)].map(
    ([, name = '', value = '']) => [name, value],
  );
  expect(members.length).toBeGreaterThan(6);
  const recorded: Record<string, unknown> = recordedReceipts.finalizeReceipt[200];
  for (const [name = '', value = ''] of members) {
    expect([name, String(recorded[name]).startsWith(value)]).toEqual([name, true]);
  }
});

test('docs/README.md names every page of docs/, and that of verification the pages of its folder', () => {
  for (const folder of ['docs', 'docs/verification']) {
    const index = read(`${folder}/README.md`);
    const names = pagesIn(folder).map((page) => page.slice(folder.length + 1));
    expect(
      names.filter((name) => name.endsWith('.md') && name !== 'README.md' && !index.includes(`(${name}`)),
    ).toEqual([]);
  }
});

test('docs/operations.md has every metric of the trust service', async () => {
  const app = await openTrustApp();
  const names = (await app.service.background()).metrics.map(({ name }) => name);
  await app.close();
  const page = read('docs/operations.md');
  expect(names.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
});

test('the configuration file that docs/configuration.md shows is taken', () => {
  const [, file = ''] = /```toml\n([\s\S]*?)```/.exec(read('docs/configuration.md')) ?? [];
  const directory = mkdtempSync(join(tmpdir(), 'countersign-docs-'));
  const token = join(directory, 'token');
  writeFileSync(token, `svc_${'ab'.repeat(32)}\n`);
  writeFileSync(join(directory, 'c.toml'), file.replace('/etc/countersign/service-token', token));
  const { config, warnings } = resolveSettings(trustSettingsOf(trustModules), {
    flags: {},
    env: {},
    file: join(directory, 'c.toml'),
  });
  expect([config.get('port'), config.get('gate.minimum_stake.financial_clearing'), warnings]).toEqual([
    '8443',
    '500000',
    [],
  ]);
  rmSync(directory, { recursive: true });
});

/** Returns the names by which links point at the headings of a page. */
function headingsOf(text: string): Set<string> {
  const headings = [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => heading.toLowerCase());
  return new Set(headings.map((heading) => heading.replace(/[^\w\- ]/g, '').replaceAll(' ', '-')));
}

test('every command, flag, variable and file that a page names is there', () => {
  const helps = readdirSync(join(ROOT, 'test/unit/commands/help')).map((name) =>
    read(`test/unit/commands/help/${name}`),
  );
  const flags = new Set(helps.flatMap((help) => [...help.matchAll(/--[a-z][a-z-]*/g)].map(([flag]) => flag)));
  const commands = new Set(
    readdirSync(join(ROOT, 'test/unit/commands/help')).map((name) =>
      name.replace('.txt', '').replaceAll('-', ' '),
    ),
  );
  const variables = new Set(
    [...services.allSettings(), ...services.witnessOwnSettings()].flatMap(({ env }) => [env, `${env}_FILE`]),
  ).add(CONTEXT_VARIABLE);
  for (const page of PAGES) {
    const text = read(page);
    for (const [, words = ''] of text.matchAll(/(?:dist\/|`|bin\/)countersign ([a-z]+(?: [a-z]+)?)/g)) {
      const [verb = ''] = words.split(' ');
      expect([page, words, commands.has(words) || commands.has(verb)]).toEqual([page, words, true]);
    }
    for (const [, flag = ''] of text.matchAll(/countersign [a-z]+ [^\n`]*?(--[a-z][a-z-]*)/g)) {
      expect([page, flag, flags.has(flag)]).toEqual([page, flag, true]);
    }
    for (const [name] of text.matchAll(/COUNTERSIGN_[A-Z0-9_]*[A-Z0-9]/g)) {
      if (name === 'COUNTERSIGN_NAME_FILE') continue;
      expect([page, name, variables.has(name)]).toEqual([page, name, true]);
    }
    for (const [, link = '', heading] of text.matchAll(/\]\((?!http)([\w./-]*)(?:#([\w-]+))?\)/g)) {
      const target = link === '' ? page : join(page, '..', link);
      expect([page, link, Bun.file(join(ROOT, target)).size > 0]).toEqual([page, link, true]);
      if (heading === undefined || !target.endsWith('.md')) continue;
      expect([page, link, heading, headingsOf(read(target)).has(heading)]).toEqual([
        page,
        link,
        heading,
        true,
      ]);
    }
  }
});

test('no page says the same row of a table or the same point twice, as a merge can leave it', () => {
  for (const page of PAGES) {
    const parts = read(page).split(/^#+ .*$/m);
    for (const part of parts) {
      const said = part.split('\n').filter((line) => /^(\| |- )/.test(line) && line.length > 60);
      expect([page, said.filter((line, index) => said.indexOf(line) !== index)]).toEqual([page, []]);
    }
  }
});

test('no two pages make the same key, so that a reader can follow them one after the other', () => {
  const files = PAGES.flatMap((page) => {
    const text = read(page);
    const [, names = ''] = /^for NAME in ([\w ]+); do$/m.exec(text) ?? [];
    return [...text.matchAll(/^ *dist\/countersign keygen --out "?([^\s"]+)/gm)].flatMap(([, file = '']) =>
      file.includes('$NAME') ? names.split(' ').map((name) => file.replace('$NAME', name)) : [file],
    );
  });
  expect(files.length).toBeGreaterThan(6);
  expect(files.toSorted()).toEqual([...new Set(files)].toSorted());
});

test('every number of the examples in docs/verification comes out as it stands there', () => {
  const shown = pagesIn('docs/verification').flatMap((page) => [
    ...read(page).matchAll(/^```\w+ ([\w.-]+)\n([\s\S]*?)^```$/gm),
  ]);
  const all = new Map([
    ...blocks,
    ...keyLogBlocks(),
    ...credentialBlocks(),
    ...evidenceBlocks(),
    ...agoraBlocks(),
    ...webhookBlocks(),
    ...witnessBlocks(),
    ['consistency', consistencyBlock()] as const,
  ]);
  expect(shown.map(([, name]) => name).toSorted()).toEqual([...all.keys()].toSorted());
  expect(new Map(shown.map(([, name = '', text = '']) => [name, text]))).toEqual(all);
});

test('the example in docs/verification is good by the verdict that everything here uses', () => {
  const { keys, receipt, status, at, proof, logKey, log } = example;
  for (const logKeys of [
    readLogKeys(nativePrimitives, keys).trusted,
    [logKeyOf(parseVerifierKey(nativePrimitives, logKey))],
  ]) {
    const result = judge(nativePrimitives, JSON.parse(JSON.stringify(receipt)), {
      keys: readTrustedKeys(nativePrimitives, keys),
      now: Date.parse(at),
      proof: { proof: readLogProof(nativePrimitives, Buffer.from(proof)), keys: logKeys },
      status,
    });
    expect([isAsAsked(result), result.position]).toEqual([true, { log: log.origin, index: example.index }]);
  }
});

test('the COSE receipt in docs/verification is good by an independent library', async () => {
  const { cose, log, index } = example;
  const keys = new Map([[KEYS.log.kid, KEYS.log.public_key]]);
  expect(await verifyCoseReceipt(cose.receipt, log.entries[index] ?? '', keys)).toEqual({
    kid: KEYS.log.kid,
    issuer: 'receipts.example',
    subject: log.origin,
    size: 3,
    index,
  });
});
