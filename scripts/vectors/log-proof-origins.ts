import { LOG_NAMES, type LogName } from '../../src/proof/log/log-names.ts';
import { formatVerifierKey } from '../../src/proof/log/note.ts';
import type { Operation } from '../../test/support/json-patch.ts';
import { type SmallLog, testKey, verifierOf } from '../../test/support/small-log.ts';

/** A checkpoint or a proof with the trusted keys of a case of test/vectors/log-proof. */
export interface ProofCase {
  name: string;
  file: string;
  content: string;
  verdict: string;
  problem: string | null;
  keys_patch?: Operation[];
  log_key?: string[];
  any_log?: boolean;
}

const ORIGIN = 'receipts.example';
const SIGNER = 'the checkpoint: no trusted key';
const WITHOUT_LOG: Operation[] = [{ op: 'remove', path: '/log' }];
const NOT_NAMED = 'the checkpoint: log_not_named: ';
const replaced = (path: string, value: string): Operation => ({ op: 'replace', path, value });

/**
 * Returns the cases about the log that is meant.
 * @param log makes a log of a name, of another installation, or signed by the key of another seed
 */
export function meantCases(
  log: (name: LogName, others?: { seed?: number; common?: string }) => SmallLog,
  seeds: Readonly<Record<LogName, number>>,
): ProofCase[] {
  const shadow = (name: LogName, seed = seeds[name]) => log(name, { seed, common: 'shadow.example' });
  const vkeyOf = (origin: string): string => formatVerifierKey(verifierOf(testKey(seeds.receipts), origin));
  /** A checkpoint with other trust in logs. */
  const trusting = (
    name: string,
    of: LogName | 'shadow',
    verdict: string,
    others: Pick<ProofCase, 'keys_patch' | 'log_key' | 'any_log'> = {},
  ): ProofCase => ({
    ...{ name, file: `${of}.checkpoint`, verdict, ...others },
    content: of === 'shadow' ? shadow('receipts').checkpoint : log(of).checkpoint,
    problem: verdict === 'valid' ? null : `the checkpoint: ${verdict === 'bad_checkpoint' ? '' : verdict}`,
  });

  return [
    ...LOG_NAMES.flatMap((name): ProofCase[] => [
      {
        name: `an entry of another log of ${name}, with the same key`,
        file: `shadow-${name}.tlog-proof`,
        content: shadow(name).proof(0),
        verdict: 'wrong_log',
        problem: `the checkpoint: wrong_log: shadow.example/${name}`,
      },
      {
        name: `an entry of ${name}, and a list without log`,
        file: `${name}.tlog-proof`,
        content: log(name).proof(0),
        keys_patch: WITHOUT_LOG,
        verdict: 'log_not_named',
        problem: NOT_NAMED,
      },
      {
        name: `an entry of ${name}, a list without log, and any log`,
        file: `${name}.tlog-proof`,
        content: log(name).proof(0),
        keys_patch: WITHOUT_LOG,
        any_log: true,
        verdict: 'valid',
        problem: null,
      },
    ]),
    {
      name: 'a log that was closed',
      file: 'closed.tlog-proof',
      content: log('receipts', { common: `${ORIGIN}-0` }).proof(0),
      verdict: 'wrong_log',
      problem: 'the checkpoint: wrong_log: ',
    },
    {
      name: 'an entry of another log, with another index',
      file: 'shadow-index.tlog-proof',
      content: shadow('receipts').proof(0).replace('\nindex 0\n', '\nindex 1\n'),
      verdict: 'wrong_log',
      problem: 'the checkpoint: wrong_log: ',
    },
    {
      name: 'another log, by a key that is not trusted',
      file: 'shadow-key.checkpoint',
      content: shadow('receipts', 7).checkpoint,
      verdict: 'bad_checkpoint',
      problem: SIGNER,
    },
    trusting('a checkpoint of another log', 'shadow', 'wrong_log'),
    trusting('another log than the list names, and any log', 'shadow', 'wrong_log', { any_log: true }),
    trusting('the log that the list names, and any log', 'receipts', 'valid', { any_log: true }),
    trusting('a list without log, and any log, of another name', 'shadow', 'valid', {
      ...{ any_log: true, keys_patch: WITHOUT_LOG },
    }),
    trusting('another list', 'shadow', 'valid', {
      keys_patch: [replaced('/log/origin', 'shadow.example/keys')],
    }),
    trusting('another log, which --log-key names', 'shadow', 'valid', {
      log_key: [vkeyOf('shadow.example/receipts')],
    }),
    trusting('another log than --log-key names', 'receipts', 'wrong_log', {
      log_key: [vkeyOf('shadow.example/receipts')],
    }),
    trusting('another log than --log-key names, and any log', 'receipts', 'wrong_log', {
      ...{ any_log: true, log_key: [vkeyOf('shadow.example/receipts')] },
    }),
    trusting('one of the logs that --log-key names', 'receipts', 'valid', {
      log_key: ['shadow.example', ORIGIN].map((origin) => vkeyOf(`${origin}/receipts`)),
    }),
    trusting('a list without log, and --log-key', 'receipts', 'valid', {
      ...{ keys_patch: WITHOUT_LOG, log_key: [vkeyOf(`${ORIGIN}/receipts`)] },
    }),
    trusting('the key in --log-key for a log of another name', 'receipts', 'bad_checkpoint', {
      log_key: [vkeyOf(`${ORIGIN}/evidence`)],
    }),
    trusting('the key in --log-key for what is not a log', 'receipts', 'bad_checkpoint', {
      log_key: [vkeyOf('receipts')],
    }),
  ];
}
