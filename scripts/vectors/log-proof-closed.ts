import { bytesToHex } from '../../src/proof/encoding/hex.ts';
import type { JsonValue } from '../../src/proof/encoding/json.ts';
import { LOG_NAMES, type LogName } from '../../src/proof/log/log-names.ts';
import type { Operation } from '../../test/support/json-patch.ts';
import type { SmallLog } from '../../test/support/small-log.ts';
import type { ProofCase } from './log-proof-origins.ts';

const COMMON = 'former.example';

/**
 * Returns the cases about closed logs.
 * @param log makes a log of a name, signed by its own key
 * @param openKey the same key, named for the log of receipts that continues
 */
export function closedCases(log: (name: LogName, common: string) => SmallLog, openKey: string): ProofCase[] {
  const listed = (row: { [member: string]: JsonValue }, name: LogName = 'receipts'): Operation[] => [
    {
      op: 'add',
      path: '/closed_logs',
      value: [
        {
          log: name,
          origin: `${COMMON}/${name}`,
          tree_size: log(name, COMMON).entries.length,
          root_hash: bytesToHex(log(name, COMMON).root),
          certain: true,
          at: '2026-05-01T12:00:00.000Z',
          log_index: 7,
          ...row,
        },
      ],
    },
  ];
  const size = log('receipts', COMMON).entries.length;
  const one = (
    name: string,
    verdict: string,
    keys_patch: Operation[],
    problem = `the checkpoint: ${verdict}: `,
  ): ProofCase => ({
    name,
    file: `former-receipts.checkpoint`,
    content: log('receipts', COMMON).checkpoint,
    verdict,
    problem: verdict === 'valid' ? null : problem,
    keys_patch,
  });
  return [
    ...LOG_NAMES.map(
      (name): ProofCase => ({
        name: `an entry of a closed log of ${name}`,
        file: `former-${name}.tlog-proof`,
        content: log(name, COMMON).proof(0),
        verdict: 'valid',
        problem: null,
        keys_patch: listed({}, name),
      }),
    ),
    one('a closed log at its end', 'valid', listed({})),
    one('a closed log before its end', 'valid', listed({ tree_size: size + 1, root_hash: 'c'.repeat(64) })),
    one('a closed log after its end', 'closed_size_contradicted', listed({ tree_size: size - 1 })),
    one('a closed log that published nothing', 'closed_size_contradicted', listed({ tree_size: 0 })),
    one('a closed log after an uncertain end', 'valid', listed({ tree_size: size - 1, certain: false })),
    one('another root at the end', 'closed_size_contradicted', listed({ root_hash: 'c'.repeat(64) })),
    one(
      'another root at an uncertain end',
      'closed_size_contradicted',
      listed({ root_hash: 'c'.repeat(64), certain: false }),
    ),
    one('a closed log of another name', 'wrong_log', listed({ origin: 'x.example/receipts' })),
    one('a closed log of another log', 'wrong_log', listed({ log: 'keys', origin: `${COMMON}/keys` })),
    one('a closed log of an unknown log', 'wrong_log', listed({ log: 'more', origin: `${COMMON}/more` })),
    one('a closed log in a list without log', 'log_not_named', [
      ...listed({}),
      { op: 'remove', path: '/log' },
    ]),
    {
      ...one('a closed log, where --log-key names the one that continues', 'wrong_log', listed({})),
      log_key: [openKey],
    },
  ];
}
