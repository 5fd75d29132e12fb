import type { Static } from '@sinclair/typebox';
import { Command } from 'commander';
import type { CommandSurroundings, ModuleCommand } from '../../platform/command-groups.ts';
import { examples } from '../../platform/command-help.ts';
import { checkedOutput } from '../../platform/control/action.ts';
import { writeRows } from '../../platform/control/list-command.ts';
import { type CallOperation, operationCommand } from '../../platform/control/operation-command.ts';
import { Failure } from '../../platform/failure.ts';
import { confirmed } from '../../platform/terminal/confirm.ts';
import { jsonLine, writeOut } from '../../platform/terminal/output.ts';
import type { Column } from '../../platform/terminal/table.ts';
import type { SendResponse, WalletListResponse } from '../payments/payouts/local-wallet-routes.ts';
import type { TrustModule } from '../service/module.ts';
import { operationGroup } from './operations.ts';

type ListedWallet = Static<typeof WalletListResponse>['wallets'][number];
type Sent = Static<typeof SendResponse>;

/** Returns the commands that administer custodial wallets. */
export async function commands(surroundings: CommandSurroundings<TrustModule>): Promise<ModuleCommand[]> {
  const command = new Command('wallets')
    .description('list custodial wallets, and send what one holds, even while the server runs')
    .addHelpText(
      'after',
      `
Payouts go to the custodial wallet of the agent, whose private key only this
service has. Who owns what a wallet holds is between you and its owner.
${examples(
  ['List all wallets', 'countersign wallets list'],
  ['Send an agent what its wallet holds', 'countersign wallets send COMMITMENT ADDRESS all'],
)}`,
    );
  const group = await operationGroup(command, surroundings);
  const { command: list } = operationCommand(group, 'list', 'listWallets', {
    summary: 'list all wallets',
    notes: `
While a chain is configured (evm.…), its node is asked for the balances.
`,
    examples: [['Print all wallets as lines of JSON', 'countersign wallets list --json']],
  });
  list
    .option('--no-balances', 'do not ask the node of the chain')
    .option('--json', 'print a line of JSON for each')
    .action(async ({ balances, json = false }: ListOptions) => {
      const { rows, problem } = await group.operations(list, (call) => readWallets(call, balances));
      await writeRows(json ? null : WALLETS, rows);
      if (problem !== null) process.stderr.write(`The balances are unknown. ${problem}\n`);
    });
  const { command: send } = operationCommand(group, 'send', 'sendFromWallet', {
    summary: 'send what a wallet holds',
    arguments: {
      wallet: ['<wallet>', 'an operator id, the commitment of an agent, or the address of a wallet'],
      to: ['<to>', 'the address that receives it'],
      amount: ['<amount>', 'tokens, such as 12.5; or all'],
    },
    notes: `
It asks before it sends, and waits until the transfer is final. If it is
interrupted, repeat the same command: the transfer continues, and is not sent
again. An equal transfer that was confirmed is not repeated either; for another
one of the same amount to the same address, pass a new --reference.

The fee is paid by the wallet itself, in the coin of the chain. With --fund-gas,
the treasury sends the wallet what is missing.
`,
    examples: [
      ['Send all tokens of an agent', 'countersign wallets send COMMITMENT ADDRESS all --fund-gas'],
      ['Send 12.5 tokens without a question', 'countersign wallets send OPERATOR ADDRESS 12.5 --yes'],
    ],
  });
  send
    .option('--coin', 'send the coin of the chain instead of tokens')
    .option('--fund-gas', 'let the treasury send coins that are missing for the fee')
    .option('--reference <text>', 'what distinguishes this transfer from an equal earlier one')
    .option('--yes', 'do not ask')
    .option('--json', 'print the result as a line of JSON')
    .action(async (wallet: string, to: string, amount: string, options: SendOptions) => {
      const order = { wallet, to, amount, asset: options.coin === true ? 'native' : 'token' };
      await sendFrom((body) => group.operations(send, body), order, options);
    });
  return [{ command }];
}

interface ListOptions {
  balances: boolean;
  json?: boolean;
}

interface SendOptions {
  coin?: boolean;
  fundGas?: boolean;
  reference?: string;
  yes?: boolean;
  json?: boolean;
}

/** Reads all wallets, with their balances while the node responds. `problem` says why it does not. */
async function readWallets(call: CallOperation, balances: boolean) {
  const { WalletListResponse: schema } = await import('../payments/payouts/local-wallet-routes.ts');
  const rows: ListedWallet[] = [];
  let cursor: string | null = null;
  let problem: string | null = null;
  do {
    const values = {
      limit: '100',
      // A node that did not respond is not asked again.
      balances: String(balances && problem === null),
      ...(cursor === null ? {} : { cursor }),
    };
    const page: Static<typeof WalletListResponse> = checkedOutput(
      schema,
      await call('listWallets', values),
      'the operation listWallets',
    );
    rows.push(...page.wallets);
    problem ??= page.problem;
    cursor = page.next_cursor;
  } while (cursor !== null);
  return { rows, problem };
}

/** Checks, asks, sends, and waits until the transfer is final. @throws Failure if it is not sent */
async function sendFrom(
  operations: <Result>(body: (call: CallOperation) => Promise<Result>) => Promise<Result>,
  order: { wallet: string; to: string; amount: string; asset: string },
  { fundGas = false, reference, yes = false, json = false }: SendOptions,
): Promise<void> {
  const { PreviewResponse, SendResponse } = await import('../payments/payouts/local-wallet-routes.ts');
  const { wallet, to, token } = checkedOutput(
    PreviewResponse,
    // A separate session: the directory is free while the administrator is asked.
    await operations((call) => call('previewTransfer', order)),
    'the operation previewTransfer',
  );
  const unit = token === null ? 'coins' : `tokens (${token})`;
  if (!yes) {
    const balance = token === null ? wallet.coins : wallet.tokens;
    await confirmed(
      `Send ${order.amount === 'all' ? `all ${balance}` : order.amount} ${unit} on ${wallet.chain}\n` +
        `from ${wallet.address}, the wallet of the ${wallet.kind} ${wallet.owner}, which has ${balance},\n` +
        `to   ${to}`,
    );
  }
  const transfer = { ...order, fund_gas: fundGas, ...(reference === undefined ? {} : { reference }) };
  const continued = async () =>
    checkedOutput(
      SendResponse,
      await operations((call) => call('sendFromWallet', transfer)),
      'the operation sendFromWallet',
    );
  let sent = await continued();
  for (let shown = ''; sent.status === 'open'; sent = await continued()) {
    const { detail, transaction_hash: hash } = sent;
    const line = `${detail ?? 'It waits.'}${hash === null ? '' : ` ${hash}`}\n`;
    if (line !== shown) process.stderr.write(line);
    shown = line;
  }
  if (sent.status === 'failed')
    throw new Failure(`nothing was sent: ${sent.detail}`, 'countersign wallets list');
  await writeOut(json ? jsonLine(sent) : sentText(sent, unit));
}

function sentText({ amount, from, to, transaction_hash, replayed }: Sent, unit: string): string {
  const transfer = `${amount} ${unit} from ${from} to ${to}: ${transaction_hash}`;
  return replayed
    ? `Not sent again, because an equal transfer was confirmed before: ${transfer}\nFor another one, pass a new --reference.\n`
    : `Sent and final: ${transfer}\n`;
}

const WALLETS: readonly Column<ListedWallet>[] = [
  { title: 'OWNER', cellOf: (row) => row.owner },
  { title: 'ADDRESS', cellOf: (row) => row.address },
  { title: 'CHAIN', cellOf: (row) => row.chain },
  { title: 'TOKENS', isNumber: true, cellOf: (row) => row.tokens },
  { title: 'COINS', isNumber: true, cellOf: (row) => row.coins },
  { title: 'CREATED', cellOf: (row) => row.created_at },
];
