import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Piped, piped } from '../../test/support/mcp/wrapper.ts';
import { EXECUTABLE, type Running, run, scratch, serve } from '../../test/support/process.ts';
import { ROOT } from '../sources.ts';

const AGENT = 'torture';
const PARALLEL = 50;
const API_KEY = `pp_${'5b'.repeat(32)}`;
const ENV = { COUNTERSIGN_BOOTSTRAP_API_KEY: API_KEY, COUNTERSIGN_RATE_LIMITS: 'off' };
/**
 * What is killed, in turn; `nothing` so that sessions also end well. `holder` is the process that serves a
 * directory of `--local` to another one.
 */
const VICTIMS = ['nothing', 'wrapper', 'server', 'service', 'holder'] as const;
type Victim = (typeof VICTIMS)[number];

/** What a run found. */
export interface CallsAndReceipts {
  /** The calls that reached a server. */
  called: number;
  receipts: number;
  /** The numbers of receipts by their status. */
  statuses: Record<string, number>;
}

/**
 * Makes calls through `countersign mcp`, 50 in parallel, and kills the wrapper, the server, the service and
 * the holder of a local directory in turn. At the end, each call that reached a server has exactly one
 * receipt, no call has two, and none is pending.
 * @param rounds each is a session, in which something is killed
 * @throws Error if a call has no receipt, or two
 */
export async function tortureWrappedCalls(rounds: number, callsOfRound: number): Promise<CallsAndReceipts> {
  const { path, dispose } = scratch();
  const key = join(path, 'key');
  writeFileSync(key, API_KEY, { mode: 0o600 });
  const env = { HOME: path, XDG_STATE_HOME: join(path, 'state'), XDG_CONFIG_HOME: join(path, 'config') };
  const local = { log: join(path, 'called-locally'), options: ['--local', join(path, 'local')] };
  const wrapperFor = ({ log, options }: typeof local): Piped => {
    const server = [process.execPath, join(ROOT, 'test/support/mcp/returning-server.ts'), log];
    return piped([EXECUTABLE, 'mcp', ...options, '--agent', AGENT, '--', ...server], env);
  };
  try {
    let service = await serve(join(path, 'data'), ENV);
    const { port } = new URL(service.url);
    const remote = { log: join(path, 'called'), options: ['--url', service.url, '--api-key-file', key] };
    for (let round = 0; round < rounds; round++) {
      const victim = VICTIMS[round % VICTIMS.length] ?? 'nothing';
      if (victim === 'holder') {
        await killHolder(() => wrapperFor(local), `${round}`, callsOfRound);
        continue;
      }
      const wrapper = wrapperFor(remote);
      await callMany(wrapper, `${round}`, callsOfRound, async () => {
        if (victim === 'service') {
          await service.stop('SIGKILL');
          service = await serve(join(path, 'data'), ENV, ['--port', port]);
        } else kill(victim, wrapper);
      });
      await wrapper.ended;
    }
    await sendAll(remote.options, env);
    const receipts = await receiptsOf(service);
    await service.stop();
    const found = checked(calledIn(remote.log), receipts);
    if (!existsSync(local.log)) return found;
    await sendAll(local.options, env);
    return together(found, checked(calledIn(local.log), await localReceipts(join(path, 'local'), env)));
  } finally {
    dispose();
  }
}

/** Has two wrappers make calls with one local directory, and kills the one that serves it. */
async function killHolder(start: () => Piped, round: string, calls: number): Promise<void> {
  const holder = start();
  // It has more to do than the other, so it is killed at work.
  const held = callMany(holder, `${round}-holder`, 4 * calls, async () => undefined);
  await holder.wrote('result');
  const other = start();
  await callMany(other, round, calls, async () => void holder.child.kill('SIGKILL'));
  await Promise.all([held, other.ended]);
  const { signal } = await holder.ended;
  if (signal !== 'SIGKILL') throw new Error('the kill of the holder came too late');
}

const calledIn = (log: string): string[] => readFileSync(log, 'utf8').trimEnd().split('\n');

function kill(victim: Victim, { child }: Piped): void {
  if (victim === 'wrapper') child.kill('SIGKILL');
  if (victim !== 'server') return;
  const children = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8').trim();
  for (const pid of children.split(' ').filter(Boolean)) process.kill(Number(pid), 'SIGKILL');
}

/** Makes calls, and after half of the results lets something happen. Returns when nothing more can come. */
async function callMany(
  wrapper: Piped,
  round: string,
  calls: number,
  halfway: () => Promise<void>,
): Promise<void> {
  const { stdin, stdout } = wrapper.child;
  let sent = 0;
  let returned = 0;
  let happened = Promise.resolve();
  const send = () => {
    const id = sent++;
    const params = { name: `call-${round}-${id}`, arguments: { id } };
    stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params })}\n`);
  };
  const done = new Promise<void>((resolve) => {
    let rest = '';
    stdout.on('data', (chunk: Buffer) => {
      const lines = `${rest}${chunk}`.split('\n');
      rest = lines.pop() ?? '';
      for (let line = 0; line < lines.length; line++) {
        returned++;
        if (returned === Math.floor(calls / 2)) happened = halfway();
        if (sent < calls) send();
        else if (returned === calls) resolve();
      }
    });
  });
  for (let count = 0; count < Math.min(PARALLEL, calls); count++) send();
  await Promise.race([done, wrapper.ended]);
  await happened;
  stdin.end();
}

/** Sends what the sessions for a service have left. @throws Error if something is left */
async function sendAll(options: readonly string[], env: Record<string, string>): Promise<void> {
  const { code, stdout, stderr } = await run(['capture', 'send', ...options], { env });
  if (code !== 0) throw new Error(`countersign capture send ended with ${code}: ${stdout}${stderr}`);
}

async function localReceipts(
  directory: string,
  env: Record<string, string>,
): Promise<Record<string, unknown>[]> {
  const args = ['receipts', 'list', '--data', directory, '--agent', AGENT, '--all', '--output', 'ndjson'];
  const { code, stdout, stderr } = await run(args, { env });
  if (code !== 0) throw new Error(`countersign receipts list ended with ${code}: ${stderr}`);
  return stdout
    .trimEnd()
    .split('\n')
    .map((line) => Object(JSON.parse(line)));
}

async function receiptsOf({ url }: Running): Promise<Record<string, unknown>[]> {
  const receipts: Record<string, unknown>[] = [];
  for (let cursor = ''; ; ) {
    const query = `limit=100&agent_id=${AGENT}${cursor === '' ? '' : `&cursor=${cursor}`}`;
    const response = await fetch(`${url}/api/v1/receipts?${query}`, {
      headers: { authorization: `Bearer ${API_KEY}` },
    });
    const page = Object(await response.json());
    receipts.push(...page.receipts);
    cursor = String(page.next_cursor ?? '');
    if (cursor === '') return receipts;
  }
}

/** @throws Error if a call has no receipt, or two, or if one is pending */
function checked(called: readonly string[], receipts: readonly Record<string, unknown>[]): CallsAndReceipts {
  const byTool = new Map<string, number>();
  const statuses: Record<string, number> = {};
  for (const { authority_scope, status } of receipts) {
    const tool = String(authority_scope).split(':').at(-1) ?? '';
    if (tool.startsWith('call-')) byTool.set(tool, (byTool.get(tool) ?? 0) + 1);
    statuses[String(status)] = (statuses[String(status)] ?? 0) + 1;
  }
  const without = called.filter((tool) => !byTool.has(tool));
  const twice = [...byTool].filter(([, count]) => count > 1).map(([tool]) => tool);
  if (without.length > 0) throw new Error(`${without.length} calls have no receipt: ${without.slice(0, 5)}`);
  if (twice.length > 0) throw new Error(`${twice.length} calls have two receipts: ${twice.slice(0, 5)}`);
  if (statuses.pending !== undefined) throw new Error(`${statuses.pending} receipts are pending`);
  return { called: called.length, receipts: receipts.length, statuses };
}

function together(one: CallsAndReceipts, other: CallsAndReceipts): CallsAndReceipts {
  const statuses = { ...one.statuses };
  for (const [status, count] of Object.entries(other.statuses))
    statuses[status] = (statuses[status] ?? 0) + count;
  return { called: one.called + other.called, receipts: one.receipts + other.receipts, statuses };
}

if (import.meta.main) {
  const [rounds = '250', calls = '100'] = process.argv.slice(2);
  const found = await tortureWrappedCalls(Number(rounds), Number(calls));
  process.stdout.write(`${JSON.stringify(found)}\n`);
}
