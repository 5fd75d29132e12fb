import { existsSync, mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { InvalidArgumentError, Option } from 'commander';
import { type ChosenService, chooseService } from '../../platform/client/choose-target.ts';
import { CONTEXT_VARIABLE } from '../../platform/config/resolve.ts';
import { nativePrimitives } from '../../platform/crypto/crypto.ts';
import type { KeyPair } from '../../platform/crypto/key-files.ts';
import { Failure } from '../../platform/failure.ts';
import { serviceUrl } from '../../platform/network/service-url.ts';
import { subjectCommitment } from '../../proof/agent/commitment.ts';
import { messageOf } from '../../proof/log/problem.ts';
import { agentKeyIn } from '../agent/key-file.ts';
import { plainText } from './sending/begun.ts';
import { CaptureServices, OPERATIONS, type OpenLocal } from './services.ts';
import type { Parties } from './session/capture.ts';
import { Keep } from './session/keep.ts';
import { Notices } from './session/notices.ts';
import { CaptureSession, type SessionContext } from './session/session.ts';
import { SpoolDirectory } from './spool/directory.ts';
import { type Header, type SessionKind, type SpoolTarget, VERSION } from './spool/lines.ts';

/** The domains of receipts. */
const DOMAINS = ['FINANCIAL_CLEARING', 'CUSTOMER_SUPPORT', 'CODE_GENERATION', 'SYSTEM_INTEGRATION'] as const;

/** The values of the options that name a service. */
export interface ServiceOptions {
  context?: string;
  url?: string;
  apiKeyFile?: string;
  local?: string;
}

/** The values of the options that all commands of capture share. */
export interface CaptureOptions extends ServiceOptions {
  agent?: string;
  agentKey?: string;
  domain: string;
  keep?: string;
}

/** Returns the option that says why capture has no data directory of a server. */
const noDirectory = (): Option =>
  new Option('--data <directory>', 'not for captures: they need a key').hideHelp().argParser(() => {
    throw new InvalidArgumentError(
      'The server of a data directory takes captures with an API key: use --context or --url. --local makes a directory without a server.',
    );
  });

/** Returns the options that name a service. */
export function serviceOptions(): Option[] {
  return [
    new Option('--context <name>', 'the login context (default: $COUNTERSIGN_CONTEXT, or the current one)'),
    new Option('--url <url>', 'the service at this URL, instead of a context').argParser((text) =>
      serviceUrl(text, 'responses'),
    ),
    new Option('--api-key-file <file>', 'a file with the key for --url'),
    new Option(
      '--local <directory>',
      'no server: a service in this data directory, which the first process that uses it serves',
    ),
    noDirectory(),
  ];
}

/** Returns the options that all commands of capture share. */
export function captureOptions(): Option[] {
  return [
    ...serviceOptions(),
    new Option('--agent <name>', 'the agent of the receipts, in place of the name that the client has'),
    new Option(
      '--agent-key <file>',
      "the agent's private key: it is the agent then, and signs evidence of each call",
    ),
    new Option('--domain <domain>', 'the domain of the receipts')
      .choices(DOMAINS)
      .default('SYSTEM_INTEGRATION'),
    new Option('--keep <directory>', 'keep arguments and results there; receipts have only their digests'),
  ];
}

/** What makes the calls of a session. */
export interface Source {
  kind: SessionKind;
  /** The agent where neither an option nor the client names one. */
  agent: string;
  /** Is called with the first call. */
  parties(): Parties;
  /** True if a closing receipt shows the order and the number of the receipts. */
  closes: boolean;
}

/** Returns the session of a command. It opens nothing before its first call. @throws Failure (exit code 2) */
export function captureFor(options: CaptureOptions, source: Source, openLocal: OpenLocal): CaptureSession {
  return new CaptureSession(sessionContext(options, source, openLocal));
}

/**
 * Returns what the session of a command needs. @throws Failure (exit code 2) for options that cannot be used
 */
export function sessionContext(
  options: CaptureOptions,
  source: Source,
  openLocal: OpenLocal,
): SessionContext {
  const { agent, agentKey, domain, keep } = options;
  if (agent !== undefined && agentKey !== undefined)
    throw new Failure('--agent and --agent-key name two agents', 'name one', 2);
  const target = targetFor(options);
  const key = agentKey === undefined ? null : agentKeyIn(agentKey);
  const notices = new Notices();
  const services = new CaptureServices(openLocal, target);
  return {
    key,
    notices,
    directory: new SpoolDirectory(),
    openTarget: (named) => services.open(named),
    closeTarget: () => services.close(),
    header: () => headerOf(source, { target, domain, agent: agentOf(key, agent) }),
    keep:
      keep === undefined
        ? null
        : new Keep(keptIn(keep), (error) =>
            notices.say('keep', `${keep} does not keep a call: ${messageOf(error)}`),
          ),
  };
}

/** Returns the service that is named. @throws Failure (exit code 2) for none, and for two */
export function targetFor(options: ServiceOptions, env: NodeJS.ProcessEnv = process.env): SpoolTarget {
  const { local, context, url, apiKeyFile } = options;
  if (local === undefined)
    return targetOf(chooseService(options, { service: 'trust', known: OPERATIONS }, env), options);
  const others = [
    ...(context === undefined ? [] : ['--context']),
    ...(url === undefined ? [] : ['--url']),
    ...(apiKeyFile === undefined ? [] : ['--api-key-file']),
    ...(env[CONTEXT_VARIABLE] ? [CONTEXT_VARIABLE] : []),
  ];
  if (others[0] !== undefined) throw new Failure(`--local and ${others[0]} name two targets`, 'name one', 2);
  return { kind: 'local', directory: resolve(local) };
}

/** Returns what names a service in the files of sessions. It has no key. */
function targetOf({ context, account, url }: ChosenService, { apiKeyFile }: ServiceOptions): SpoolTarget {
  return context === null
    ? { kind: 'url', url, key_file: apiKeyFile === undefined ? null : resolve(apiKeyFile) }
    : { kind: 'context', name: context, url, account };
}

function headerOf(
  { kind, agent: ownAgent, parties, closes }: Source,
  { target, domain, agent }: { target: SpoolTarget; domain: string; agent: string | null },
): Header {
  const { agent: client, server } = parties();
  return {
    ...{ type: 'session', version: VERSION, kind, target },
    agent_id: plainText(agent ?? client ?? ownAgent),
    domain,
    server: closes ? server : null,
    started_at: new Date().toISOString(),
  };
}

function agentOf(key: KeyPair | null, agent: string | undefined): string | null {
  return key === null ? (agent ?? null) : subjectCommitment(nativePrimitives, key.publicKey);
}

/** Returns the directory for arguments and results. @throws Failure if it cannot be one */
function keptIn(directory: string): string {
  try {
    if (!existsSync(directory)) mkdirSync(directory, { recursive: true, mode: 0o700 });
    return resolve(directory);
  } catch (error) {
    throw new Failure(
      `${directory} cannot be made: ${messageOf(error)}`,
      'name another directory with --keep',
      2,
    );
  }
}
