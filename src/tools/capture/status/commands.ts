import { Command } from 'commander';
import { examples, GROUPS } from '../../../platform/command-help.ts';
import { type Output, outputOption } from '../../../platform/control/operation-command.ts';
import { Failure } from '../../../platform/failure.ts';
import { confirmed } from '../../../platform/terminal/confirm.ts';
import { jsonLine, writeOut } from '../../../platform/terminal/output.ts';
import { printable } from '../../../platform/terminal/printable.ts';
import { type Column, tableText } from '../../../platform/terminal/table.ts';
import { type ServiceOptions, serviceOptions, targetFor } from '../options.ts';
import { type SentSession, sendLeftovers } from '../sending/leftovers.ts';
import { CaptureServices, type OpenLocal } from '../services.ts';
import { SpoolDirectory } from '../spool/directory.ts';
import { discard, lossOf, rowsNamed } from './discard.ts';
import { type SessionRow, sessionsIn, targetText } from './sessions.ts';

const SESSIONS: readonly Column<SessionRow>[] = [
  { title: 'SESSION', cellOf: ({ session }) => session },
  { title: 'STATE', cellOf: ({ state }) => state },
  { title: 'SERVICE', cellOf: ({ service }) => service },
  { title: 'STARTED', cellOf: ({ started_at }) => started_at },
  { title: 'OPEN', isNumber: true, cellOf: ({ open }) => open },
  { title: 'UNISSUED', isNumber: true, cellOf: ({ unissued }) => unissued },
  { title: 'UNFINALIZED', isNumber: true, cellOf: ({ unfinalized }) => unfinalized },
  { title: 'UNRECORDED', isNumber: true, cellOf: ({ unrecorded }) => unrecorded },
  { title: 'REASON', cellOf: ({ reason }) => reason },
];

const SENT: readonly Column<SentSession>[] = [
  { title: 'SESSION', cellOf: ({ session }) => session },
  { title: 'SERVICE', cellOf: ({ target }) => targetText(target) },
  { title: 'SENT', isNumber: true, cellOf: ({ sent }) => sent },
  { title: 'LEFT', isNumber: true, cellOf: ({ left }) => left },
  { title: 'REASON', cellOf: ({ problem }) => problem?.reason ?? null },
];

/** Returns the command `capture`, which manages the receipts that wait in the spool. */
export function captureCommand(openLocal: OpenLocal): Command {
  const command = new Command('capture')
    .description('show, send or discard the receipts of calls that wait in the spool of this user')
    .helpGroup(GROUPS.capture)
    .helpCommand(false)
    .addHelpText(
      'after',
      `
Calls that were recorded without the service wait there. The next session for the same
service sends them, and so does countersign capture send.
${examples(['Show what waits', 'countersign capture status'], ['Send it', 'countersign capture send'])}`,
    );
  command.addCommand(statusCommand());
  command.addCommand(sendCommand(openLocal));
  command.addCommand(discardCommand());
  return command;
}

function statusCommand(): Command {
  return new Command('status')
    .description('show the sessions with something that is not sent')
    .addOption(outputOption('table'))
    .addHelpText(
      'after',
      examples(
        ['Show what waits', 'countersign capture status'],
        ['List it as JSON', 'countersign capture status --output json'],
      ),
    )
    .action(({ output }: { output: Output }) =>
      writeOut(rowsText(SESSIONS, sessionsIn(new SpoolDirectory()), output)),
    );
}

function sendCommand(openLocal: OpenLocal): Command {
  const command = new Command('send')
    .description('send what sessions have left whose process has ended')
    .addHelpText(
      'after',
      examples(
        ['Send everything', 'countersign capture send'],
        ['Send what is for one service', 'countersign capture send --context prod'],
      ),
    );
  for (const option of serviceOptions()) command.addOption(option);
  return command
    .addOption(outputOption('table'))
    .action(async ({ output, ...named }: { output: Output } & ServiceOptions) => {
      const target = Object.keys(named).length > 0 ? targetFor(named, {}) : null;
      const { signal } = new AbortController();
      const services = new CaptureServices(openLocal, target);
      const sessions = await sendLeftovers(
        { directory: new SpoolDirectory(), openTarget: (of) => services.open(of) },
        { target, signal },
      );
      await services.close();
      await writeOut(rowsText(SENT, sessions, output));
      const problem = sessions.find((session) => session.problem !== null)?.problem;
      if (problem == null) return;
      const left = sessions.reduce((total, session) => total + session.left, 0);
      throw new Failure(
        `${left} calls are left: ${problem.reason}`,
        'they stay in the spool',
        problem.exitCode,
      );
    });
}

function discardCommand(): Command {
  return new Command('discard')
    .description('remove sessions with what they have not sent; it cannot be sent later')
    .argument('[session...]', 'the names of sessions, as capture status shows them')
    .option('--all', 'all sessions whose process has ended, and the count of calls without a record')
    .option('--yes', 'do not ask')
    .addHelpText('after', examples(['Remove everything', 'countersign capture discard --all']))
    .action(async (names: string[], { all = false, yes = false }: { all?: boolean; yes?: boolean }) => {
      const directory = new SpoolDirectory();
      const rows = rowsNamed(sessionsIn(directory), names, all);
      if (rows.length === 0) return;
      const loss = printable(lossOf(rows));
      if (yes) process.stderr.write(`${loss}\n`);
      else await confirmed(`${loss}?`);
      discard(directory, rows);
    });
}

function rowsText<Row>(columns: readonly Column<Row>[], rows: readonly Row[], output: Output): string {
  if (output === 'ndjson') return rows.map(jsonLine).join('');
  if (output === 'json') return `${printable(JSON.stringify(rows, null, 2))}\n`;
  return rows.length === 0 ? '' : tableText(columns, rows);
}
