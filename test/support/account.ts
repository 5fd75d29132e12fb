import { seenPage } from './page.ts';

const ORIGIN = 'http://localhost';

/** A response of the account pages, with what a test looks at. */
export interface ShownPage {
  status: number;
  text: string;
  location: string | null;
  headers: Headers;
}

type Fetch = (request: Request) => Promise<Response>;

/** A browser without scripts: it has cookies, and sends forms with the fields that the page has. */
export class Visitor {
  cookies = new Map<string, string>();
  /** The page that it shows. */
  text = '';
  /** The `csrf_token` of the last page with one. */
  csrfToken = '';

  constructor(
    private readonly fetch: Fetch,
    private readonly headers: Readonly<Record<string, string>> = { 'sec-fetch-site': 'same-origin' },
    /** The path of the only script of its pages. */
    private readonly script: string | null = null,
  ) {}

  async get(path: string): Promise<ShownPage> {
    return this.ask(new Request(`${ORIGIN}${path}`, { headers: this.sent() }));
  }

  /** Sends a form. Pairs are sent in order, so that a field can occur twice. */
  async post(path: string, fields: Record<string, string> | [string, string][] = {}): Promise<ShownPage> {
    const body = new URLSearchParams(fields).toString();
    const headers = { ...this.sent(), 'content-type': 'application/x-www-form-urlencoded' };
    return this.ask(new Request(`${ORIGIN}${path}`, { method: 'POST', headers, body }));
  }

  /** Sends a form with the `csrf_token` of the page that is shown. */
  async send(path: string, fields: Record<string, string> | [string, string][] = {}): Promise<ShownPage> {
    const pairs = Array.isArray(fields) ? fields : Object.entries(fields);
    return this.post(path, [...pairs, ['csrf_token', this.csrfToken]]);
  }

  async logIn(apiKey: string): Promise<ShownPage> {
    const response = await this.post('/account/login', { api_key: apiKey });
    return response.status === 303 ? this.get('/account') : response;
  }

  private sent(): Record<string, string> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    return cookie === '' ? { ...this.headers } : { ...this.headers, cookie };
  }

  private async ask(request: Request): Promise<ShownPage> {
    const response = await this.fetch(request);
    const text = await response.text();
    for (const line of response.headers.getSetCookie()) {
      const [pair = ''] = line.split(';');
      const [name = '', value = ''] = pair.split('=');
      if (/max-age=0/i.test(line)) this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
    const { status, headers } = response;
    const isFile = headers.get('content-disposition')?.startsWith('attachment;') === true;
    if (status !== 303 && !isFile) {
      this.text = text;
      this.csrfToken = /name="csrf_token" value="([^"]*)"/.exec(text)?.[1] ?? this.csrfToken;
      if (headers.get('content-type')?.startsWith('text/html') !== true) {
        throw new Error(`${request.method} ${request.url} returned ${status} without a page: ${text}`);
      }
      // Every page has only harmless elements, whatever is in its data. Only one kind of page leads to
      // another origin.
      const isLeaving = text.includes('<meta http-equiv="refresh" content="0;url=https://');
      if (!isLeaving) await seenPage(text, true, this.script);
    }
    return { status, text, location: headers.get('location'), headers };
  }
}
