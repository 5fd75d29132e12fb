import { describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { FILES, IMPORTS, OWN_IMPORTS, ROOT, TEXTS } from '../../scripts/imports.ts';
import { roomsPicture, withPicture } from '../../scripts/rooms.ts';

/** Where a file lives: db, proof, platform, tools, trust, staffing, witness, commands or main. */
function room(path: string): string {
  if (path.startsWith('db/')) return 'db';
  return /^src\/([^/.]+)/.exec(path)?.[1] ?? path;
}

/** What each room may import of our own; `proof` is open to all. */
const ALLOWED: Record<string, readonly string[]> = {
  proof: ['proof'],
  platform: ['platform', 'proof'],
  // What other people's programs load.
  sdk: ['sdk', 'proof'],
  // They run on other people's machines, and load nothing of a service.
  tools: ['tools', 'sdk', 'platform', 'proof'],
  db: ['db', 'platform', 'proof'],
  trust: ['trust', 'db', 'platform', 'proof'],
  staffing: ['staffing', 'db', 'platform', 'proof'],
  witness: ['witness', 'db', 'platform', 'proof'],
  commands: ['commands', 'tools', 'sdk', 'trust', 'staffing', 'witness', 'platform', 'proof', 'package.json'],
  main: ['commands', 'tools', 'trust', 'staffing', 'witness', 'platform'],
};

const SERVICES = ['trust', 'staffing', 'witness'];
/** The files with the SQL of a capability: one file, or one per topic. */
const STORE = /[/-]store\.ts$/;

const own = OWN_IMPORTS;

/** The files that no generator writes. */
const BY_HAND = FILES.filter((file) => !file.includes('/generated/'));

/**
 * The folder of the capability that a file belongs to, which is the nearest one with a `module.ts`; null for
 * what belongs to none.
 */
function capabilityOf(file: string): string | null {
  const area = /^src\/(?:trust|staffing|witness)\/[^/]+(?=\/)/.exec(file)?.[0] ?? null;
  if (area === null) return null;
  for (let folder = dirname(file); folder.length > area.length; folder = dirname(folder)) {
    if (FILES.includes(`${folder}/module.ts`)) return folder;
  }
  return area;
}

/** The longest line, of code and of comments: `lineWidth` of biome.json. */
const { lineWidth: MEASURE }: { lineWidth: number } = JSON.parse(
  readFileSync(join(ROOT, 'biome.json'), 'utf8'),
).formatter;

/** A line that no formatter can break: an import, a URL, or a part of a text or a pattern. */
const UNBREAKABLE = /^import |^\} from |https?:\/\/|['"`]|\/[^/ ].*\/[dgimsuvy]*[,;.)]/;
const IS_COMMENT = /^\s*(?:\/\*\*|\* |\/\/)/;

/**
 * Returns the lines of a file that are longer than the measure. Lines within a template literal count for
 * nothing.
 */
function longLinesOf(file: string): string[] {
  let isInTemplate = false;
  return (TEXTS.get(file) ?? '').split('\n').flatMap((line, index) => {
    const isComment = IS_COMMENT.test(line);
    const wasInTemplate = isInTemplate;
    if (!isComment && (line.replaceAll('\\`', '').split('`').length - 1) % 2 === 1)
      isInTemplate = !isInTemplate;
    if (line.length <= MEASURE || (wasInTemplate && !isComment)) return [];
    const isWrong = isComment ? !/https?:\/\//.test(line) : !UNBREAKABLE.test(line);
    return isWrong ? [`${file}:${index + 1} has ${line.length} characters`] : [];
  });
}

const serviceOf = (file: string): string | undefined => file.split('/')[1];

/** The ways back to where one came from. */
function circlesOf(arrows: readonly (readonly [from: string, to: string])[]): string[] {
  const graph = new Map<string, Set<string>>();
  for (const [from, to] of arrows) if (from !== to) graph.set(from, (graph.get(from) ?? new Set()).add(to));
  const done = new Set<string>();
  const circles: string[] = [];
  const visit = (place: string, path: readonly string[]): void => {
    if (path.includes(place)) circles.push([...path.slice(path.indexOf(place)), place].join(' → '));
    if (done.has(place) || path.includes(place)) return;
    for (const next of graph.get(place) ?? []) visit(next, [...path, place]);
    done.add(place);
  };
  for (const place of graph.keys()) visit(place, []);
  return circles;
}

/**
 * The roots whose entries import each other one way at every level, types and what is loaded later included.
 */
const LAYERED = [
  'src/commands',
  'src/platform',
  'src/proof',
  'src/sdk',
  'src/staffing',
  'src/tools',
  'src/trust',
  'src/witness',
];

/**
 * Returns the circles among the entries, folders and files, of each folder under a root, with the imports
 * that make them.
 */
function circlesAtAnyLevel(root: string): { circle: string; imports: string[] }[] {
  const inRoot = own.filter(({ from, to }) => from.startsWith(`${root}/`) && to.startsWith(`${root}/`));
  const folders = new Set(FILES.filter((file) => file.startsWith(`${root}/`)).flatMap(foldersAbove));
  return [...folders]
    .filter((folder) => `${folder}/`.startsWith(`${root}/`))
    .flatMap((folder) => {
      const entryOf = (file: string): string =>
        `${folder}/${file.slice(folder.length + 1).split('/')[0] ?? ''}`;
      const arrows = inRoot
        .filter(({ from, to }) => from.startsWith(`${folder}/`) && to.startsWith(`${folder}/`))
        .map(({ from, to }) => ({ from, to, arrow: [entryOf(from), entryOf(to)] as const }));
      return circlesOf(arrows.map(({ arrow }) => arrow)).map((circle) => {
        const steps = circle.split(' → ');
        const isStep = (from: string, to: string): boolean =>
          steps.some((step, index) => step === from && steps[index + 1] === to);
        const imports = arrows.filter(({ arrow }) => isStep(...arrow));
        return { circle, imports: imports.map(({ from, to }) => `${from} imports ${to}`) };
      });
    });
}

/** Returns the folders that contain a file, the nearest first. */
function foldersAbove(file: string): string[] {
  const folder = dirname(file);
  return folder === '.' ? [] : [folder, ...foldersAbove(folder)];
}

/** The files of `db` that describe a table, by its name in SQL. */
const OWNERS = new Map<string, string[]>();
for (const file of FILES.filter((one) => one.startsWith('db/'))) {
  for (const [, table = ''] of (TEXTS.get(file) ?? '').matchAll(/sqliteTable\(\s*'(\w+)'/g)) {
    OWNERS.set(table, [...(OWNERS.get(table) ?? []), file]);
  }
}

/** What a table is called in the program. */
const TABLES = new Set(
  FILES.filter((file) => file.startsWith('db/') && !file.endsWith('/schema.ts')).flatMap((file) =>
    [...(TEXTS.get(file) ?? '').matchAll(/export const ([a-z]\w*)/g)].map(([, name = '']) => name),
  ),
);

/** `db/trust/gate.ts` is of `src/trust/receipts/gate`. */
function isOwner(file: string, tables: string): boolean {
  const [, service, name] = tables.replace(/\.ts$/, '').split('/');
  const folder = capabilityOf(file);
  return serviceOf(file) === service && folder !== null && basename(folder) === name;
}

/** What of `db` has no tables: the values of columns, and the format of the registry's files. */
const WITHOUT_TABLES = /^db\/(?:[^/]+\/\w+-enums|staffing\/registry\/schema)\.ts$/;

/** SQL on a connection, by drizzle or by SQLite's own handle. */
const SPEAKS_SQL = /\.orm\b|\borm\.|\bsqlite\b|bun:sqlite/;

/** They write and open the files that are searched, which are SQLite's under any engine. */
const REGISTRY_FORMAT =
  /^src\/staffing\/registry\/(?:(?:build|description|open)\.ts|amend\/change-registry\.ts|build\/)/;

/** Where a store asks tables of another capability, and why its rules cannot ask that capability instead. */
const JOINS: Record<string, string> = {
  'src/trust/protocols/a2a/audit/store.ts → db/trust/escrow.ts': 'fsck compares paid tasks with their escrow',
  'src/trust/protocols/a2a/audit/store.ts → db/trust/operators.ts': 'fsck looks for the owners of tasks',
  'src/trust/agents/freeze-store.ts → db/trust/operators.ts':
    'the hires of an agent stand still while the account of its sponsor is not active',
  'src/trust/billing/close-store.ts → db/trust/agents.ts': 'an operator with sponsored agents is not closed',
  'src/trust/billing/close-store.ts → db/trust/escrow.ts': 'an operator with open engagements is not closed',
  'src/trust/billing/close-store.ts → db/trust/ledger.ts':
    'an operator whose agents have credits is not closed',
  'src/trust/billing/close-store.ts → db/trust/payouts.ts': 'an operator with open withdrawals is not closed',
  'src/trust/billing/audit/entry-store.ts → db/trust/agents.ts':
    'fsck looks for the sponsors of agents with settlements',
  'src/trust/billing/audit/entry-store.ts → db/trust/ledger.ts': 'fsck compares entries with movements',
  'src/trust/billing/audit/entry-store.ts → db/trust/payments.ts':
    'fsck compares entries of settlements with the settlements',
  'src/trust/billing/audit/store.ts → db/trust/ledger.ts': 'what the ledger booked for each payment',
  'src/trust/billing/audit/store.ts → db/trust/operators.ts':
    'the plan and the status that follow from payments',
  'src/trust/billing/entries/compare-store.ts → db/trust/operators.ts':
    'a reconciliation names the operator of a payment',
  'src/trust/billing/entries/store.ts → db/trust/agents.ts':
    'the list of payments names the agents of settlements',
  'src/trust/billing/entries/store.ts → db/trust/ledger.ts':
    'the list of payments says until when credits are held',
  'src/trust/billing/entries/store.ts → db/trust/operators.ts':
    'the list of all payments names the operators',
  'src/trust/billing/entries/store.ts → db/trust/payments.ts':
    'an operator has one list of payments, those that rails settled included',
  'src/trust/compliance/assessors/audit/store.ts → db/trust/agents.ts':
    'fsck compares the parties of an assessment with what was signed',
  'src/trust/compliance/assessors/audit/store.ts → db/trust/evidence.ts':
    'fsck compares an assessment with the item of evidence that it is',
  'src/trust/compliance/assessors/audit/store.ts → db/trust/reputation.ts':
    'fsck compares what counts in scores with what the assessors signed',
  'src/trust/compliance/assessors/store.ts → db/trust/agents.ts':
    'an assessment counts as its assessor is now',
  'src/trust/compliance/assessors/store.ts → db/trust/evidence.ts': 'an assessment is an item of evidence',
  'src/trust/compliance/assessors/store.ts → db/trust/operators.ts':
    'an assessment counts while the sponsor of its assessor is active',
  'src/trust/compliance/assessment/store.ts → db/trust/agents.ts':
    'a package is about an agent, with its state',
  'src/trust/compliance/assessment/store.ts → db/trust/evidence.ts':
    'a package counts and cites the evidence of its agent by one index',
  'src/trust/compliance/assessment/store.ts → db/trust/keys.ts':
    'a package counts the events of signing keys',
  'src/trust/compliance/assessment/store.ts → db/trust/log.ts':
    'a package counts the checkpoints of its period',
  'src/trust/compliance/assessment/store.ts → db/trust/operators.ts':
    'a package names the sponsor of its agent',
  'src/trust/compliance/assessment/store.ts → db/trust/receipts.ts':
    'a package counts and cites 100,000 receipts of its agent in one query',
  'src/trust/compliance/assessment/store.ts → db/trust/reputation.ts':
    'the receipts of an agent are those that count for its reputation',
  'src/trust/compliance/assessment/store.ts → db/trust/slashing.ts':
    'a package counts the consequences of failures',
  'src/trust/credentials/audit/store.ts → db/trust/keys.ts': 'fsck looks at the purpose of the key of a list',
  'src/trust/credentials/audit/store.ts → db/trust/log.ts':
    'fsck looks at the logs of the checkpoints that credentials cite',
  'src/trust/credentials/status-store.ts → db/trust/agents.ts':
    'all credentials of a revoked agent count as revoked',
  'src/trust/credentials/status-store.ts → db/trust/datacenter.ts':
    'a credential about a cluster counts as revoked with the owner of the cluster',
  'src/trust/credentials/status-store.ts → db/trust/operators.ts':
    'a credential about a cluster counts as revoked while the account of its owner is not active',
  'src/trust/credentials/store.ts → db/trust/agents.ts': 'a credential counts as revoked with its agent',
  'src/trust/credentials/store.ts → db/trust/datacenter.ts': 'a credential is found with its cluster',
  'src/trust/credentials/store.ts → db/trust/operators.ts':
    'a credential about a cluster counts as revoked while the account of its owner is not active',
  'src/trust/credentials/store.ts → db/trust/evidence.ts':
    'a credential cites a checkpoint that contains the newest evidence of its agent',
  'src/trust/credentials/store.ts → db/trust/log.ts': 'a credential is made again with what it cites',
  'src/trust/credentials/store.ts → db/trust/receipts.ts':
    'a credential cites a checkpoint that contains the receipts of its agent',
  'src/trust/credentials/store.ts → db/trust/reputation.ts':
    'a credential cites a checkpoint that contains the receipts of its agent',
  'src/trust/protocols/agora/store.ts → db/trust/agents.ts':
    'an entry is shown, hashed and verified with its agents',
  'src/trust/datacenter/packages/telemetry-store.ts → db/trust/receipts.ts':
    'a package cites the leaves of the receipts of telemetry',
  'src/trust/datacenter/clusters-store.ts → db/trust/operators.ts':
    'a cluster is found with the account status of its owner, on which its credential depends',
  'src/trust/datacenter/audit/store.ts → db/trust/agents.ts': 'fsck verifies the signature of an instrument',
  'src/trust/datacenter/audit/store.ts → db/trust/receipts.ts': 'fsck compares telemetry with its receipt',
  'src/trust/datacenter/audit/retirements-store.ts → db/trust/receipts.ts':
    'fsck compares a retirement with its receipt',
  'src/trust/datacenter/scorecard/instruments-store.ts → db/trust/agents.ts':
    'a scorecard names instruments and their attesters',
  'src/trust/datacenter/scorecard/instruments-store.ts → db/trust/operators.ts':
    'a scorecard names the accounts of attesters',
  'src/trust/datacenter/audit/sums-store.ts → db/trust/receipts.ts':
    'fsck compares clusters and instances with the receipt of their first telemetry',
  'src/trust/evidence/expiry/store.ts → db/trust/agents.ts': 'the agents of an idle operator',
  'src/trust/evidence/expiry/store.ts → db/trust/escrow.ts': 'an operator is not idle with open engagements',
  'src/trust/evidence/expiry/store.ts → db/trust/ledger.ts':
    'an operator is idle by the movements of its agents',
  'src/trust/evidence/expiry/store.ts → db/trust/evidence.ts': 'what an idle operator has stored is deleted',
  'src/trust/evidence/expiry/store.ts → db/trust/operators.ts': 'an operator is idle by its keys',
  'src/trust/evidence/expiry/store.ts → db/trust/receipts.ts': 'an operator is idle by its receipts',
  'src/trust/evidence/expiry/store.ts → db/trust/webhooks.ts': 'the webhooks of an idle operator',
  'src/trust/payments/audit/store.ts → db/trust/agents.ts':
    'fsck computes the digests of payments and withdrawals from the commitments of their agents',
  'src/trust/payments/audit/store.ts → db/trust/ledger.ts':
    'fsck compares payments and settlements with the movements that booked them',
  'src/trust/payments/audit/store.ts → db/trust/payouts.ts':
    'fsck compares the receipt of a withdrawal with its payout',
  'src/trust/payments/audit/store.ts → db/trust/receipts.ts': 'fsck compares withdrawals with their receipts',
  'src/trust/hires/escrow/audit/store.ts → db/trust/agents.ts': 'fsck compares the receipt with its worker',
  'src/trust/hires/escrow/audit/return-receipts-store.ts → db/trust/agents.ts':
    'fsck compares the receipt of returned credits with its hirer',
  'src/trust/hires/escrow/audit/return-receipts-store.ts → db/trust/ledger.ts':
    'fsck looks whether the credits of a hire returned before or after returns had receipts',
  'src/trust/hires/escrow/audit/return-receipts-store.ts → db/trust/receipts.ts':
    'fsck compares escrow with the receipt of its returned credits',
  'src/trust/hires/escrow/audit/store.ts → db/trust/evidence.ts':
    'fsck compares escrow with the evidence that it names',
  'src/trust/hires/escrow/audit/store.ts → db/trust/ledger.ts':
    'fsck compares escrow with the movements of its credits',
  'src/trust/hires/escrow/audit/store.ts → db/trust/operators.ts':
    'fsck finds parties whose sponsors are not active',
  'src/trust/hires/escrow/audit/store.ts → db/trust/payouts.ts':
    'fsck looks for the escrow or the withdrawal of each movement of locked credits',
  'src/trust/hires/escrow/audit/store.ts → db/trust/receipts.ts':
    'fsck compares paid escrow with its receipt',
  'src/trust/hires/escrow/credit-return-store.ts → db/trust/agents.ts':
    'the credits of a revoked agent return to the pool of its sponsor',
  'src/trust/hires/escrow/step-store.ts → db/trust/agents.ts':
    'the escrow of a suspended operator is found by the agents that it sponsors',
  'src/trust/hires/escrow/operator-store.ts → db/trust/agents.ts':
    'an operator sees the hires of all its agents in one list',
  'src/trust/hires/escrow/store.ts → db/trust/operators.ts':
    'a hire stands still while the account of the sponsor of its hirer is not active',
  'src/trust/hires/escrow/store.ts → db/trust/agents.ts':
    'escrow is shown with the commitments of its parties',
  'src/trust/hires/escrow/store.ts → db/trust/receipts.ts':
    'receipts stand above escrow, which is shown with the id of its receipt',
  'src/trust/evidence/audit/store.ts → db/trust/agents.ts': 'fsck reads what signed an item with the item',
  'src/trust/evidence/audit/store.ts → db/trust/reputation.ts':
    'fsck holds the end of each chain against what was counted',
  'src/trust/evidence/log/leaf-store.ts → db/trust/agents.ts':
    'an entry of the log has the commitment of its agent',
  'src/trust/receipts/gate/audit/store.ts → db/trust/receipts.ts':
    'fsck holds what is weighed against the receipts',
  'src/trust/receipts/gate/store.ts → db/trust/receipts.ts':
    'receipts that are pending for too long are counted as abandoned, without a row for each',
  'src/trust/evidence/reputation/abandoned-store.ts → db/trust/agents.ts':
    'what a former sponsor issued until it lost the agent is abandoned too',
  'src/trust/evidence/reputation/abandoned-store.ts → db/trust/receipts.ts':
    'receipts that are pending for too long are counted, without a row for each',
  'src/trust/evidence/reputation/deliveries-store.ts → db/trust/operators.ts':
    'deliveries to a suspended sponsor do not count',
  'src/trust/evidence/reputation/deliveries-store.ts → db/trust/billing.ts':
    'deliveries do not count whose payment was taken back',
  'src/trust/evidence/reputation/store.ts → db/trust/operators.ts':
    'what the plan of the sponsor lets an agent count',
  'src/trust/ledger/audit/store.ts → db/trust/agents.ts':
    'fsck computes the hashes of entries from the names of both accounts',
  'src/trust/ledger/audit/store.ts → db/trust/operators.ts':
    'fsck computes the hashes of entries from the names of both accounts',
  'src/trust/ledger/audit/store.ts → db/trust/receipts.ts':
    'fsck computes the hashes of entries from the id of their receipt',
  'src/trust/ledger/journal-ends-store.ts → db/trust/agents.ts': 'a head names the agent of its journal',
  'src/trust/ledger/journal-ends-store.ts → db/trust/operators.ts':
    'a head names the operator of the journal of a pool',
  'src/trust/ledger/journal-store.ts → db/trust/agents.ts':
    'an entry is hashed with the names of both accounts',
  'src/trust/ledger/journal-store.ts → db/trust/operators.ts':
    'an entry is hashed with the names of both accounts',
  'src/trust/ledger/journal-store.ts → db/trust/receipts.ts': 'an entry is hashed with the id of its receipt',
  'src/trust/ledger/lots/store.ts → db/trust/agents.ts':
    'whether an agent is one of the operator whose payment bought a lot',
  'src/trust/ledger/posting-store.ts → db/trust/agents.ts':
    'a balance is one look-up by the commitment of its agent',
  'src/trust/receipts/heads/audit/store.ts → db/trust/linked.ts': 'a tree has the root that its leaf says',
  'src/trust/receipts/heads/store.ts → db/trust/linked.ts': 'the day of a tree is that of its leaf',
  'src/trust/receipts/linked/audit/leaf-store.ts → db/trust/operators.ts':
    'fsck computes the hash of an account from the id of its operator',
  'src/trust/receipts/linked/audit/leaf-store.ts → db/trust/receipts.ts':
    'fsck compares a leaf with the version of the receipt that it records',
  'src/trust/receipts/linked/audit/store.ts → db/trust/agents.ts':
    'fsck looks for receipts in the leaves of revocations, which agents share',
  'src/trust/receipts/linked/audit/store.ts → db/trust/operators.ts':
    'fsck looks for the operators of accounts',
  'src/trust/receipts/linked/audit/store.ts → db/trust/receipts.ts':
    'fsck looks for receipts of linked accounts that have no leaf',
  'src/trust/receipts/linked/store.ts → db/trust/receipts.ts':
    'receipts stand above linked accounts, and a bound has the number of the newest',
  'src/trust/log/audit/store.ts → db/trust/keys.ts':
    'fsck verifies checkpoints by the keys that their rows name',
  'src/trust/log/checkpoints/thinning-store.ts → db/trust/credentials.ts':
    'a checkpoint that a credential cites stays',
  'src/trust/log/checkpoints/thinning-store.ts → db/trust/packages.ts':
    'a checkpoint that a package cites stays',
  'src/trust/log/store.ts → db/trust/keys.ts': 'a checkpoint is shown with the kid of its key',
  'src/trust/operators/related-store.ts → db/trust/agents.ts':
    'agents stand above operators, whose keys name their agents',
  'src/trust/operators/related-store.ts → db/trust/receipts.ts':
    'receipts stand above operators, who see how many they have',
  'src/trust/operators/store.ts → db/trust/agents.ts':
    'a principal is one look-up, with the state of its agent',
  'src/trust/compliance/packages/audit/store.ts → db/trust/log.ts':
    'fsck looks for the checkpoints that packages cite',
  'src/trust/payments/payouts/audit/store.ts → db/trust/agents.ts':
    'fsck compares the receipt with the agent that withdraws',
  'src/trust/payments/payouts/audit/store.ts → db/trust/ledger.ts':
    'fsck compares payouts with the movements of their credits',
  'src/trust/payments/payouts/audit/store.ts → db/trust/receipts.ts':
    'fsck compares payouts with their receipts',
  'src/trust/payments/payouts/audit/store.ts → db/trust/wallets.ts':
    'fsck compares the address of a payout with the wallet of its agent',
  'src/trust/payments/store.ts → db/trust/agents.ts':
    'a settlement that waits is shown with the commitment of its agent',
  'src/trust/payments/payouts/store.ts → db/trust/agents.ts':
    'a payout is shown with the commitment of its agent',
  'src/trust/payments/payouts/store.ts → db/trust/operators.ts':
    'a payout waits while the account of the sponsor of its agent is not active',
  'src/trust/payments/payouts/store.ts → db/trust/receipts.ts':
    'a payout is shown with the id of its receipt',
  'src/trust/receipts/audit/store.ts → db/trust/agents.ts':
    'fsck holds the leaf of a revoked agent against its agent',
  'src/trust/receipts/audit/store.ts → db/trust/keys.ts':
    'fsck makes the entry of a leaf with the kid of its key',
  'src/trust/receipts/audit/store.ts → db/trust/operators.ts':
    'fsck hashes a receipt with the id of its operator',
  'src/trust/receipts/audit/store.ts → db/trust/slashing.ts': 'fsck looks for the entry of a failure',
  'src/trust/receipts/log/leaf-store.ts → db/trust/keys.ts': 'an entry of the log has the kid of its key',
  'src/trust/receipts/unfinished-store.ts → db/trust/agents.ts':
    'an agent keeps what its former sponsors left open',
  'src/trust/receipts/store.ts → db/trust/keys.ts': 'a receipt is shown with the kid of its key',
  'src/trust/receipts/store.ts → db/trust/operators.ts': 'a receipt is shown with the id of its operator',
  'src/trust/receipts/slashing/audit/store.ts → db/trust/ledger.ts':
    'fsck compares entries with what was booked for their receipts',
  'src/trust/receipts/slashing/audit/store.ts → db/trust/receipts.ts':
    'fsck compares entries with the tranches of their receipts',
  'src/trust/receipts/slashing/store.ts → db/trust/receipts.ts':
    'an entry is shown with the id of its receipt',
  'src/trust/ledger/wallets/list-store.ts → db/trust/agents.ts':
    'a wallet is listed with the name of its owner',
  'src/trust/ledger/wallets/list-store.ts → db/trust/operators.ts':
    'a wallet is listed with the name of its owner',
  'src/trust/ledger/wallets/audit/store.ts → db/trust/agents.ts': 'fsck looks for the owners of wallets',
  'src/trust/ledger/wallets/audit/store.ts → db/trust/operators.ts': 'fsck looks for the owners of wallets',
  'src/trust/evidence/reputation/audit/store.ts → db/trust/agents.ts':
    'fsck holds counts against the state of agents',
  'src/trust/evidence/reputation/audit/store.ts → db/trust/escrow.ts':
    'fsck compares accepted deliveries with their hires',
  'src/trust/evidence/reputation/audit/store.ts → db/trust/evidence.ts': 'fsck counts evidence again',
  'src/trust/evidence/reputation/audit/store.ts → db/trust/ledger.ts':
    'fsck compares claw-backs with movements',
  'src/trust/evidence/reputation/audit/store.ts → db/trust/receipts.ts': 'fsck counts receipts again',
  'src/trust/evidence/reputation/days-store.ts → db/trust/agents.ts':
    'the day is looked at by agents, with their names',
  'src/trust/evidence/reputation/store.ts → db/trust/evidence.ts':
    'the chain of an agent that enrolls again continues after the items that were lost',
  'src/trust/evidence/reputation/leaderboard-store.ts → db/trust/agents.ts':
    'the leaderboard is one range, with the names of its agents',
  'src/trust/evidence/reputation/store.ts → db/trust/agents.ts':
    'a counted receipt is found with the names of its agent',
};

describe('the import rules of docs/architecture.md', () => {
  test('imports go one way: main → commands → tools | trust | staffing | witness → platform → proof', () => {
    const wrong = own.filter(({ from, to }) => !ALLOWED[room(from)]?.includes(room(to)));
    expect(wrong).toEqual([]);
  });

  test('proof imports nothing but itself and its few libraries', () => {
    const libraries = [
      '@scure/base',
      '@noble/ed25519',
      '@noble/hashes/sha2.js',
      '@noble/post-quantum/ml-dsa.js',
      'pako',
    ];
    const wrong = IMPORTS.filter(
      ({ from, to }) => room(from) === 'proof' && room(to) !== 'proof' && !libraries.includes(to),
    );
    expect(wrong).toEqual([]);
  });

  test('only stores and db import drizzle', () => {
    const wrong = IMPORTS.filter(
      ({ from, to }) => to.startsWith('drizzle-orm') && SERVICES.includes(room(from)) && !STORE.test(from),
    );
    expect(wrong).toEqual([]);
  });

  test("a capability's store is its own", () => {
    const wrong = own.filter(
      ({ from, to }) =>
        SERVICES.includes(room(to)) && STORE.test(to) && capabilityOf(from) !== capabilityOf(to),
    );
    expect(wrong).toEqual([]);
  });

  test("a service's tables are its own", () => {
    const wrong = own.filter(
      ({ from, to }) =>
        SERVICES.includes(room(from)) && /^db\/[^/]+\//.test(to) && !to.startsWith(`db/${room(from)}/`),
    );
    expect(wrong).toEqual([]);
  });

  test('there are no circles of files', () => {
    // A module names what is loaded later, by whoever puts the service together.
    const now = own.filter(({ from, isLater }) => !(isLater && from.endsWith('/module.ts')));
    expect(circlesOf(now.map(({ from, to }) => [from, to]))).toEqual([]);
  });

  test.each(LAYERED)('the entries of %s form no circle at any level, types included', (root) => {
    expect(circlesAtAnyLevel(root)).toEqual([]);
  });

  test('docs/architecture.md begins with the picture of the rooms that bun scripts/rooms.ts draws', () => {
    const page = readFileSync(join(ROOT, 'docs/architecture.md'), 'utf8');
    expect(withPicture(page, roomsPicture())).toBe(page);
    expect(page.indexOf('```mermaid')).toBeLessThan(page.indexOf('\n## '));
  });

  test('only stores import tables of db and connections to a database; others import the values of columns', () => {
    const wrong = own.filter(
      ({ from, to }) =>
        to.startsWith('db/') && room(from) !== 'db' && !STORE.test(from) && !WITHOUT_TABLES.test(to),
    );
    expect(wrong).toEqual([]);
    const drizzling = FILES.filter((file) => WITHOUT_TABLES.test(file)).filter((file) =>
      IMPORTS.some(({ from, to }) => from === file && to.startsWith('drizzle-orm')),
    );
    expect(drizzling).toEqual([]);
    const speaking = FILES.filter((file) => SERVICES.includes(room(file)) && !STORE.test(file)).filter(
      (file) => SPEAKS_SQL.test(TEXTS.get(file) ?? ''),
    );
    expect(speaking.filter((file) => !REGISTRY_FORMAT.test(file))).toEqual([]);
  });

  test("a table is asked by the store of its capability alone, and by others' where that is declared", () => {
    const asked = own
      .filter(({ from, to, isType }) => to.startsWith('db/') && capabilityOf(from) !== null && !isType)
      .filter(({ names }) => names.some((name) => TABLES.has(name)))
      .map(({ from, to }) => ({ from, to }));
    const written = [...TEXTS].flatMap(([from, text]) =>
      STORE.test(from)
        ? [...text.matchAll(/\b(?:FROM|JOIN|INTO|UPDATE)\s+([a-z_]+)\b/g)].flatMap(([, table = '']) =>
            (OWNERS.get(table) ?? []).some((to) => isOwner(from, to) || serviceOf(to) !== serviceOf(from))
              ? []
              : (OWNERS.get(table) ?? []).map((to) => ({ from, to })),
          )
        : [],
    );
    const foreign = [...asked, ...written]
      .filter(({ from, to }) => !(STORE.test(from) && isOwner(from, to)))
      .map(({ from, to }) => `${from} → ${to}`);
    expect([...new Set(foreign)].sort()).toEqual(Object.keys(JOINS).sort());
  });

  test('what judges in `verify` reads nothing: no file, no URL, no clock', () => {
    const judging = FILES.filter((file) =>
      /^src\/(?:proof\/verifier|tools\/verify\/(?:judge|values))\/.*\.ts$/.test(file),
    );
    expect(judging.length).toBeGreaterThan(10);
    const READING =
      /^(?:src\/tools\/verify\/(?:read|options|report)\/|src\/platform\/(?:files|network)\/|src\/platform\/tlog\/|src\/platform\/time\/clock\.ts$|node:(?:fs|net|http))/;
    const wrong = IMPORTS.filter(({ from, to }) => judging.includes(from) && READING.test(to));
    expect(wrong).toEqual([]);
    const asking = /\bDate\.now\(|new Date\(\)|\bfetch\(|\bBun\.(?:file|stdin)|\bprocess\./;
    expect(judging.filter((file) => asking.test(TEXTS.get(file) ?? ''))).toEqual([]);
  });

  test('no line is longer than the measure, except where a text or a pattern is', () => {
    expect(FILES.length).toBeGreaterThan(1_500);
    expect(BY_HAND.flatMap(longLinesOf)).toEqual([]);
  });

  test('no file is above 400 lines, and none is called by what it is not about', () => {
    const long = BY_HAND.filter((file) => (TEXTS.get(file) ?? '').split('\n').length > 401);
    expect(long).toEqual([]);
    expect(FILES.filter((file) => /\/(?:utils?|helpers?|common|types)\.ts$/.test(file))).toEqual([]);
  });
});
