import { asFailure } from '../../../platform/failure.ts';
import { gathered } from '../../../platform/files/read.ts';
import { type CaptureOptions, sessionContext } from '../options.ts';
import type { OpenLocal } from '../services.ts';
import { Notices } from '../session/notices.ts';
import { SpoolDirectory } from '../spool/directory.ts';
import { hookEvent, largeHookEvent, NoEvent } from './event.ts';
import { recordEvent } from './record.ts';

/** The time until the process ends, in milliseconds from its start. The client waits for it. */
const END_MS = 950;
/** The time until which the service may respond. */
const DEADLINE_MS = 850;
/** The largest event. */
const MAX_BYTES = 64 * 2 ** 20;
/** The largest event that is read as JSON: one of 20 MB can take five seconds. */
const MAX_JSON_BYTES = 2 * 2 ** 20;

const BLOCKED = 'the call is blocked: no receipt could be issued in time';
const UNRECORDED = 'a call has neither a receipt nor an entry in the spool';

/** The options of a hook. */
export interface HookOptions extends CaptureOptions {
  includeMcp?: string[];
  onFailure: 'pass' | 'block';
}

/**
 * Records the event on standard input, and ends the process: with 2 if the call is to be blocked, else with
 * 0. With `block`, everything that may be a call is blocked until it has a receipt.
 */
export async function runHook(options: HookOptions, openLocal: OpenLocal): Promise<never> {
  const notices = new Notices();
  let mustBlock = options.onFailure === 'block';
  let mayBegin = true;
  const end = (): never => process.exit(mustBlock ? 2 : 0);
  setTimeout(
    () => {
      notices.say('late', 'the event is not recorded in time');
      // A call that begins may have no entry.
      if (mayBegin) new SpoolDirectory().countUnrecorded();
      end();
    },
    Math.max(0, END_MS - performance.now()),
  );
  try {
    if (process.stdin.isTTY) throw new Error('there is no event on standard input');
    const bytes = await gathered('standard input', Bun.stdin.stream(), MAX_BYTES);
    const records = (tool: string): boolean => isRecorded(tool, options.includeMcp);
    const event =
      bytes.length > MAX_JSON_BYTES
        ? largeHookEvent(bytes, records)
        : hookEvent(new TextDecoder().decode(bytes), records);
    // Only a call that has not begun can be blocked.
    mayBegin = event.kind === 'begin';
    mustBlock &&= mayBegin;
    if (event.kind !== 'none') {
      const source = { kind: 'hook', agent: 'claude-code', closes: true, parties } as const;
      const context = sessionContext(options, source, openLocal);
      const recorded = await recordEvent(context, event, DEADLINE_MS, mustBlock);
      if (recorded === 'nothing') notices.say('nothing', mustBlock ? BLOCKED : UNRECORDED);
      else mustBlock = false;
      mayBegin = false;
      await context.closeTarget();
    }
  } catch (error) {
    if (error instanceof NoEvent) mustBlock &&= error.mayBegin;
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
