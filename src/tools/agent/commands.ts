import { createHash } from 'node:crypto';
import { Command, InvalidArgumentError, Option } from 'commander';
import { type Example, examples, GROUPS } from '../../platform/command-help.ts';
import { milliseconds } from '../../platform/config/command-line.ts';
import { Failure } from '../../platform/failure.ts';
import { bytesOf, gathered } from '../../platform/files/read.ts';
import { serviceUrl } from '../../platform/network/service-url.ts';
import { Progress } from '../../platform/terminal/progress.ts';
import { CanonicalJsonError, canonicalJson } from '../../proof/encoding/canonical-json.ts';
import { isJsonObject, JsonError, type JsonObject, parseJson } from '../../proof/encoding/json.ts';
import { SENT_TYPES, type SentType } from '../../proof/evidence/source-types.ts';
import { apiKeyIn } from '../service-options.ts';
import { agentKeyIn } from './key-file.ts';
import type { Identity } from './sign.ts';

const MAX_PAYLOAD = 2 ** 20;

/** Returns the command `enroll`, which performs an agent's side of the enrollment. */
export function enrollCommand(): Command {
  return asAgent(
    'enroll',
    "enroll an agent at a trust service: sign its challenge, print the agent's passport",
    [
      'Enroll an agent whose sponsor is the operator of an API key',
      'countersign enroll https://trust.example --key agent.pem --name clerk --api-key-file api-key',
    ],
  )
    .option(
      '--api-key-file <file>',
      'a file with an API key of the sponsor; without it, the agent has no sponsor',
    )
    .action(async (url: string, options: Enrolled & { apiKeyFile?: string }) => {
      const { enrollAt } = await import('./enroll.ts');
      const apiKey = options.apiKeyFile === undefined ? null : apiKeyIn(options.apiKeyFile);
      print(await enrollAt(url, agentKeyIn(options.key), options, apiKey, options.now));
    });
}

export function solveCommand(): Command {
  return asAgent(
    'solve',
    'enroll an agent by proof of work, with an operator of its own as its sponsor; print its holder key, which is shown only once, and its passport',
    [
      'Enroll an agent by proof of work',
      'countersign solve https://trust.example --key agent.pem --name clerk',
    ],
    [
      'Print the proof of work with which an enrolled agent without a sponsor makes its first holder key',
      'countersign solve https://trust.example --key agent.pem --only-work > work.json',
    ],
  )
    .option(
      '--only-work',
      'print only the proof of work, as members of a request, and enroll nothing; valid for two minutes',
    )
    .action(async (url: string, options: Enrolled & { onlyWork?: true }) => {
      const { provisionAt, proveWorkAt } = await import('./enroll.ts');
      const progress = new Progress(process.stderr, 'hashes');
      const key = agentKeyIn(options.key);
      try {
        const working = (hashes: number, expected: number): void =>
          progress.at(hashes, expected > hashes ? hashes / expected : null);
        const response =
          options.onlyWork === undefined
            ? await provisionAt(url, key, options, working, options.now)
            : await proveWorkAt(url, key, working, options.now);
        progress.clear();
        print(response);
      } finally {
        progress.clear();
      }
    });
}

export function signCommand(): Command {
  return new Command('sign')
    .description("sign a JSON object with an agent's key, for evidence and presentations")
    .helpGroup(GROUPS.agents)
    .addHelpText(
      'after',
      examples(
        ['Sign an object', 'countersign sign presentation.json --key agent.pem'],
        [
          'Print the request that submits a commit as evidence',
          'countersign sign commit.json --key agent.pem --evidence github_commit_payload',
        ],
        [
          'Print the request that delivers a file for an engagement, as its worker',
          'countersign sign engagement.json --key agent.pem --delivers report.pdf',
        ],
      ),
    )
    .argument('<file>', 'a file with the object; - for standard input')
    .requiredOption('--key <file>', "the agent's private key (PKCS #8 PEM)")
    .addOption(
      new Option('--evidence <source_type>', 'print the request that submits the object as evidence').choices(
        SENT_TYPES,
      ),
    )
    .addOption(
      new Option(
        '--delivers <file>',
        'print the request that delivers a file for the engagement in <file>, as engagements show prints it',
      ).conflicts(['evidence', 'consents']),
    )
    .option('--arbiter <commitment>', 'with --delivers: the agent that decides a dispute')
    .addOption(
      new Option(
        '--consents',
        'print the request by which the arbiter of the engagement in <file> consents',
      ).conflicts(['evidence', 'arbiter']),
    )
    .action(async (file: string, options: SignOptions) => {
      const { signedObject } = await import('./sign.ts');
      const { delivers, arbiter, consents } = options;
      if (arbiter !== undefined && delivers === undefined)
        throw new Failure('--arbiter needs --delivers', 'name the file that is delivered', 2);
      const key = agentKeyIn(options.key);
      const object = await objectFrom(file);
      if (delivers !== undefined || consents === true) {
        const { signedConsent, signedDelivery } = await import('./sign-engagement.ts');
        print(
          delivers === undefined
            ? signedConsent(key, object)
            : signedDelivery(key, object, await fileDigest(delivers), arbiter ?? null),
        );
        return;
      }
      const payload = object;
      const { evidence: source_type } = options;
      if (source_type !== undefined) await mustFit(file, source_type, payload);
      const signed = signedObject(key, payload);
      print(source_type === undefined ? signed : { source_type, payload, signature: signed.signature });
    });
}

/** Returns the SHA-256 of a file, in hexadecimal. @throws Failure as `bytesOf` */
async function fileDigest(file: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const piece of bytesOf(file)) hash.update(piece);
  return hash.digest('hex');
}

interface SignOptions {
  key: string;
  evidence?: SentType;
  delivers?: string;
  arbiter?: string;
  consents?: true;
}

/** Returns the command `authorize`, which adds the `agent_auth` of an agent to the body of a call. */
export function authorizeCommand(): Command {
  return new Command('authorize')
    .description(
      "authorize a call with an agent's key: print its body with agent_auth, which is valid once within five minutes",
    )
    .helpGroup(GROUPS.agents)
    .addHelpText(
      'after',
      examples([
        "Authorize a change of the agent's name",
        "countersign authorize 'PUT /api/v1/passport/agents/COMMITMENT/name' --key agent.pem --audience AUDIENCE --body name.json",
      ]),
    )
    .argument('<call>', "the call's method and the path of its URL, as in 'PUT /api/v1/…/name'", parseCall)
    .requiredOption('--key <file>', "the agent's private key (PKCS #8 PEM)")
    .requiredOption(
      '--audience <text>',
      'the service, as `audience` of GET /api/v1/public-key names it; the call is valid only there',
    )
    .option('--body <file>', 'a file with the JSON object of the body; - for standard input; default {}')
    .option('--context <text>', 'the context that the agent enrolled with')
    .addOption(nowOption())
    .action(
      async (
        call: Called,
        options: { key: string; audience: string; body?: string; context?: string; now?: number },
      ) => {
        const { authorizedBody } = await import('./sign.ts');
        const { key, audience, body } = options;
        const object = body === undefined ? {} : await objectFrom(body);
        print(authorizedBody(agentKeyIn(key), options, { ...call, audience }, object, options.now));
      },
    );
}

/**
 * Refuses a payload whose printed form the service would refuse: a double can print as an integer literal
 * that is inexact.
 * @throws Failure
 */
function refuseInexact(file: string, payload: JsonObject): void {
  try {
    parseJson(JSON.stringify(payload));
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    throw new Failure(
      `${file} cannot be sent as evidence: ${error.message}`,
      'write integers above 2^53, such as times in nanoseconds, as text; nothing was signed',
    );
  }
}

/**
 * Refuses a payload that the service would refuse as evidence, because its signature would be valid for other
 * uses of the object.
 * @throws Failure
 */
async function mustFit(file: string, sourceType: SentType, payload: JsonObject): Promise<void> {
  refuseInexact(file, payload);
  const { payloadIssues } = await import('../../platform/evidence-payload.ts');
  const issues = Object.entries(payloadIssues(sourceType, payload) ?? {});
  if (issues.length === 0) return;
  const problems = issues.map(([path, messages]) => `${path} ${messages.join(', ')}`).join('; ');
  throw new Failure(
    `${file} is not a payload of type ${sourceType}: ${problems}`,
    'see docs/evidence.md for the form of each type; nothing was signed',
  );
}

function asAgent(name: string, description: string, ...shown: Example[]): Command {
  return new Command(name)
    .description(description)
    .helpGroup(GROUPS.agents)
    .addHelpText('after', examples(...shown))
    .argument('<url>', 'the URL of the service', (text: string) => serviceUrl(text, 'challenges'))
    .requiredOption('--key <file>', "the agent's private key (PKCS #8 PEM)")
    .option('--context <text>', 'what the key is used for; another context makes another agent')
    .option('--name <text>', 'the name of the agent, which is public')
    .addOption(nowOption());
}

/** The options of a command that enrolls an agent. */
interface Enrolled extends Identity {
  key: string;
  now?: number;
}

/** The user states the time: a service that could choose it would get signatures for any time. */
const nowOption = (): Option =>
  new Option('--now <time>', "a test service's own time, RFC 3339 (default: that of this machine)").argParser(
    milliseconds,
  );

/** The method and the path of a call. */
interface Called {
  method: string;
  path: string;
}

/**
 * Parses a call's method and path. The path must be normalized, because the signature covers the path that
 * the service receives.
 */
function parseCall(text: string): Called {
  const [, method = '', path = ''] = /^(POST|PUT|PATCH|DELETE) (\S+)$/.exec(text) ?? [];
  const url = URL.canParse(path, 'http://localhost') ? new URL(path, 'http://localhost') : null;
  if (path !== '' && url?.pathname === path) return { method, path };
  throw new InvalidArgumentError(
    'It must be POST, PUT, PATCH or DELETE, one space, and the path of a URL without ? and #.',
  );
}

/** @throws Failure */
async function objectFrom(file: string): Promise<JsonObject> {
  return objectIn(file, await gathered(file, bytesOf(file), MAX_PAYLOAD));
}

/** Parses a JSON object that has a canonical form, so that it has a digest. @throws Failure */
function objectIn(file: string, bytes: Uint8Array): JsonObject {
  const name = file === '-' ? 'standard input' : file;
  try {
    const value = parseJson(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    canonicalJson(value);
    if (isJsonObject(value)) return value;
  } catch (error) {
    const isMalformed =
      error instanceof JsonError || error instanceof CanonicalJsonError || error instanceof TypeError;
    if (!isMalformed) throw error;
    throw new Failure(
      `${name} contains no JSON that can be signed: ${error.message}`,
      'correct it; nothing was signed',
    );
  }
  throw new Failure(`${name} contains no JSON object`, 'sign one JSON object');
}

function print(response: JsonObject): void {
  process.stdout.write(`${JSON.stringify(response, null, 2)}\n`);
}
