import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { Command } from 'commander';
import { Contexts, requireName, type ServiceName } from '../platform/client/contexts.ts';
import { RefusedRequest } from '../platform/client/failures.ts';
import { operationsOfDocument, type ServiceOperations } from '../platform/client/operations.ts';
import { asKey, keyInFile } from '../platform/client/secret-file.ts';
import { ServiceClient } from '../platform/client/service-client.ts';
import { ServiceTarget } from '../platform/client/service-target.ts';
import { examples, GROUPS } from '../platform/command-help.ts';
import { Failure } from '../platform/failure.ts';
import { displayUrl } from '../platform/network/fetch.ts';
import { serviceUrl } from '../platform/network/service-url.ts';
import { askSecret } from '../platform/terminal/passphrase.ts';
import { printable } from '../platform/terminal/printable.ts';
import { isJsonObject } from '../proof/encoding/json.ts';
import type { Services } from './services.ts';
import { version } from './version.ts';

/** The operation that says whose key it is. */
const OWN: Readonly<Record<ServiceName, string>> = { trust: 'getOperatorStatus', staffing: 'getMe' };

interface LoginOptions {
  apiKeyFile?: string;
  name?: string;
}

/** Returns the command `login`, which stores a service and its key as a context of this user. */
export function loginCommand(services: () => Promise<Services>): Command {
  return new Command('login')
    .description('log in to a service: check a key and store both as the current context')
    .helpGroup(GROUPS.api)
    .argument('<url>', 'the URL of the service', (text: string) => serviceUrl(text, 'API keys'))
    .option(
      '--api-key-file <file>',
      'a file with the key, whose path is stored (of a pipe, the key); without it, the key is asked for',
    )
    .option('--name <name>', 'the name of the context (default: the host of the URL)')
    .addHelpText(
      'after',
      `
The key is an API key of an operator (pp_…), of a partner (mpk_…), or an admin token
(adm_…). What is stored is readable for this user only. Commands such as countersign
receipts list then work on this service.
${examples(
  ['Log in; the command asks for the key', 'countersign login http://127.0.0.1:3000'],
  [
    'Log in with a key from a file',
    'countersign login https://trust.example --api-key-file api-key --name prod',
  ],
)}`,
    )
    .action(async (url: string, { apiKeyFile, name }: LoginOptions) => {
      const contexts = new Contexts();
      const chosen = name ?? nameOf(url);
      requireName(chosen);
      refuseOther(contexts, chosen, url);
      const service = await serviceAt(url);
      const key =
        apiKeyFile === undefined
          ? asKey(await askSecret('API key:', 'use --api-key-file'), 'the input')
          : keyInFile(apiKeyFile);
      const target = new ServiceTarget(new ServiceClient(url, key));
      const account = await accountOf(target, service, key);
      const operations = await target.operations();
      // A pipe, such as of <(command), has no path that can be read again.
      const keyFile =
        apiKeyFile !== undefined && statSync(apiKeyFile).isFile()
          ? resolve(apiKeyFile)
          : contexts.writeKey(chosen, key);
      contexts.write({ name: chosen, url, service, keyFile, account, operations });
      contexts.use(chosen);
      process.stderr.write(
        `${printable(`logged in at ${target.client.place} as ${account ?? 'the holder of the key'}; the context is ${chosen}`)}\n`,
      );
      const missing = await missingOperations(await services(), service, operations);
      if (missing.length > 0)
        process.stderr.write(
          `this program (version ${version}) has operations that the service does not have: ${missing.join(', ')}\n`,
        );
    });
}

/** Returns the command `logout`, which removes a context. */
export function logoutCommand(): Command {
  return new Command('logout')
    .description('remove the current context, or another one, and the key that a login stored')
    .helpGroup(GROUPS.api)
    .argument('[name]', 'the name of the context')
    .addHelpText(
      'after',
      `
The service still accepts the key: delete it with countersign operator keys delete.
${examples(['Remove the current context', 'countersign logout'])}`,
    )
    .action((name: string | undefined) => {
      const contexts = new Contexts();
      const removed = name ?? contexts.current();
      if (removed === null)
        throw new Failure('there is no current context', 'name one: countersign contexts list', 2);
      contexts.remove(removed);
      process.stderr.write(`removed the context ${removed}\n`);
    });
}

/**
 * Refuses the name of a context of another URL: scripts that name it would work on another service.
 * @throws Failure (exit code 2)
 */
function refuseOther(contexts: Contexts, name: string, url: string): void {
  const known = contexts.names().includes(name) ? contexts.read(name).url : url;
  if (known === url) return;
  throw new Failure(
    `the context ${name} is of ${displayUrl(known)}`,
    `use another name with --name, or remove it: countersign logout ${name}`,
    2,
  );
}

/** Returns the name of the service at a URL. @throws Failure for anything else */
async function serviceAt(url: string): Promise<ServiceName> {
  const client = new ServiceClient(url, null);
  const health = await client.request({ method: 'GET', path: 'api/health' });
  const service = isJsonObject(health) ? health.service : null;
  if (service === 'trust' || service === 'staffing') return service;
  throw new Failure(`${client.place} is no trust service and no staffing service`, 'check the URL');
}

/**
 * Returns whose key it is; null if it may not say. @throws Failure for a key that the service does not accept
 */
async function accountOf(target: ServiceTarget, service: ServiceName, key: string): Promise<string | null> {
  if (key.startsWith('adm_')) {
    await target.call('listPartners', { limit: '1' });
    return 'the administrator';
  }
  try {
    const own = await target.call(OWN[service], {});
    const account = isJsonObject(own) && isJsonObject(own.account) ? own.account : own;
    return isJsonObject(account) ? String(account.operator_id ?? account.partner_id) : null;
  } catch (error) {
    // The key is known, and may do less than this: that of an agent's holder, for example.
    if (error instanceof RefusedRequest && error.status === 403) return null;
    throw error;
  }
}

/** Returns the operations that this program has and the service lacks. */
async function missingOperations(
  services: Services,
  service: ServiceName,
  operations: ServiceOperations,
): Promise<string[]> {
  const { documentOf } = await import('./openapi.ts');
  const own = operationsOfDocument(await documentOf(services.named(service), 'http://127.0.0.1', false));
  return Object.keys(own).filter((id) => !Object.hasOwn(operations, id));
}

/** Returns the host of a URL, and the port if it has one, as the name of a context. */
function nameOf(url: string): string {
  return new URL(url).host.replace(/[^A-Za-z0-9.]+/g, '-').replace(/^[-.]+|[-.]+$/g, '');
}
