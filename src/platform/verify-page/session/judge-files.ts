import { LogProofError } from '../../../proof/log/log-proof.ts';
import type { Primitives } from '../../../proof/primitives.ts';
import {
  type DocumentFiles,
  judgeDocument,
  lacksKeys,
  receiptIn,
  type Trusting,
} from '../../../proof/verifier/document.ts';
import type { KindInputs } from '../../../proof/verifier/kinds/kind.ts';
import { documentKind, RECEIPT } from '../../../proof/verifier/kinds/kinds.ts';
import type { Described } from '../../../proof/verifier/values/judgement.ts';
import { companionsOf } from './companions.ts';
import { judgeJournal, judgeList, type ListConclusion } from './judge-list.ts';
import { type PageFile, roleOf } from './recognise.ts';
import { type Choices, type TrustFiles, trustingIn, Untrusted } from './trusting.ts';

/** What is said of a file. */
export type Row = { file: string } & (
  | {
      /** The kind in messages, such as "receipt". */
      judgedAs: string;
      inputs: KindInputs;
      /** The names of the files that were judged with it. */
      with: readonly string[];
      described: Described;
    }
  | { list: ListConclusion }
  | {
      /** What else the file is used as. */
      usedAs: 'keys' | 'policy' | 'log keys' | 'companion';
    }
  | {
      /** Why it was not judged: a sentence. */
      problem: string;
    }
);

/** What the page says while it judges: how far it is, and last the results. */
export type Step = { file: string; receipts: number } | { rows: readonly Row[]; trusted: TrustedNames };

/** The names of the files that say what is trusted; null for none. */
export interface TrustedNames {
  keys: string | null;
  policy: string | null;
}

/** What a page was made with. */
export interface BakedTrust {
  keys: PageFile | null;
  policy: PageFile | null;
}

/** What is judged. */
export interface Request extends Choices {
  files: readonly PageFile[];
  /** What the page was made with: then no other keys and no other policy count. */
  baked: BakedTrust;
  /** Unix time in milliseconds. */
  now: number;
}

/** A larger file is refused, as `countersign verify` does. */
export const FILE_BYTES_MAX = 64 * 2 ** 20;

const NO_LEAVES = 'The public manifest does not prove leaves of the receipt in the log of accounts.';
const UNNEEDED = 'No document here needs it: add the receipt, or what else it belongs to.';
const NO_KEYS =
  'There are no trusted keys: add the list of keys of the service, the saved response of GET /api/v1/transparency/keys.';

/**
 * Judges files: finds out by their content what each is, what is trusted and what belongs together. Judges
 * each document as `countersign verify` does. Never throws for any file.
 */
export async function* judgeFiles(primitives: Primitives, request: Request): AsyncGenerator<Step> {
  const files = request.files.map((file) => ({ ...file, role: file.role ?? roleOf(file.bytes) }));
  const rows: Row[] = [];
  let trusted: TrustedNames = { keys: null, policy: null };
  try {
    const { trust, refused } = trustFilesIn(files, request.baked);
    const trusting = trustingIn(primitives, trust, request, request.now);
    trusted = { keys: trust.keys?.name ?? null, policy: trust.policy?.name ?? null };
    for (const [file, problem] of refused) rows.push({ file: file.name, problem });
    for (const file of files) {
      yield { file: file.name, receipts: 0 };
      if (refused.has(file)) continue;
      if (file.role === 'list') rows.push(yield* listRow(primitives, file, trusting));
      else if (file.role === 'journal')
        rows.push({ file: file.name, list: judgeJournal(primitives, file.bytes) });
      else if (file.role === 'document')
        rows.push(...(await documentRows(primitives, file, files, trusting)));
      else rows.push(otherRow(file));
    }
  } catch (error) {
    if (!(error instanceof Untrusted)) throw error;
    const problem = `${error.message.replace(/\.$/, '')}. Nothing was judged.`;
    rows.splice(0, rows.length, ...files.map(({ name }) => ({ file: name, problem })));
  }
  const needed = rows.flatMap((row) => ('with' in row ? row.with : []));
  for (const [index, row] of rows.entries())
    if ('usedAs' in row && row.usedAs === 'companion' && !needed.includes(row.file))
      rows[index] = { file: row.file, problem: UNNEEDED };
  // What was judged comes first.
  const order = (row: Row): number => ('usedAs' in row ? 2 : 'problem' in row ? 1 : 0);
  yield { rows: rows.toSorted((one, other) => order(one) - order(other)), trusted };
}

function otherRow({ name, role }: PageFile): Row {
  if (role === 'empty') return { file: name, problem: 'The file is empty.' };
  return {
    file: name,
    usedAs: role === 'keys' || role === 'policy' || role === 'log keys' ? role : 'companion',
  };
}

/**
 * Returns the files that say what is trusted, and the others that would, with the reason why they do not.
 * @throws Untrusted for several files, of which no one says which counts: none would mean less trust
 */
function trustFilesIn(
  files: readonly PageFile[],
  baked: BakedTrust,
): { trust: TrustFiles; refused: ReadonlyMap<PageFile, string> } {
  const of = (role: string): PageFile[] => files.filter((file) => file.role === role);
  const refused = new Map<PageFile, string>();
  const only = (own: PageFile | null, role: 'keys' | 'policy'): PageFile | null => {
    const [first, ...others] = of(role);
    if (own === null) {
      if (first === undefined || others.length === 0) return first ?? null;
      const names = [first, ...others].map(({ name }) => name).join(', ');
      throw new Untrusted(`Several files are ${WHAT[role]}, and one can count: ${names}. Remove the others`);
    }
    for (const file of of(role))
      refused.set(file, `It is not used: this page was made with ${WHAT[role]}, which counts.`);
    return own;
  };
  const [keys, policy] = [only(baked.keys, 'keys'), only(baked.policy, 'policy')];
  // Other keys would count instead of those that the page was made with.
  const isFixed = baked.keys !== null || baked.policy !== null;
  if (isFixed)
    for (const file of of('log keys'))
      refused.set(file, 'It is not used: this page was made with what it trusts, which counts.');
  return {
    trust: {
      keys,
      policy,
      logKeys: isFixed ? [] : of('log keys'),
      areKeysFixed: baked.keys !== null && baked.policy === null,
    },
    refused,
  };
}

const WHAT = { keys: 'a list of keys', policy: 'a policy' } as const;

async function documentRows(
  primitives: Primitives,
  file: PageFile,
  files: readonly PageFile[],
  trusting: Trusting,
): Promise<Row[]> {
  const { name, bytes } = file;
  const kind = documentKind(bytes) ?? RECEIPT;
  if (kind.inputs === 'keyList')
    return [
      { file: name, problem: 'A list of keys is judged by countersign verify, with a copy of its log.' },
    ];
  if (lacksKeys(kind.inputs, trusting)) return [{ file: name, problem: NO_KEYS }];
  const linked = files.find(({ role }) => role === 'linked');
  if (linked !== undefined)
    return [
      (receiptIn(bytes) === null ? null : await linkedRow(linked)) ?? { file: name, problem: NO_LEAVES },
    ];
  const companions = companionsOf(primitives, file, files);
  if ('problem' in companions) return [{ file: name, problem: companions.problem }];
  const { proof, status, entry, journal } = companions;
  if (kind.inputs === 'cose' && entry === undefined)
    return [
      { file: name, problem: 'A COSE receipt does not have the entry of the log: add the public manifest.' },
    ];
  const used = [proof, status, entry, journal].filter((one) => one !== undefined);
  const rows = [
    await row(
      {
        ...{ document: bytes, proof: proof?.bytes, status: status?.bytes },
        ...{ entry: entry?.bytes, journal: journal?.bytes },
      },
      used,
    ),
  ];
  const withLeaves = kind === RECEIPT && proof?.role === 'manifest' ? await linkedRow(proof) : null;
  return withLeaves === null ? rows : [...rows, withLeaves];

  async function row(own: DocumentFiles, companions: readonly PageFile[]): Promise<Row> {
    const { name: judgedAs, described } = await judgeDocument(primitives, own, trusting);
    return { file: name, judgedAs, inputs: kind.inputs, with: companions.map((one) => one.name), described };
  }

  /** Judges the leaves of the receipt in the log of accounts too; null for a manifest without them. */
  async function linkedRow(manifest: PageFile): Promise<Row | null> {
    try {
      const judged = await row({ document: bytes, manifest: manifest.bytes }, [manifest]);
      return { ...judged, judgedAs: 'receipt of a linked account (--linked)' };
    } catch (error) {
      if (!(error instanceof LogProofError)) throw error;
      return null;
    }
  }
}

async function* listRow(
  primitives: Primitives,
  { name, bytes }: PageFile,
  trusting: Trusting,
): AsyncGenerator<Step, Row> {
  if (!trusting.hasKeys) return { file: name, problem: NO_KEYS };
  for (const step of judgeList(primitives, bytes, trusting)) {
    if ('problem' in step) return { file: name, problem: step.problem };
    if ('conclusion' in step) return { file: name, list: step.conclusion };
    yield { file: name, receipts: step.receipts };
  }
  throw new Error('judging ended without a conclusion');
}
