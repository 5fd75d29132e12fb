import { basename } from 'node:path';
import type { JsonValue } from '../../../proof/encoding/json.ts';
import type { Parties } from '../session/capture.ts';
import { member, textMember } from './message.ts';

const CLIENT = 'io.modelcontextprotocol/clientInfo';
const SERVER = 'io.modelcontextprotocol/serverInfo';
/** The longest names, in characters: neither hides the other in a scope of 256. */
const LONGEST_SERVER = 100;
const LONGEST_TOOL = 140;
const LONGEST_AGENT = 200;
/** Characters that nobody sees, or that change what is seen: as in `printable`, and halves of pairs. */
const UNSEEN = /[\p{Cc}\p{Cs}\p{Bidi_C}\p{DI}\u2028\u2029]/gu;
/** The form of an agent's commitment, in any case. */
const COMMITMENT = /^[0-9a-f]{64}$/i;

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
    const { agent, server } = this;
    return {
      agent: agent === null ? null : agentName(agent),
      // The colon divides the members of a scope.
      server: seen(server ?? basename(this.command), LONGEST_SERVER).replaceAll(':', '_'),
    };
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

/** Returns the name of a tool as scopes have it. */
export function toolName(name: string): string {
  return seen(name, LONGEST_TOOL);
}

/** Returns the name of a client as an agent's: it cannot be taken for the commitment of a key. */
function agentName(name: string): string {
  const agent = seen(name, LONGEST_AGENT);
  return COMMITMENT.test(agent.trim()) ? `client:${agent}` : agent;
}

/** Returns a name with `_` in place of each character that is not seen, and at most so many characters. */
function seen(name: string, longest: number): string {
  // Twice as many code units: a character has at most two.
  const [...characters] = name.slice(0, 2 * longest).replace(UNSEEN, '_');
  return characters.slice(0, longest).join('');
}
