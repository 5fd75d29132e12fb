import { resolve } from 'node:path';
import { Command, InvalidArgumentError, Option } from 'commander';
import type { CommandSurroundings, LoadModules, ModuleCommand } from '../../platform/command-groups.ts';
import { examples } from '../../platform/command-help.ts';
import { commandSettings, milliseconds } from '../../platform/config/command-line.ts';
import { callCommand } from '../../platform/control/call-command.ts';
import { column, listCommand, writeList } from '../../platform/control/list-command.ts';
import { choice, operationCommand } from '../../platform/control/operation-command.ts';
import { Failure } from '../../platform/failure.ts';
import { writeNewFile, writeOut } from '../../platform/terminal/output.ts';
import {
  DOMAINS,
  ERROR_TRANCHES,
  OUTCOMES,
  RECEIPT_STATUSES,
  RECEIPT_TYPES,
} from '../../proof/receipt/receipt.ts';
import { OPERATOR_ID } from '../../proof/receipt/receipt-shape.ts';
import type { TrustModule } from '../service/module.ts';
import { trustSettings, trustSettingsOf } from '../service/settings.ts';
import { apiGroup, OPERATOR } from './operations.ts';
import { expiryOf } from './values/expiry.ts';
import { fileDigests } from './values/file-digests.ts';

const RECEIPT = { id: ['<receipt>', 'the receipt id, rcpt_…'] } as const;
/** The members of a receipt's body that `--input` and `--output-file` fill. */
const DIGESTS = { input: 'input_digest', output_file: 'output_hash' } as const;

/** Returns the commands of receipts. */
export async function commands(surroundings: CommandSurroundings<TrustModule>): Promise<ModuleCommand[]> {
  const command = new Command('receipts')
    .description('issue, finalize, revoke, list and export receipts')
    .addHelpText(
      'after',
      examples(
        [
          'Issue a receipt for the input of an action',
          'countersign receipts issue --agent clerk --domain CODE_GENERATION --scope repo:write --input task.json',
        ],
        ['List the newest receipts', 'countersign receipts list'],
      ),
    );
  const group = await apiGroup(command, surroundings);
  callCommand(group, 'issue', 'issueReceipt', {
    summary: 'issue a receipt before an action',
    options: {
      operator: OPERATOR,
      agent_id: new Option('--agent <name>', 'the agent that acts'),
      domain: choice('--domain <domain>', 'the domain that it acts in', DOMAINS),
      authority_scope: new Option('--scope <text>', 'what it may do'),
      input_digest: new Option('--input-digest <hex>', 'the SHA-256 of the input'),
      input: new Option('--input <file>', 'the input, which is hashed here; - for standard input'),
      receipt_type: choice('--type <type>', 'the kind of receipt (default: custody)', RECEIPT_TYPES),
      expiry: new Option('--expires <time>', 'a time, or from now: 12h, 30d, 10y (default: 10y)').argParser(
        expiryOf,
      ),
      prev_receipt_hash: new Option('--previous <hex>', 'the content hash of the receipt before this one'),
      blind: new Option('--blind', 'hide the domain: the receipt has only a commitment to it'),
    },
    takesBody: true,
    async valuesFor(values, command) {
      const body = await fileDigests(values, DIGESTS);
      if (command.getOptionValue('dataFile') !== undefined) return body;
      return { receipt_type: 'custody', expiry: expiryOf('10y'), ...body };
    },
    examples: [
      [
        'Issue a receipt for the input of an action',
        'countersign receipts issue --agent clerk --domain CODE_GENERATION --scope repo:write --input task.json',
      ],
      ['Issue one from a file with the whole body', 'countersign receipts issue --data-file receipt.json'],
    ],
  });
  callCommand(group, 'finalize', 'finalizeReceipt', {
    summary: 'say how the action of a receipt ended',
    arguments: RECEIPT,
    options: {
      operator: OPERATOR,
      status: choice('--status <status>', 'how it ended (default: success, with an output)', OUTCOMES),
      output_hash: new Option('--output-hash <hex>', 'the SHA-256 of the output, for success'),
      output_file: new Option(
        '--output-file <file>',
        'the output, which is hashed here; - for standard input',
      ),
      reason: new Option('--reason <text>', 'why, for any other status'),
      error_tranche: choice('--tranche <tranche>', 'the class of the error', ERROR_TRANCHES),
    },
    takesBody: true,
    async valuesFor(values) {
      const { reason, ...body } = await fileDigests(values, DIGESTS);
      const status = body.status ?? (body.output_hash === undefined ? undefined : 'success');
      if (reason !== undefined && status === 'success')
        throw new Failure('--reason does not belong to --status success', 'leave --reason out', 2);
      const known = status === undefined ? body : { ...body, status };
      if (reason === undefined) return known;
      const isRefusal = status === 'refusal' || status === 'null';
      return { ...known, [isRefusal ? 'refusal_reason' : 'terminal_reason']: reason };
    },
    examples: [
      [
        'Say that it succeeded, with its output',
        'countersign receipts finalize RECEIPT --output-file result.json',
      ],
      [
        'Say that it timed out',
        'countersign receipts finalize RECEIPT --status timeout --reason "no answer"',
      ],
    ],
  });
  callCommand(group, 'revoke', 'revokeReceipt', {
    summary: 'revoke a receipt',
    arguments: RECEIPT,
    options: { operator: OPERATOR, reason: new Option('--reason <text>', 'why') },
    asks: ({ id }) => `revoke the receipt ${id}`,
    examples: [['Revoke a receipt', 'countersign receipts revoke RECEIPT --reason "issued by mistake"']],
  });
  listCommand(group, 'list', 'listReceipts', {
    summary: 'list receipts, the newest first',
    options: {
      operator: OPERATOR,
      status: choice('--status <status>', 'only those with this status', RECEIPT_STATUSES),
      domain: choice('--domain <domain>', 'only those of this domain', DOMAINS),
      agent_id: new Option('--agent <name>', 'only those of this agent'),
      from: new Option('--from <time>', 'issued at this RFC 3339 time or later').argParser(time),
      to: new Option('--to <time>', 'issued before this RFC 3339 time').argParser(time),
    },
    rows: 'receipts',
    columns: [
      column('RECEIPT', 'receipt_id'),
      column('STATUS', 'status'),
      column('DOMAIN', 'domain'),
      column('AGENT', 'agent_id'),
      column('ISSUED', 'issued_at'),
      column('REVOCATION', 'revocation_status'),
      column('SCOPE', 'authority_scope'),
    ],
    examples: [['List what is pending', 'countersign receipts list --status pending --all']],
  });
  callCommand(group, 'show', 'getReceipt', {
    summary: 'show a receipt',
    reads: true,
    arguments: RECEIPT,
    options: { operator: OPERATOR },
    examples: [['Save a receipt', 'countersign receipts show RECEIPT > receipt.json']],
  });
  callCommand(group, 'proof', 'getReceiptProof', {
    summary: 'print the proof that a receipt is in the log',
    reads: true,
    returnsText: true,
    arguments: RECEIPT,
    options: { cosigned: COSIGNED },
    examples: [['Save a proof', 'countersign receipts proof RECEIPT > receipt.proof']],
  });
  callCommand(group, 'bundle', 'getReceiptBundle', {
    summary: 'print all that verifies a receipt offline, as one file',
    reads: true,
    arguments: RECEIPT,
    options: { operator: OPERATOR, cosigned: COSIGNED },
    examples: [['Save a bundle', 'countersign receipts bundle RECEIPT > bundle.json']],
  });
  exportCommand(group, surroundings.modules);
  return [{ command }];
}

const COSIGNED = new Option('--cosigned', 'under a checkpoint that the quorum of witnesses has cosigned');

/** Adds the command that writes receipts to a file. */
function exportCommand(group: Awaited<ReturnType<typeof apiGroup>>, modules: LoadModules<TrustModule>): void {
  const { command, read } = operationCommand(group, 'export', 'listReceipts', {
    summary: 'write receipts as lines of JSON (NDJSON)',
    options: {
      from: new Option('--from <time>', 'issued at this RFC 3339 time or later').argParser(time),
      to: new Option('--to <time>', 'issued before this RFC 3339 time').argParser(time),
      operator: new Option(
        '--operator <id>',
        'only the receipts of this operator, op_cus_…; for a data directory',
      ).argParser(operatorId),
    },
    notes: `
Of a data directory, it writes the receipts of all operators, or of one with --operator,
the oldest first, without salts. Of a service, it writes the receipts of the key's
operator, the newest first.
`,
    examples: [
      [
        'Write the receipts of January to a file',
        'countersign receipts export --from 2026-01-01T00:00:00Z --to 2026-02-01T00:00:00Z --out january.ndjson',
      ],
    ],
  });
  command
    .option('--out <file>', 'a new file to write to, mode 0600, instead of stdout')
    .action(async ({ from, to, operator, out }: ExportOptions) => {
      if (group.isForService(command)) {
        if (operator !== undefined)
          throw new Failure('the operator is that of the key', 'leave --operator out, or use --data', 2);
        const list = { rows: 'receipts', columns: null };
        const call = { operationFor: () => 'listReceipts', values: read().values };
        const all = { output: 'ndjson', limit: Number.POSITIVE_INFINITY } as const;
        const written = (write: typeof writeOut) =>
          writeList(group.operations, command, list, call, { ...all, write });
        await (out === undefined ? written(writeOut) : writeNewFile(out, written));
        return;
      }
      const { config } = commandSettings(command, trustSettingsOf(await modules()));
      // Loaded here, so that other commands start without it.
      const [{ exportTo }, { trustDatabaseOf }] = await Promise.all([
        import('../receipts/export/file.ts'),
        import('../service/database.ts'),
      ]);
      const data = resolve(trustSettings.data.in(config));
      await exportTo(data, trustDatabaseOf(await modules()), { from, to, operator }, out);
    });
}

interface ExportOptions {
  from?: string;
  to?: string;
  operator?: string;
  out?: string;
}

function operatorId(text: string): string {
  if (!OPERATOR_ID.test(text))
    throw new InvalidArgumentError('An operator id is op_cus_ and 24 letters and digits.');
  return text;
}

/** Keeps the time as text, which may be finer than a millisecond. */
function time(text: string): string {
  milliseconds(text);
  return text;
}
