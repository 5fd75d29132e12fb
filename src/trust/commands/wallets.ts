import type { Static } from '@sinclair/typebox';
import { Command } from 'commander';
import type { ModuleCommand } from '../../platform/command-groups.ts';
import { examples, GROUPS } from '../../platform/command-help.ts';
import { addFlags } from '../../platform/config/command-line.ts';
import type { RunAction } from '../../platform/control/run-action.ts';
import { Failure } from '../../platform/failure.ts';
import { confirmed } from '../../platform/terminal/confirm.ts';
import { jsonLine, writeOut } from '../../platform/terminal/output.ts';
import { type Column, listText } from '../../platform/terminal/table.ts';
import type { TrustContext } from '../service/context.ts';
import type { TrustModule } from '../service/module.ts';
import { trustSettings } from '../service/settings.ts';
import { trustActionRunner } from './action-runner.ts';

/** Returns the commands of wallets. */
export const commands = (modules: readonly TrustModule[]): readonly ModuleCommand[] => {
  const act = trustActionRunner(modules, () => import('../payments/payouts/wallet-actions.ts'));
  return [{ command: walletsCommand(act) }];
};

type Actions = typeof import('../payments/payouts/wallet-actions.ts');
type Act = RunAction<TrustContext, Actions>;
type ListedWallet = Static<Actions['listAction']['output']>['wallets'][number];
type Sent = Static<Actions['sendAction']['output']>;

/** Returns the commands that administer custodial wallets, with or without a running server. */
function walletsCommand(act: Act): Command {
  const wallets = new Command('wallets')
    .description('list custodial wallets, and send what one holds; also works while the server runs')
    .helpGroup(GROUPS.administration)
    .addHelpText(
      'after',
      `
Payouts go to the custodial wallet of the agent, whose private key only this
service has. Who owns what a wallet holds is between you and its owner.
${examples(
  ['List all wallets', 'countersign wallets list'],
  ['Send an agent what its wallet holds', 'countersign wallets send COMMITMENT ADDRESS all'],
)}`,
    )
    .helpCommand(false);
  const subcommand = (usage: string, summary: string, description: string): Command => {
    const command = wallets.command(usage).summary(summary).description(description);
    return addFlags(command, [trustSettings.data, trustSettings.config]);
  };
  addList(subcommand, act);
  addSend(subcommand, act);
  return wallets;
}

/**
 * Adds a subcommand with the flags that all have.
 * @param summary for the help of `wallets`, whose lines do not wrap
 */
type Subcommand = (usage: string, summary: string, description: string) => Command;

interface ListOptions {
  balances: boolean;
  json?: boolean;
}

function addList(subcommand: Subcommand, act: Act): void {
  subcommand('list', 'list all wallets', 'list all custodial wallets, newest first')
    .addHelpText(
      'after',
      `
While a chain is configured (evm.…), its node is asked for the balances.
${examples(['Print all wallets as lines of JSON', 'countersign wallets list --json'])}`,
    )
    .option('--no-balances', 'do not ask the node of the chain')
    .option('--json', 'print a line of JSON for each')
    .action(async ({ balances, json = false }: ListOptions, command: Command) => {
      const rows: ListedWallet[] = [];
      let before: number | null = null;
      let problem: string | null = null;
      do {
        const page: Static<Actions['listAction']['output']> = await act(
          command,
          (actions) => actions.listAction,
          // A node that did not answer is not asked again.
          { before, balances: balances && problem === null },
        );
        // A table needs the widths of all rows; lines of JSON need nothing.
        if (json) await writeOut(listText(WALLETS, page.wallets, true));
        else rows.push(...page.wallets);
        problem ??= page.problem;
        before = page.next;
      } while (before !== null);
      if (!json) await writeOut(listText(WALLETS, rows));
      if (problem !== null) process.stderr.write(`The balances are unknown. ${problem}\n`);
    });
}

interface SendOptions {
  coin?: boolean;
  fundGas?: boolean;
  reference?: string;
  yes?: boolean;
  json?: boolean;
}

function addSend(subcommand: Subcommand, act: Act): void {
  subcommand(
    'send',
    'send what a wallet holds',
    'send tokens or coins from a custodial wallet to an address; needs a configured chain',
  )
    .addHelpText(
      'after',
      `
It asks before it sends, and waits until the transfer is final. If it is
interrupted, repeat the same command: the transfer continues, and is not sent
again. An equal transfer that was confirmed is not repeated either; for another
one of the same amount to the same address, pass a new --reference.

The fee is paid by the wallet itself, in the coin of the chain. With --fund-gas,
the treasury sends the wallet what is missing.
${examples(
  ['Send all tokens of an agent', 'countersign wallets send COMMITMENT ADDRESS all --fund-gas'],
  ['Send 12.5 tokens without a question', 'countersign wallets send OPERATOR ADDRESS 12.5 --yes'],
)}`,
    )
    .argument('<wallet>', 'an operator id, the commitment of an agent, or the address of a wallet')
    .argument('<to>', 'the address that receives it')
    .argument('<amount>', 'tokens, such as 12.5; or all')
    .option('--coin', 'send the coin of the chain instead of tokens')
    .option('--fund-gas', 'let the treasury send coins that are missing for the fee')
    .option('--reference <text>', 'what distinguishes this transfer from an equal earlier one')
    .option('--yes', 'do not ask')
    .option('--json', 'print the result as a line of JSON')
    .action(async (wallet: string, to: string, amount: string, options: SendOptions, command: Command) => {
      await send(
        act,
        command,
        { wallet, to, amount, asset: options.coin === true ? 'native' : 'token' },
        options,
      );
    });
}

/** Checks, asks, sends, and waits until the transfer is final. @throws Failure if it is not sent */
async function send(
  act: Act,
  command: Command,
  order: { wallet: string; to: string; amount: string; asset: 'token' | 'native' },
  { fundGas = false, reference = '', yes = false, json = false }: SendOptions,
): Promise<void> {
  const { wallet, to, token } = await act(command, (actions) => actions.orderAction, order);
  const unit = token === null ? 'coins' : `tokens (${token})`;
  if (!yes) {
    const held = token === null ? wallet.coins : wallet.tokens;
    await confirmed(
      `Send ${order.amount === 'all' ? `all ${held}` : order.amount} ${unit} on ${wallet.chain}\n` +
        `from ${wallet.address}, the wallet of the ${wallet.kind} ${wallet.owner}, which has ${held},\n` +
        `to   ${to}`,
    );
  }
  const input = { ...order, fund_gas: fundGas, reference };
  let sent = await act(command, (actions) => actions.sendAction, input);
  for (
    let said = '';
    sent.status === 'open';
    sent = await act(command, (actions) => actions.sendAction, input)
  ) {
    const { detail, transaction_hash: hash } = sent;
    const line = `${detail ?? 'It waits.'}${hash === null ? '' : ` ${hash}`}\n`;
    if (line !== said) process.stderr.write(line);
    said = line;
  }
  if (sent.status === 'failed')
    throw new Failure(`nothing was sent: ${sent.detail}`, 'countersign wallets list');
  await writeOut(json ? jsonLine(sent) : sentText(sent, unit));
}

function sentText({ amount, from, to, transaction_hash, replayed }: Sent, unit: string): string {
  const what = `${amount} ${unit} from ${from} to ${to}: ${transaction_hash}`;
  return replayed
    ? `Not sent again, because an equal transfer was confirmed before: ${what}\nFor another one, pass a new --reference.\n`
    : `Sent and final: ${what}\n`;
}

const WALLETS: readonly Column<ListedWallet>[] = [
  { title: 'OWNER', cellOf: (row) => row.owner },
  { title: 'ADDRESS', cellOf: (row) => row.address },
  { title: 'CHAIN', cellOf: (row) => row.chain },
  { title: 'TOKENS', isNumber: true, cellOf: (row) => row.tokens },
  { title: 'COINS', isNumber: true, cellOf: (row) => row.coins },
  { title: 'CREATED', cellOf: (row) => row.created_at },
];
