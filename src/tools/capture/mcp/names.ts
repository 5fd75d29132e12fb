import { basename } from 'node:path';
import type { JsonValue } from '../../../proof/encoding/json.ts';
import type { Parties } from '../session/capture.ts';
import { member, textMember } from './message.ts';

const CLIENT = 'io.modelcontextprotocol/clientInfo';
const SERVER = 'io.modelcontextprotocol/serverInfo';

/**
 * The names that client and server give themselves: in `initialize` (until 2025-11-25), or in `_meta` of
 * requests and results (from 2026-07-28). Without one, the server has the name of its command. Names are not
 * verified, and do not change after the first call.
 */
export class Names {
  private agent: string | null = null;
  private server: string | null = null;
  private isFixed = false;

  constructor(private readonly command: string) {}

  /** Whether messages of the server may still give its name. */
  get isServerUnknown(): boolean {
    return this.server === null && !this.isFixed;
  }

  /** Returns the names as they are now. @param isLast whether they stay */
  parties(isLast = false): Parties {
    this.isFixed ||= isLast;
    return { agent: this.agent, server: this.server ?? basename(this.command) };
  }

  /** Reads the name of the client in the parameters of a request. */
  ofClient(method: string, params: JsonValue | undefined): void {
    if (this.isFixed) return;
    const greeting = method === 'initialize' ? member(params, 'clientInfo') : undefined;
    const info = member(member(params, '_meta'), CLIENT) ?? greeting;
    this.agent = nonEmpty(textMember(info, 'name')) ?? this.agent;
  }

  /** Reads the name of the server in a result. */
  ofServer(result: JsonValue | undefined): void {
    if (this.isFixed) return;
    const stated = member(member(result, '_meta'), SERVER);
    const isGreeting =
      member(result, 'protocolVersion') !== undefined || member(result, 'supportedVersions') !== undefined;
    const info = stated ?? (isGreeting ? member(result, 'serverInfo') : undefined);
    this.server = nonEmpty(textMember(info, 'name')) ?? this.server;
  }
}

function nonEmpty(name: string | undefined): string | null {
  return name === undefined || name.trim() === '' ? null : name;
}
