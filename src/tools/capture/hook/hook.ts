import { asFailure } from '../../../platform/failure.ts';
import { gathered } from '../../../platform/files/read.ts';
import { type CaptureOptions, sessionContext } from '../options.ts';
import type { OpenLocal } from '../services.ts';
import { Notices } from '../session/notices.ts';
import { SpoolDirectory } from '../spool/directory.ts';
import { hookEvent } from './event.ts';
import { recordEvent } from './record.ts';

/** The time until the process ends, in milliseconds from its start. The client waits for it. */
const END_MS = 950;
/** The time until which the service may respond. */
const DEADLINE_MS = 850;
/** The largest event. */
const MAX_BYTES = 64 * 2 ** 20;

const BLOCKED = 'the call is blocked: no receipt could be issued in time';
const UNRECORDED = 'a call has neither a receipt nor an entry in the spool';

/** The options of a hook. */
export interface HookOptions extends CaptureOptions {
  includeMcp?: string[];
  onFailure: 'pass' | 'block';
}

/**
 * Records the event on standard input, and ends the process: with 2 if the call is to be blocked, else with
 * 0.
 */
export async function runHook(options: HookOptions, openLocal: OpenLocal): Promise<never> {
  const notices = new Notices();
  // Only a call that has not begun can be blocked.
  let mustBlock = false;
  let isBegin = false;
  const end = (): never => process.exit(mustBlock ? 2 : 0);
  setTimeout(
    () => {
      notices.say('late', 'the event is not recorded in time');
      // A call that begins may have no entry.
      if (isBegin) new SpoolDirectory().countUnrecorded();
      end();
    },
    Math.max(0, END_MS - performance.now()),
  );
  try {
    if (process.stdin.isTTY) throw new Error('there is no event on standard input');
    const text = new TextDecoder().decode(await gathered('standard input', Bun.stdin.stream(), MAX_BYTES));
    const event = hookEvent(text, (tool) => isRecorded(tool, options.includeMcp));
    if (event.kind !== 'none') {
      isBegin = event.kind === 'begin';
      mustBlock = isBegin && options.onFailure === 'block';
      const source = { kind: 'hook', agent: 'claude-code', closes: true, parties } as const;
      const context = sessionContext(options, source, openLocal);
      const recorded = await recordEvent(context, event, DEADLINE_MS, mustBlock);
      await context.closeTarget();
      if (recorded === 'nothing') notices.say('nothing', mustBlock ? BLOCKED : UNRECORDED);
      else mustBlock = false;
    }
  } catch (error) {
    notices.say('hook', `the event is not recorded: ${asFailure(error).message}`);
  }
  return end();
}

const parties = () => ({ agent: null, server: 'claude-code' });

/**
 * Returns whether calls of a tool are recorded. The name of a tool of an MCP server is
 * `mcp__<server>__<tool>`.
 */
function isRecorded(tool: string, servers: readonly string[] = []): boolean {
  return !tool.startsWith('mcp__') || servers.some((server) => tool.startsWith(`mcp__${server}__`));
}
