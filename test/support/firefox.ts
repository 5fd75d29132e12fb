import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isJsonObject, type JsonObject, type JsonValue, parseJson } from '../../src/proof/encoding/json.ts';

const EXECUTABLE = '/usr/bin/firefox-esr';

/** Whether Firefox is available. Tests that need it are `test.skipIf(!firefoxAvailable)`. */
export const firefoxAvailable: boolean = existsSync(EXECUTABLE);

/** Firefox contacts its maker by itself: a visit must only have the requests of its page. */
const PREFERENCES = `user_pref('browser.shell.checkDefaultBrowser', false);
user_pref('app.update.enabled', false);
user_pref('datareporting.policy.dataSubmissionEnabled', false);
user_pref('network.captive-portal-service.enabled', false);
user_pref('network.connectivity-service.enabled', false);
user_pref('remote.active-protocols', 1);
`;

/** A page in Firefox. */
export interface FirefoxVisit {
  /** Evaluates an expression in the page, and returns its value if it is a text. */
  evaluate(expression: string): Promise<string | null>;
  /** Chooses files in the field that a selector names. */
  chooseFiles(selector: string, paths: readonly string[]): Promise<void>;
  /** The URLs of all requests over a network, but not of files. */
  requests: string[];
  /** Errors and warnings of the page. */
  complaints: string[];
}

/** A headless Firefox, which shows one page after the other: it starts slowly. */
export interface Firefox extends AsyncDisposable {
  /** Opens a page in a tab that shares nothing with those before it: no cookies, storage and cache. */
  visit(url: string, act: (seen: FirefoxVisit) => Promise<void>): Promise<void>;
}

/**
 * Starts Firefox with a fresh profile. It speaks WebDriver BiDi (https://w3c.github.io/webdriver-bidi)
 * without a driver.
 */
export async function startFirefox(): Promise<Firefox> {
  const profile = mkdtempSync(join(tmpdir(), 'countersign-firefox-'));
  writeFileSync(join(profile, 'user.js'), PREFERENCES);
  const firefox = Bun.spawn(
    [
      EXECUTABLE,
      '--headless',
      '--no-remote',
      '--profile',
      profile,
      '--remote-debugging-port=0',
      'about:blank',
    ],
    {
      stdout: 'ignore',
      stderr: 'pipe',
      env: { ...process.env, HOME: profile, MOZ_CRASHREPORTER_DISABLE: '1' },
    },
  );
  const stop = async (): Promise<void> => {
    firefox.kill();
    await firefox.exited;
    rmSync(profile, { recursive: true, force: true });
  };
  try {
    const socket = new WebSocket(`${await addressIn(firefox.stderr)}/session`);
    await new Promise((resolve, reject) => {
      socket.onopen = resolve;
      socket.onerror = reject;
    });
    const bidi = new BidiConnection(socket);
    await bidi.send('session.new', { capabilities: {} });
    await bidi.send('session.subscribe', { events: ['log.entryAdded', 'network.beforeRequestSent'] });
    return { visit: (url, act) => visited(bidi, url, act), [Symbol.asyncDispose]: stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Returns the address that Firefox prints when it listens. */
async function addressIn(stderr: ReadableStream<Uint8Array>): Promise<string> {
  let text = '';
  const decoder = new TextDecoder();
  for await (const chunk of stderr) {
    text += decoder.decode(chunk, { stream: true });
    const [, address] = /WebDriver BiDi listening on (ws:\/\/\S+)/.exec(text) ?? [];
    if (address !== undefined) return address;
  }
  throw new Error(`Firefox did not start: ${text}`);
}

async function visited(
  bidi: BidiConnection,
  url: string,
  act: (seen: FirefoxVisit) => Promise<void>,
): Promise<void> {
  const { userContext = null } = await bidi.send('browser.createUserContext', {});
  const { context = null } = await bidi.send('browsingContext.create', { type: 'tab', userContext });
  try {
    await act(await opened(bidi, context, url));
  } finally {
    bidi.onEvent = () => undefined;
    // It closes its tab too.
    await bidi.send('browser.removeUserContext', { userContext });
  }
}

async function opened(bidi: BidiConnection, context: JsonValue, url: string): Promise<FirefoxVisit> {
  const requests: string[] = [];
  const complaints: string[] = [];
  bidi.onEvent = (method, params) => {
    const { request, level, text } = params;
    const target = isJsonObject(request) ? String(request.url) : '';
    if (method === 'network.beforeRequestSent' && /^(?:https?|wss?):/.test(target)) requests.push(target);
    if (method === 'log.entryAdded' && (level === 'error' || level === 'warn')) complaints.push(String(text));
  };
  await bidi.send('browsingContext.navigate', { context, url, wait: 'complete' });
  const evaluated = async (expression: string): Promise<JsonObject> => {
    const { result, exceptionDetails } = await bidi.send('script.evaluate', {
      expression,
      target: { context },
      awaitPromise: true,
    });
    if (exceptionDetails !== undefined) throw new Error(JSON.stringify(exceptionDetails));
    return isJsonObject(result) ? result : {};
  };
  return {
    requests,
    complaints,
    async evaluate(expression) {
      const { value } = await evaluated(expression);
      return typeof value === 'string' ? value : null;
    },
    async chooseFiles(selector, paths) {
      const { sharedId = null } = await evaluated(`document.querySelector(${JSON.stringify(selector)})`);
      await bidi.send('input.setFiles', { context, element: { sharedId }, files: [...paths] });
    },
  };
}

/** A connection on which commands get their results by their ids. */
class BidiConnection {
  onEvent: (method: string, params: JsonObject) => void = () => undefined;
  readonly #waiting = new Map<number, { resolve(result: JsonObject): void; reject(error: Error): void }>();
  #id = 0;

  constructor(private readonly socket: WebSocket) {
    socket.onmessage = ({ data }) => {
      const message = parseJson(String(data), { integers: 'nearest' });
      if (isJsonObject(message)) this.#take(message);
    };
    socket.onclose = () => {
      for (const { reject } of this.#waiting.values()) reject(new Error('Firefox closed the connection'));
    };
  }

  send(method: string, params: JsonValue): Promise<JsonObject> {
    const id = ++this.#id;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.socket.send(JSON.stringify({ id, method, params }));
    });
  }

  #take(message: JsonObject): void {
    const { id, method, params = null, result = null } = message;
    if (typeof method === 'string' && isJsonObject(params)) this.onEvent(method, params);
    const waiting = typeof id === 'number' ? this.#waiting.get(id) : undefined;
    if (typeof id !== 'number' || waiting === undefined) return;
    this.#waiting.delete(id);
    if (isJsonObject(result)) waiting.resolve(result);
    else waiting.reject(new Error(`${message.error}: ${message.message}`));
  }
}
